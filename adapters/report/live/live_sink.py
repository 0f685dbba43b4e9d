"""A running run as the data of the page that shows it."""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import asdict, dataclass
from threading import Event
from typing import TYPE_CHECKING, Any

from telex.adapters.http import RunSnapshots
from telex.adapters.report.dead_letter_data import DeadLetterCounts, count_dead_letters
from telex.adapters.report.live.live_points import LivePoints
from telex.adapters.report.live.newest_documents import NewestDocuments
from telex.adapters.report.run_data import EVENTS, RunProgress, head_data
from telex.learners.base import without_nan
from telex.learners.losses import USUAL
from telex.stream.run import Sink, describe_learner
from telex.stream.run_folder import LABEL_COUNTS, fact_tree, read_events, tree_fact, versions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from telex.adapters.http import Server, ServerProcess
    from telex.learners.losses import Shown
    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult
    from telex.stream.sources import DeadLetter

EVERY = 2.0
"""Seconds between two requests of a page for news."""
_LABELS_EVERY = 8.0
_FAREWELL = 2.5
"""Seconds that an open page has to learn that the run has ended."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The result of one look at a run, without its points and events."""

    summary: dict[str, Any]
    finished: bool
    verdicts: dict[str, Any] | None


class LiveSink(Sink):
    """Collects what the page shows of a run, between two documents.

    ``facts`` are those about the command in run.json. A run that resumes takes its earlier events and broken records
    from its ``folder``, whose sink must come before this one. Each request adds a point to the curves, so they grow
    while a page is open, however far apart the points of the run are. Without requests the only costs are the points of
    the run and a look at the newest predictions once a second.
    """

    def __init__(
        self,
        facts: Mapping[str, Any] | None = None,
        folder: Path | None = None,
        shown: Shown = USUAL,
    ) -> None:
        self.facts, self.folder, self.shown = dict(facts or {}), folder, shown
        self.run: RunView | None = None
        self.snapshots: RunSnapshots[_Seen] = RunSnapshots(self._look)
        self.events: deque[dict[str, Any]] = deque(maxlen=EVENTS)
        self.happened = 0
        self.server: Server | ServerProcess | None = None
        """The server of the page; the run closes it at its end."""
        self._broken = DeadLetterCounts()
        self._reached: list[tuple[float, int]] = []
        self._labels: dict[str, Any] = {}
        self._labels_at = self._asked_at = -math.inf
        self._labels_wanted = self._over = False
        self._end_sent = Event()

    # -- called by the run

    def begin(self, run: RunView) -> None:
        """Take the points and events with which the run begins, and take the first snapshot."""
        self.run = run
        self.points = LivePoints(run.learners, run.settings.names)
        curves = run.curves
        longest = max(curves.values(), key=lambda table: len(table["documents"]))  # others were set aside
        for i, documents in enumerate(longest["documents"].tolist()):
            figures = {name: {column: float(values[i]) for column, values in table.items()}
                       for name, table in curves.items() if i < len(table["documents"])}  # fmt: skip
            self.points.add(documents, float(longest["time"][i]), figures)
        if self.folder is not None:
            for event in read_events(self.folder):
                self.event(event)
            self._broken = count_dead_letters(self.folder)
        self._newest = NewestDocuments(run.title_of)
        self._tree = fact_tree(tree_fact(run.settings.tree))  # its labels are texts, as those of the tables
        self._note_reached()
        self.snapshots.working()
        self.snapshots.look_now()

    def waiting(self) -> None:
        """Let other threads look while the run waits for its source."""
        self.snapshots.waiting()

    def working(self) -> None:
        """Let other threads wait for the next boundary."""
        self.snapshots.working()

    def step(self, result: StepResult) -> None:
        """Take the newest documents and their predictions."""
        if result.watched:
            self._newest.step(result)

    def dead_letter(self, letter: DeadLetter) -> None:
        """Count a broken record."""
        raw = letter.raw[:1000].decode("utf-8", "replace")
        self._broken.add(letter.stage, letter.reason, letter.place, raw)

    def event(self, event: Mapping[str, Any]) -> None:
        """Store an event."""
        self.events.append(dict(event))
        self.happened += 1

    def point(self, point: Point) -> None:
        """Store a point of the first training pass, and let other threads look."""
        if point.part == "train" and point.epoch == 1:
            self.points.add(point.documents, point.time, point.learners)
            self._note_reached()
        self.snapshots.look_if_asked()

    def close(self) -> None:
        """Take the last snapshot, give an open page the time to fetch it, and close the server."""
        self._over = True
        if self.run is not None:
            self._labels_wanted = True
            self.snapshots.look_now()
        self.snapshots.end()
        if self.run is not None and self.server is not None and time.monotonic() - self._asked_at < 5 * EVERY:
            self._end_sent.wait(_FAREWELL)
        if self.server is not None:
            self.server.close()

    # -- called by the server, in another thread

    def whole(self) -> dict[str, Any] | None:
        """Return the run as a page shows it; None if it has not begun."""
        news = self.news()
        if news is None or self.run is None:
            return None
        run = self.run
        facts = {
            **self.facts,
            "versions": versions(),
            "window": run.settings.window,
            "points": run.settings.points,
            "epochs": run.settings.epochs,
            "limit": run.settings.limit,
            "learners": {name: describe_learner(learner) for name, learner in run.learners.items()},
        }
        name = "run" if self.folder is None else self.folder.resolve().name
        return {"name": name, **head_data(facts, run.learners), **news, "crossval": None}

    def news(self, after: int = 0, events: int = 0, *, labels: bool = True) -> dict[str, Any] | None:
        """Return what is new after document ``after`` and the first ``events`` events; None before the run begins."""
        now = time.monotonic()
        self._asked_at = now
        self._labels_wanted |= labels and now - self._labels_at > _LABELS_EVERY
        seen = self.snapshots.ask()
        if seen is None:
            return None
        happened, kept = self.happened, list(self.events)
        progress = RunProgress(
            seen.summary,
            self.points.curves(after),
            kept[max(0, len(kept) - max(0, happened - events)) :],
            happened,
            self._broken,
            self._reached[:],
            self._labels if labels else None,
            seen.verdicts,
            self._tree,
        )
        found = {**progress.plain(), "finished": seen.finished, "newest": self._newest.plain()}
        if seen.finished:
            self._end_sent.set()
        return found

    def _look(self) -> _Seen:
        run = self.run
        assert run is not None
        self._newest.take()
        first = run.sections[0]
        if first.documents and run.section is first:
            figures = {}
            for name, curve in first.curves.items():
                if name in run.set_aside:
                    continue
                known = first.labels_of(curve, run.learners[name])
                windowed = {f"{figure}_window": x for figure, x in curve.over_window(known).items()}
                figures[name] = {**curve.so_far(known), **windowed}
            self.points.add(first.documents, first.time, figures)
            self._note_reached()
        if self._labels_wanted:
            self._labels_wanted = False
            self._labels_at = time.monotonic()
            tables = {name: run.labels(name) for name in run.learners}
            self._labels = {
                name: {
                    column: [str(one) for one in table[column]] if column == "label" else table[column].tolist()
                    for column in LABEL_COUNTS
                }
                for name, table in tables.items()
            }
        return _Seen(run.summary(), self._over, self._verdicts(run))

    def _verdicts(self, run: RunView) -> dict[str, Any] | None:
        comparison, loss = run.comparison, run.comparison_loss
        if comparison is None or loss is None:
            return None
        pairs = [{"part": "train", "loss": loss.name, **without_nan(asdict(one))} for one in run.standings]
        return {"alpha": comparison.alpha, "pairs": pairs, "drawn": None}

    def _note_reached(self) -> None:
        assert self.run is not None
        self._reached.append((self.run.seconds, self.run.progress.documents))
        if len(self._reached) > 10_000:
            self._reached = self._reached[::2]

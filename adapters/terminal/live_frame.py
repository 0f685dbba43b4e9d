"""The content of the live table at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from telex.adapters.terminal.comparisons import who_leads
from telex.adapters.terminal.figure_columns import MARK, SHOWN_ALWAYS, aims, column, fitting, shortened
from telex.adapters.terminal.sparkline import History, sparkline
from telex.adapters.terminal.text_tables import duration, many
from telex.learners import Last, Prior
from telex.learners.losses import USUAL
from telex.stream.curves import iso

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from telex.learners.losses import Shown
    from telex.stream.curves import Point
    from telex.stream.run import RunView

_GAP = 2
_FIGURE = 6
"""The minimum width of a figure's column, so that the table does not jump."""
_CURVE, _SHORTEST_CURVE = 24, 10
_FULL = 10
"""A curve is drawn from this share of the window on, given as its inverse."""
_BESIDE = 16
"""The columns beside the bar, for the share and the time left."""


class LiveFrame:
    """The frame of a run: a bar, the counts, and a table of the newest point.

    What does not fit is left out in this order: the losses after the fifth in reading order, the curve, then the other
    losses from the last one on. The first loss always stays; long names lose their middle.
    """

    def __init__(self, run: RunView, shown: Shown = USUAL) -> None:
        self.run = run
        self.shown = shown
        self.names = shown.by_priority(run.losses)
        self.aims = aims(run.losses)
        self.baselines = {name for name, learner in run.learners.items() if isinstance(learner, (Prior, Last))}
        self.newest: Point | None = None
        self.stretch = 0
        self.curves: dict[str, History] = {}
        self._part: tuple[str, int] | None = None

    def take(self, point: Point) -> None:
        """Show the newest point."""
        if self._part != (part := (point.part, point.epoch)):
            self._part, self.curves, before = part, {name: History() for name in point.learners}, 0
        else:
            before = self.newest.documents if self.newest else 0
        if _FULL * point.scored >= self.run.settings.window:  # earlier values are chance
            for name, figures in point.learners.items():
                self.curves[name].add(figures[f"{self.names[0]}_window"])
        self.stretch = point.documents - before
        self.newest = point

    def drawn(self, console: Console) -> RenderableType:
        """Return what to show now; called by the drawing thread, which only reads."""
        head = [self._progress(console), Text(self._counts())]
        point = self.newest
        if point is None:
            return Group(*head)
        blocks = "utf" in console.encoding.lower()
        notes = filter(None, (self._note(point), who_leads(self.run)))
        return Group(*head, Text(), self._table(point, console.width, blocks), *(Text(note, "dim") for note in notes))

    def _progress(self, console: Console) -> RenderableType:
        run, share = self.run, share_done(self.run)
        stage = "stopping" if run.stopping else "testing" if run.section.name == "test" else "training"
        if run.settings.epochs > 1:
            stage += f", pass {run.section.epoch} of {run.settings.epochs}"
        if share is None:
            return Text(f"{stage} for {duration(run.seconds)}", style="bold")
        line = Table.grid(padding=(0, 1))
        width = max(4, min(60, console.width - len(stage) - _BESIDE))
        left = f"{duration(run.seconds * (1 - share) / share)} left" if share and run.seconds >= 1 else ""
        line.add_row(
            Text(stage, style="bold"),
            ProgressBar(1.0, share, width=width, complete_style="cyan"),
            f"{min(share, 0.99):4.0%}",
            Text(left),
        )
        return line

    def _counts(self) -> str:
        run = self.run
        documents, seconds = run.progress.documents, run.seconds
        if not documents:
            return "waiting for the first document"
        words = many(documents, "document") + (f", {documents / seconds:,.0f} a second" if seconds else "")
        if run.progress.dead_letters:
            words += f"; {many(run.progress.dead_letters, 'broken record')}"
        if run.champion is not None:
            words += f"; the champion is {run.champion.now}"
        return words

    def _note(self, point: Point) -> str:
        documents = many(point.documents, "document" if point.part == "train" else "tested document")
        time = f", {iso(point.time)}" if point.time is not None else ""
        return f"at {documents}{time}; since: newest {self.stretch:,}; {MARK} best"

    def _table(self, point: Point, width: int, blocks: bool) -> Table:
        first = self.names[0]
        longest = max(width // 3, 12)
        rows = self.shown.sorted(point.learners, self.run.losses)
        learners = [shortened(name, longest, "…" if blocks else "~") for name in rows]
        room = width - max(len("learner"), *map(len, learners))
        takes = [2 * _GAP + max(len(name), _FIGURE + 1) + _FIGURE for name in self.names]
        count = fitting(takes, room)
        space = room - sum(takes[: min(count, SHOWN_ALWAYS)]) - _GAP
        curve = min(_CURVE, space) if blocks and count >= SHOWN_ALWAYS and space >= _SHORTEST_CURVE else 0
        if curve:
            count = max(SHOWN_ALWAYS, fitting(takes, room - _GAP - curve))
        drawn = Table(box=None, header_style="bold", padding=(0, _GAP, 0, 0), pad_edge=False)
        drawn.add_column("learner", no_wrap=True)
        cells: list[list[Text]] = []
        for name in self.names[:count]:
            drawn.add_column(name, justify="right", min_width=_FIGURE + 1, no_wrap=True)
            drawn.add_column("since", justify="right", min_width=_FIGURE, no_wrap=True)
            now, since = ([f[name + span] for f in rows.values()] for span in ("", "_since"))
            cells.append([Text(x, "bold green" if MARK in x else "") for x in column(now, self.aims[name])])
            cells.append([Text(x, "dim") for x in column(since)])
        if curve:
            whole = f"{first}, last {self.run.settings.window:,}"
            drawn.add_column(whole if len(whole) <= curve else "curve", no_wrap=True)
            cells.append([Text(line, "cyan") for line in self._curves(rows, curve)])
        for learner, shown, *row in zip(rows, learners, *cells, strict=True):
            drawn.add_row(Text(shown), *row, style="dim" if learner in self.baselines else "")
        return drawn

    def _curves(self, learners: Mapping[str, object], width: int) -> list[str]:
        """Draw all curves between the lowest and the highest value of any, so that they can be compared."""
        curves = [self.curves[name].values for name in learners]
        known = [value for values in curves for value in values if value is not None] or [0.0]
        return [sparkline(values, width, min(known), max(known)) for values in curves]


def share_done(run: RunView) -> float | None:
    """Return how much of the run is done, from 0 to 1; None if unknown."""
    read = run.share_read
    shares = [] if read is None else [(run.section.epoch - 1 + read) / run.settings.epochs]
    if run.settings.limit:  # the run ends at whichever comes first
        shares.append(run.progress.documents / (run.settings.limit * run.settings.epochs))
    return min(1.0, max(shares)) if shares else None

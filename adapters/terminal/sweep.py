"""A sweep as text: its progress, and the table of its learners, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.terminal.figure_columns import SHOWN_ALWAYS, aims, column
from telex.adapters.terminal.sink import TerminalSink
from telex.adapters.terminal.text_tables import many, text_table
from telex.learners import named_losses
from telex.learners.losses import by_priority

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.stream.curves import Figures, Point
    from telex.stream.run import RunView


class SweepSink(TerminalSink):
    """Shows how far a run has come each time that its documents have doubled, and no learner: those are in a table."""

    def begin(self, run: RunView) -> None:
        """Start counting."""
        super().begin(run)
        self.part, self.shown = ("", 0), 0

    def point(self, point: Point) -> None:
        """Show the number of documents, if it has doubled since it was shown last."""
        super().point(point)
        if (part := (point.part, point.epoch)) != self.part:
            self.part, self.shown = part, 0
        if point.documents >= max(1000, 2 * self.shown):
            self.shown = point.documents
            epoch = f" of epoch {point.epoch}" if self.run.settings.epochs > 1 else ""
            self.say(f"{point.part}{epoch}: {many(point.documents, 'document')}")

    def end(self, summary: dict[str, Any]) -> None:
        """Show the counts, and how to resume a run that was stopped."""
        self.say(self._last_words(summary))
        if not self.run.finished:
            self.say(self._how_to_resume())


def sweep_text(
    heading: Sequence[str],
    learners: Sequence[tuple[Sequence[str], Figures, Figures | None]],
    by: str,
    width: int | None = None,
) -> str:
    """Return a table with a row for each learner: what names it, its figures, and ``by`` first among these.

    If learners were tested, ``by`` is there of both parts, and all other figures are of the test. The best of a column
    is marked, but not in those of the test: the test judges what was chosen, and must not choose.

    >>> print(sweep_text(["r"], [(["0.1"], {"iserr": 0.25}, {"iserr": 0.5}), (["1"], {"iserr": 0.5}, None)], "iserr"))
    r     iserr  test iserr
    0.1  *0.250       0.500
    1     0.500           -
    """
    tested = any(test is not None for _, _, test in learners)
    known = named_losses()
    measured = by_priority([loss for name, loss in known.items() if name in learners[0][1]])
    others = [name for name in measured if name != by and name in learners[0][1]][: SHOWN_ALWAYS - 1]
    shown = [(by, False), *([(by, True)] if tested else []), *((name, tested) for name in others)]
    best = aims(known.values())
    cells = [
        column(
            [((test or {}) if of_test else train).get(name) for _, train, test in learners],
            best.get(name) if not of_test else None,
        )
        for name, of_test in shown
    ]
    titles = [f"test {name}" if of_test else name for name, of_test in shown]
    rows = [[*named, *figures] for (named, _, _), figures in zip(learners, zip(*cells, strict=True), strict=True)]
    return text_table([*heading, *titles], rows, width=width)

"""What is shown of a run at one glance: the newest figure of each loss, and the curves of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.terminal import MARK, columns, many, text_table
from telex.learners import BASELINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base import Reals


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run as text or HTML shows it.

    ``learners`` has the figures of each learner by name, ``test`` those over the test part; ``curves`` has the places
    and the heights of the ``headline`` loss. ``best`` has the best possible value of each figure that is shown.
    """

    title: str
    state: str
    learners: Mapping[str, Mapping[str, float | None]]
    test: Mapping[str, Mapping[str, float | None]]
    curves: Mapping[str, tuple[Reals, Reals]]
    headline: str
    best: Mapping[str, float]

    def tables(self) -> Iterable[tuple[list[str], list[list[str]]]]:
        """Yield the heading and the rows of each table: that of the training part, and that of the test."""
        for heading, learners in (("learner", self.learners), ("learner, test", self.test)):
            if learners:
                rows = columns(learners, list(self.best), self.best)
                yield [heading, *self.best], [[name, *row] for name, row in zip(learners, rows, strict=True)]

    def text(self) -> str:
        """Return the run as lines of text."""
        tables = [text_table(heading, rows) for heading, rows in self.tables()]
        note = [f"{MARK} best of its column"] if any(MARK in table for table in tables) else []
        return "\n".join([f"{self.title}: {self.state}", *tables, *note])

    @property
    def baselines(self) -> set[str]:
        """The learners that ignore the text."""
        return {*BASELINES} & {*self.learners}


def shown_run(
    title: str,
    summary: Mapping[str, Any],
    curves: Mapping[str, Mapping[str, Any]],
    losses: Mapping[str, Mapping[str, Any]],
    state: str = "",
) -> ShownRun:
    """Return what is shown of a run: of its ``summary``, and of ``curves`` as columns by learner.

    ``losses`` has the facts of each loss and measure, as :func:`~telex.learners.describe_losses` returns them.
    """
    found = {
        name: figures
        for name, figures in summary.get("learners", {}).items()
        if name not in summary.get("set_aside", {})
    }
    first: Mapping[str, Any] = next(iter(found.values()), {})
    facts = {name: facts for name, facts in losses.items() if name in first}
    shown = {name: float(known["best"]) for name, known in facts.items() if known["priority"] is not None}
    headline = min(shown, key=lambda name: facts[name]["priority"], default="")
    counts = [many(summary.get("documents", 0), "document"), many(summary.get("labels", 0), "label")]
    if summary.get("dead_letters"):
        counts.append(many(summary["dead_letters"], "broken record"))
    drawn = {
        name: (np.asarray(table["documents"], np.float64), np.asarray(table[headline], np.float64))
        for name, table in curves.items()
        if headline in table and len(table["documents"])
    }
    return ShownRun(title, state + ", ".join(counts), found, summary.get("test", {}), drawn, headline, shown)

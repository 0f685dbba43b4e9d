"""Learners whose scores or losses are no finite numbers: said once of each, and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base import Offsets, State


class NotFinite:
    """Counts for each learner the scored documents with a score that was NaN, or with an infinite loss.

    Such a label ranks below all others, and such a loss counts as undefined; so figures stay finite, and nothing else
    would tell.

    >>> import numpy as np
    >>> watch = NotFinite(["mmp", "nb"])
    >>> watch.add({"mmp": np.array([1, 2]), "nb": np.array([], int)}, np.array([7, 8, 9]))
    >>> watch.take_events(), watch.counts
    ([{'event': 'scores not finite', 'learner': 'mmp', 'document': 8}], {'mmp': 2, 'nb': 0})
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.counts = dict.fromkeys(names, 0)
        self._events: list[dict[str, Any]] = []

    def add(self, rows: Mapping[str, Offsets], documents: Offsets) -> None:
        """Add rows of scored documents; ``documents`` says of each scored one how many had come by then."""
        for name, some in rows.items():
            if len(some):
                if not self.counts[name]:
                    event = {"event": "scores not finite", "learner": name, "document": int(documents[some[0]])}
                    self._events.append(event)
                self.counts[name] += len(some)

    def take_events(self) -> list[dict[str, Any]]:
        """Return the events since the last call: at the first such document of a learner."""
        events, self._events = self._events, []
        return events

    def save(self) -> State:
        """Return the counts."""
        return dict(self.counts)

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.counts |= {name: int(count) for name, count in state.items()}

"""The true labels of a stream beside a tree: those that it lacks, and sets without all their ancestors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Names, UsageError, in_order
from telex.learners.trees import ClosedSets
from telex.stream.sources.arrivals import Answers

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from telex.learners.base import Batch, Flags, State
    from telex.learners.trees import Tree
    from telex.stream.sources.arrivals import Arrivals

_SURE = 1_000
"""After this many label sets it is sure that the tree belongs to other labels."""
_SHOWN = 5


def check_ancestors(ancestors: str, tree: Tree | None) -> None:
    """Refuse what is neither ``keep`` nor ``close``, and ``close`` without a tree."""
    if ancestors not in {"keep", "close"}:
        raise UsageError(f"ancestors is {ancestors!r}; choose one of keep, close")
    if ancestors == "close" and tree is None:
        raise UsageError("ancestors=close needs the tree that has them; give a tree too, or leave it out")


class TreeLabels:
    """Looks at the labels of documents and answers as they come in; with ``close`` it closes their sets upwards.

    Closed sets are numbered in a table of its own. ``lacking`` are the labels that the tree lacks, in the order in
    which they came. ``documents`` counts the sets that were not closed, ``labels`` what they got.

    >>> from telex.learners.base import BatchBuilder
    >>> from telex.learners.trees import Tree
    >>> from telex.stream.sources import Arrivals
    >>> stream = BatchBuilder()
    >>> stream.add({}, ["gas", "sport"])
    >>> along = TreeLabels(Tree.of([("crude", "energy"), ("gas", "energy")]), close=True)
    >>> along.take(Arrivals(stream.take())).documents.labels_of(0)
    ['energy', 'gas', 'sport']
    >>> along.figures()
    {'not_in_tree': {'labels': 1, 'first': ['sport']}, 'ancestors': {'documents': 1, 'labels': 1}}
    """

    def __init__(self, tree: Tree, *, close: bool) -> None:
        self.tree = tree
        self.lacking: dict[Hashable, None] = {}  # an ordered set
        self.documents = self.labels = 0
        self._sets = ClosedSets(tree) if close else None
        self._grows = tree.separator is not None  # where labels are paths, the tree lacks none
        self._foreign, self._known = 0, self._grows
        self._source: Names | None = None
        self._met: Flags = np.zeros(0, np.bool_)

    def take(self, arrivals: Arrivals[Batch], *, counting: bool = True) -> Arrivals[Batch]:
        """Note the labels of documents and answers; return them, closed where sets are to be closed."""
        if not self._grows:
            self._note(arrivals)
        if self._sets is None:
            return arrivals
        batch, documents, labels = self._sets.close(arrivals.documents)
        given = arrivals.answers
        if len(given):
            sets: list[Sequence[Any] | None] = [None if one is None else self._sets.closed(one) for one in given.labels]
            more = [len(closed or ()) - len(set(one or ())) for closed, one in zip(sets, given.labels, strict=True)]
            documents, labels = documents + int(np.count_nonzero(more)), labels + sum(more)
            given = Answers(given.rows, given.ids, sets)
        if counting:
            self.documents += documents
            self.labels += labels
        return replace(arrivals, documents=batch, answers=given)

    def _note(self, arrivals: Arrivals[Batch]) -> None:
        """Note new labels in the order of the stream, however it is cut: answers come before the row that they name."""
        batch, answers = arrivals.documents, arrivals.answers
        labels = batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]]
        if batch.label_names is not self._source:
            self._source, self._met = batch.label_names, np.zeros(0, np.bool_)
        if (missing := int(labels.max(initial=-1)) + 1 - len(self._met)) > 0:
            self._met = np.append(self._met, np.zeros(missing, np.bool_))
        new = np.flatnonzero(~self._met[labels])
        if not (len(new) or len(answers)):
            return
        self._met[labels[new]] = True
        rows = np.searchsorted(batch.label_indptr - batch.label_indptr[0], new, side="right") - 1
        names = ((row, 1, batch.label_names[i]) for row, i in zip(rows.tolist(), labels[new].tolist(), strict=True))
        told = zip(answers.rows.tolist(), answers.labels, strict=True)
        answered = ((row, 0, name) for row, one in told for name in in_order(set(one or ())))
        found = sorted((one for one in (*names, *answered) if one[2] not in self.tree), key=lambda one: one[:2])
        self.lacking.update(dict.fromkeys(name for _, _, name in found))

    # -- a tree of other labels

    def end_of_doubt(self, arrivals: Arrivals[Batch]) -> int | None:
        """Return the row before which it gets sure that the tree belongs to other labels; None if it does not here."""
        if self._known:
            return None
        for row, labels in _sets_of(arrivals):
            if any(label in self.tree for label in labels):
                self._known = True
                return None
            self._foreign += 1
            if self._foreign == _SURE:
                return row
        return None

    def check_end(self) -> None:
        """Raise the error of a tree that belongs to other labels if the stream, which ends here, had no label of it."""
        if self._foreign and not self._known:
            raise self.error()

    def error(self) -> UsageError:
        """Return the error of a tree that belongs to other labels."""
        return UsageError(
            f"the tree has none of the stream's labels: the stream has {_some(self.lacking)}, the tree "
            f"{_some(self.tree.labels)}; give the tree of these labels, or none"
        )

    # -- what was found

    def figures(self) -> dict[str, Any]:
        """Return what was found, for summaries."""
        found: dict[str, Any] = {}
        if self.lacking:
            found["not_in_tree"] = {"labels": len(self.lacking), "first": list(self.lacking)[:_SHOWN]}
        if self._sets is not None:
            found["ancestors"] = {"documents": self.documents, "labels": self.labels}
        return found

    def save(self) -> State:
        """Return what was found, as plain data."""
        return {
            "lacking": Names(self.lacking).save(),
            "closed": [self.documents, self.labels],
            "foreign": self._foreign,
            "known": self._known,
            "names": None if self._sets is None else self._sets.names.save(),
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.lacking = dict.fromkeys(Names.of(state["lacking"]))
        self.documents, self.labels = map(int, state["closed"])
        self._foreign, self._known = int(state["foreign"]), bool(state["known"])
        if self._sets is not None:
            self._sets = ClosedSets(self.tree, Names.of(state["names"]))


def _sets_of(arrivals: Arrivals[Batch]) -> Iterator[tuple[int, Sequence[Hashable]]]:
    """Yield the label sets that are not empty, in the order of the stream, each with the row behind it."""
    batch, answers = arrivals.documents, arrivals.answers
    found: list[tuple[int, int, Sequence[Hashable]]] = [
        (row, 1, batch.labels_of(row)) for row in np.flatnonzero(np.diff(batch.label_indptr)).tolist()
    ]
    found += [(row, 0, one) for row, one in zip(answers.rows.tolist(), answers.labels, strict=True) if one]
    for row, behind, labels in sorted(found, key=lambda one: one[:2]):
        yield row + behind, labels


def _some(names: Iterable[Hashable]) -> str:
    every = list(names)
    return ", ".join(map(repr, every[:_SHOWN])) + (", ..." if len(every) > _SHOWN else "")

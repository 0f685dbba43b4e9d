"""A tree of labels."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import InputError, Names

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from telex.learners.base import Ids

_DEEPEST = 1_000
"""How many levels a tree may have: what goes along it takes a step a level."""


@dataclass(frozen=True)
class Tree:
    """Labels with their parents; several roots are allowed, as if they hung under a node that every document has.

    ``labels`` are the nodes, each after its parent. ``parents`` has the place of each node's parent, -1 for a root.
    :meth:`of` makes one from pairs in any order.

    >>> tree = Tree.of([("crude", "energy"), ("energy", None), ("gas", "energy"), ("sport", None)])
    >>> tree.labels, tree.parents.tolist()
    (('energy', 'sport', 'crude', 'gas'), [-1, -1, 0, 0])
    >>> tree.closed(["gas", "unknown"]), tree.is_closed(["gas"])
    (['gas', 'unknown', 'energy'], False)
    """

    labels: tuple[Hashable, ...]
    parents: Ids
    separator: str | None = None
    """Where labels are paths, such as economy/trade: what divides them. The parent of a new label is then its path."""

    @classmethod
    def of(cls, edges: Iterable[tuple[Hashable, Hashable | None]]) -> Tree:
        """Return the tree of pairs (label, parent); the parent of a root is None.

        A parent without a pair of its own is a root. Pairs that contradict each other, or go round in a circle, raise
        an InputError, and so does a tree of more than 1,000 levels.
        """
        parent: dict[Hashable, Hashable | None] = {}
        mentioned: dict[Hashable, None] = {}
        for label, above in edges:
            mentioned.update(dict.fromkeys([label] if above is None else [above, label]))
            if parent.setdefault(label, above) != above:
                raise InputError(
                    f"the label {label!r} has two parents in the tree, {parent[label]!r} and {above!r}; keep one"
                )
        children: dict[Hashable | None, list[Hashable]] = {}
        for label in mentioned:
            children.setdefault(parent.get(label), []).append(label)
        order = list(children.get(None, ()))
        for label in order:  # grows meanwhile
            order += children.get(label, ())
        if len(order) < len(mentioned):
            raise InputError(f"the tree goes round in a circle: {_circle(parent, set(order))}; cut it open")
        if not order:
            raise InputError("the tree has no label; give at least one")
        place = {label: i for i, label in enumerate(order)}
        above_of = (parent.get(label) for label in order)
        tree = cls(tuple(order), np.array([-1 if one is None else place[one] for one in above_of], np.int32))
        if len(tree.levels) > _DEEPEST:
            raise InputError(
                f"the tree has {len(tree.levels):,} levels, down to {order[-1]!r}, and at most {_DEEPEST:,} can be; "
                "check the parents"
            )
        return tree

    @classmethod
    def empty(cls) -> Tree:
        """Return a tree without labels: each that joins is a root."""
        return cls((), np.zeros(0, np.int32))

    @classmethod
    def of_paths(cls, separator: str) -> Tree:
        """Return a tree without labels, for labels that are paths.

        >>> Tree.of_paths("/").with_labels(["economy/trade/oil"]).labels
        ('economy', 'economy/trade', 'economy/trade/oil')
        """
        if not separator:
            raise InputError("the separator of paths is empty; give one, such as /")
        return cls((), np.zeros(0, np.int32), separator)

    def __len__(self) -> int:
        return len(self.labels)

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_lists, (self.labels, self.parents.tolist(), self.separator)  # equal trees, equal bytes

    def __bool__(self) -> bool:
        return True  # also without labels, as a tree of paths is at first

    def __contains__(self, label: object) -> bool:
        return label in self.place

    @cached_property
    def place(self) -> dict[Hashable, int]:
        """The place of each label."""
        return {label: i for i, label in enumerate(self.labels)}

    @cached_property
    def levels(self) -> tuple[Ids, ...]:
        """The places of the nodes at each depth, the roots first."""
        depths: list[int] = []
        for parent in self.parents.tolist():
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        order = np.argsort(depths, kind="stable").astype(np.int32)
        return tuple(np.split(order, np.cumsum(np.bincount(depths))[:-1])) if depths else ()

    @cached_property
    def _inner(self) -> frozenset[int]:
        return frozenset(self.parents.tolist())

    def parent(self, label: Hashable) -> Hashable | None:
        """Return the parent of a label, None for a root; a label that the tree lacks is a root, unless it is a path.

        >>> Tree.of([("crude", "energy")]).parent("crude"), Tree.of_paths("/").parent("economy/trade")
        ('energy', 'economy')
        """
        place = self.place.get(label, -1)
        if place < 0:
            return self._path_above(label)
        above = int(self.parents[place])
        return None if above < 0 else self.labels[above]

    def may_have_children(self, label: Hashable) -> bool:
        """Return whether a label has children, or is a path, of which longer ones may come.

        >>> Tree.of([("crude", "energy")]).may_have_children("crude"), Tree.of_paths("/").may_have_children("economy")
        (False, True)
        """
        return self.place.get(label, -2) in self._inner or (self.separator is not None and isinstance(label, str))

    def path(self, label: Hashable) -> list[Hashable]:
        """Return the label and its ancestors, the root last; a label that the tree lacks is its own root.

        >>> Tree.of([("crude", "energy")]).path("crude")
        ['crude', 'energy']
        """
        place = self.place.get(label, -1)
        found = [label] if place < 0 else []
        while place >= 0:
            found.append(self.labels[place])
            place = int(self.parents[place])
        return found

    def closed(self, labels: Iterable[Hashable]) -> list[Hashable]:
        """Return the labels, and the ancestors that are missing among them."""
        given = list(labels)
        return list(dict.fromkeys([*given, *(above for label in given for above in self.path(label)[1:])]))

    def is_closed(self, labels: Iterable[Hashable]) -> bool:
        """Return whether each label comes with its parent."""
        given = set(labels)
        return all(one in given for label in given for one in self.path(label)[1:2])

    def with_labels(self, labels: Iterable[Hashable]) -> Tree:
        """Return the tree with labels that it lacks: where labels are paths with their ancestors, else as roots.

        It is the same tree if it has them all. The nodes that were there keep their places. A path of more than 1,000
        parts is a root.
        """
        new = [label for label in labels if label not in self.place]
        if not new:
            return self
        place, names, parents = dict(self.place), list(self.labels), self.parents.tolist()
        for label in new:
            for one in self._missing(label, place):
                above = self._path_above(one)
                parents.append(-1 if above is None else place[above])
                place[one] = len(names)
                names.append(one)
        return Tree(tuple(names), np.array(parents, np.int32), self.separator)

    def _missing(self, label: Hashable, place: Mapping[Hashable, int]) -> list[Hashable]:
        """Return the label and those of its ancestors that have no place, the highest first."""
        found: list[Hashable] = []
        one: Hashable | None = label
        while one is not None and one not in place:
            found.append(one)
            one = self._path_above(one)
        return found[::-1]

    def _path_above(self, label: Hashable) -> str | None:
        if self.separator is None or not isinstance(label, str) or label.count(self.separator) >= _DEEPEST:
            return None
        return label.rpartition(self.separator)[0] or None

    def only(self, labels: Iterable[Hashable]) -> Tree:
        """Return the tree of these labels and their ancestors, in the same order.

        >>> Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)]).only(["gas"]).labels
        ('energy', 'gas')
        """
        wanted = set(self.closed(labels))
        kept = np.array([label in wanted for label in self.labels], np.bool_)
        place = np.append(np.cumsum(kept) - 1, -1)  # the last for the parent of a root
        names = tuple(label for label in self.labels if label in wanted)
        return Tree(names, place[self.parents[kept]].astype(np.int32), self.separator)

    def digest(self) -> str:
        """Return a short text that only equal trees have.

        >>> Tree.of([("crude", "energy")]).digest()
        '2 labels, 8af8bfc5847b8cd4'
        """
        text = json.dumps([list(map(str, self.labels)), self.parents.tolist(), self.separator])
        return f"{len(self):,} labels, {blake2b(text.encode(), digest_size=8).hexdigest()}"

    def save(self) -> dict[str, Any]:
        """Return the tree as plain data."""
        return {"labels": Names(self.labels).save(), "parents": self.parents.copy(), "separator": self.separator}

    @classmethod
    def load(cls, state: Mapping[str, Any]) -> Tree:
        """Restore what :meth:`save` returned.

        >>> Tree.load(Tree.of([("crude", "energy")]).save()).labels
        ('energy', 'crude')
        """
        named, separator = state["labels"], state.get("separator")
        labels = tuple(Names.of(named)) if isinstance(named, dict) else tuple(named)
        parents = np.asarray(state["parents"], np.int32)
        right = parents.shape == (len(labels),) == (len(set(labels)),) and isinstance(separator, (str, type(None)))
        if not right or (parents >= np.arange(len(parents))).any():
            raise InputError("a saved tree is not right; take another checkpoint")
        return cls(labels, np.where(parents < 0, -1, parents).astype(np.int32), separator)


def _of_lists(labels: tuple[Hashable, ...], parents: list[int], separator: str | None) -> Tree:
    return Tree(labels, np.array(parents, np.int32), separator)


def _circle(parent: Mapping[Hashable, Hashable | None], reached: set[Hashable]) -> str:
    """Return a circle among the labels that no root leads to, as text."""
    label: Any = next(label for label in parent if label not in reached)
    walked: list[Any] = []
    while label not in walked:
        walked.append(label)
        label = parent[label]
    circle = [*walked[walked.index(label) :], label]
    names = [repr(one) for one in (circle if len(circle) <= 6 else [*circle[:3], circle[-1]])]
    return " under ".join(names if len(circle) <= 6 else [*names[:3], "...", names[3]])

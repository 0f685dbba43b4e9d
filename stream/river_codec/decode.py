"""The decoder: from a state to objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from river.__version__ import __version__

from telex.learners.base import UsageError
from telex.stream.river_codec.allow_list import RefusedError, class_of
from telex.stream.river_codec.fill import FILLS
from telex.stream.river_codec.graph import Graph, NodeKind
from telex.stream.river_codec.make import EMPTY, MAKES, PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOT_MADE = object()
_RUNS: dict[int, slice] = {
    NodeKind.LIST: slice(0, 1),
    NodeKind.TUPLE: slice(0, 1),
    NodeKind.SET: slice(0, 1),
    NodeKind.FROZENSET: slice(0, 1),
    NodeKind.DEQUE: slice(1, 2),
    NodeKind.DICT: slice(0, 2),
    NodeKind.ORDERED: slice(0, 2),
    NodeKind.COUNTER: slice(0, 2),
    NodeKind.DEFAULT: slice(1, 3),
    NodeKind.PARTIAL: slice(1, 4),
    NodeKind.OBJECT: slice(1, 2),
    NodeKind.VECTOR: slice(2, 4),
}
"""Which parts of a node, by its kind, are numbers of runs."""
_NODES: dict[int, int] = {
    NodeKind.RANDOM: 0,
    NodeKind.RANDOM_STATE: 0,
    NodeKind.DEFAULT: 0,
    NodeKind.PARTIAL: 0,
    NodeKind.METHOD: 1,
    NodeKind.VECTOR: 1,
    NodeKind.OBJECT: 2,
    NodeKind.COMPILED: 2,
}
"""Which part of a node, by its kind, is the number of another node."""


def decode(state: Mapping[str, Any]) -> Any:
    """Return the object that was given to :func:`encode`; a UsageError says that the state is broken or foreign."""
    try:
        theirs = state["river"]
        if theirs == __version__:
            return Decoder(Graph.of(state)).root()
    except BaseException as error:
        # A foreign state may cause any exception in river's code, and a panic in its compiled part.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        why = str(error) if isinstance(error, RefusedError) else f"{type(error).__name__}: {error}"
        raise UsageError(f"a saved object of river is broken or foreign ({why}); take another checkpoint") from error
    raise UsageError(
        f"this was saved by river {theirs}, but river {__version__} is here; install river=={theirs}, or start anew"
    )


class Decoder:
    """Makes all objects empty first, and then fills them, so that objects may contain each other in circles."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.objects: list[Any] = [_NOT_MADE] * len(graph.kinds)
        self.weight: dict[int, tuple[int, int]] = {}

    def root(self) -> Any:
        """Make all objects; return the root."""
        nodes = self._reached()
        for node in nodes:
            self._make(node)
        # Attributes come before sets and dicts, which may hash by them; objects that check their state come last.
        for fills in FILLS:
            for node in nodes:
                if fill := fills.get(self.graph.kinds[node]):
                    fill(self, node)
        return self.objects[self.graph.root]

    def items(self, run: int) -> list[Any]:
        """Return the items of a run."""
        graph = self.graph
        kind = graph.kinds[run]
        if kind == NodeKind.NODES:
            return [self.objects[node] for node in graph.parts_of(run)]
        if kind == NodeKind.FLOATS:
            return graph.reals_of(run)
        if kind == NodeKind.INTS:
            return graph.parts_of(run)
        if kind == NodeKind.TEXTS:
            return [graph.text(place) for place in graph.parts_of(run)]
        raise RefusedError("a container without a run")

    def pairs(self, keys: int, values: int) -> dict[Any, Any]:
        """Return the dict of a run of keys and a run of values."""
        names = self.items(keys)
        pairs = dict(zip(names, self.items(values), strict=True))
        if len(pairs) != len(names):
            raise RefusedError("the same key twice")
        return pairs

    def class_of(self, node: int) -> type[Any]:
        """Return the class of an object."""
        return class_of(self.graph.text(self.graph.parts_of(node)[0]))

    def arguments(self, node: int) -> tuple[Any, ...]:
        """Return the arguments with which an object is made."""
        return tuple(self.items(self.graph.parts_of(node)[1]))

    # -- what holds what

    def _reached(self) -> list[int]:
        root = self.graph.value(self.graph.root)
        nodes, known = [root], {root}
        for node in nodes:  # the list grows as it is walked
            new = [inner for inner in dict.fromkeys(self._inside(node)) if inner not in known]
            known.update(new)
            nodes += new
        return nodes

    def _inside(self, node: int) -> list[int]:
        graph, kind = self.graph, self.graph.kinds[node]
        runs, place = _RUNS.get(kind, slice(0, 0)), _NODES.get(kind)
        parts = graph.parts_of(node, max(runs.stop, -1 if place is None else place + 1))
        nodes = [inner for run in parts[runs] for inner in self.inner(run)]
        return nodes if place is None else [*nodes, graph.value(parts[place])]

    def inner(self, run: int) -> list[int]:
        """Return the nodes in a run; a run of numbers or texts has none."""
        graph = self.graph
        if not 0 <= run < len(graph.kinds):
            raise RefusedError("a node refers to one that is not there")
        return [graph.value(node) for node in graph.parts_of(run)] if graph.kinds[run] == NodeKind.NODES else []

    def _before(self, node: int) -> list[int]:
        """Return the nodes whose objects must exist before a node's object can be made."""
        kind = self.graph.kinds[node]
        if kind in {NodeKind.TUPLE, NodeKind.FROZENSET, NodeKind.PARTIAL, NodeKind.METHOD}:
            return self._inside(node)
        if kind in {NodeKind.DEFAULT, NodeKind.VECTOR}:
            return [self.graph.parts_of(node)[_NODES[kind]]]
        return self.inner(self.graph.parts_of(node)[1]) if kind == NodeKind.OBJECT else []

    # -- objects made empty, or whole if they are immutable

    def _make(self, node: int) -> None:
        waiting, begun = [node], set[int]()
        while waiting:
            one = waiting[-1]
            if self.objects[one] is not _NOT_MADE:
                waiting.pop()
                continue
            missing = [inner for inner in self._before(one) if self.objects[inner] is _NOT_MADE]
            if not missing:
                self.objects[waiting.pop()] = self._new(one)
            elif one in begun or not begun.isdisjoint(missing):
                raise RefusedError("an object that must exist before itself")
            else:
                begun.add(one)
                waiting += missing

    def _new(self, node: int) -> Any:
        graph, kind = self.graph, self.graph.kinds[node]
        if kind in EMPTY:
            return EMPTY[kind]()
        if kind in PARTS:
            return PARTS[kind](graph, graph.parts_of(node, 1)[0])
        return MAKES[kind](self, node)

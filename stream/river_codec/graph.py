"""The graph of objects, stored in a handful of arrays."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Strings
from telex.stream.river_codec.allow_list import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Bytes, Offsets


class NodeKind(IntEnum):
    """The kind of a node, which says what its parts are: numbers of nodes, plain numbers, or places of texts and bytes.

    A run (NODES, FLOATS, INTS, TEXTS) holds the items of a container; if all are numbers or texts, they need no nodes.
    The list ["a", "b"] is a node LIST with the part r, where r is a node TEXTS with the places of "a" and "b".
    """

    NONE, FALSE, TRUE, INT, BIG, FLOAT, TEXT, BYTES = range(8)
    NODES, FLOATS, INTS, TEXTS = range(8, 12)
    LIST, TUPLE, SET, FROZENSET, DEQUE, DICT, ORDERED, COUNTER, DEFAULT = range(12, 21)
    ARRAY, SCALAR, RANDOM, RANDOM_STATE = range(21, 25)
    NAMED, METHOD, PARTIAL, OBJECT, COMPILED, VECTOR = range(25, 31)


RUNS = frozenset({NodeKind.NODES, NodeKind.FLOATS, NodeKind.INTS, NodeKind.TEXTS})


class GraphBuilder:
    """Collects nodes; a node gets its number before its parts need be known."""

    def __init__(self) -> None:
        self._kinds, self._starts, self._sizes, self._parts = array("B"), array("q"), array("q"), array("q")
        self._texts: dict[str, int] = {}
        self._bytes: list[bytes] = []

    def node(self, kind: NodeKind, *parts: int) -> int:
        """Add a node and return its number."""
        self._kinds.append(kind)
        self._starts.append(len(self._parts))
        self._sizes.append(len(parts))
        self._parts.extend(parts)
        return len(self._kinds) - 1

    def settle(self, node: int, kind: NodeKind, *parts: int) -> None:
        """Set the kind and the parts of a node that was added before."""
        self._kinds[node], self._starts[node], self._sizes[node] = kind, len(self._parts), len(parts)
        self._parts.extend(parts)

    def text(self, text: str) -> int:
        """Add a text once, and return its place."""
        return self._texts.setdefault(text, len(self._texts))

    def bytes(self, data: bytes) -> int:
        """Add bytes, and return their place."""
        self._bytes.append(data)
        return len(self._bytes) - 1

    def state(self, root: int) -> dict[str, Any]:
        """Return the graph as a state of plain arrays."""
        texts = Strings.of(self._texts)
        ends = np.zeros(len(self._bytes) + 1, np.int64)
        np.cumsum([len(one) for one in self._bytes], out=ends[1:])
        return {
            "root": root,
            "kinds": np.frombuffer(self._kinds, np.uint8),
            "starts": np.frombuffer(self._starts, np.int64),
            "sizes": np.frombuffer(self._sizes, np.int64),
            "parts": np.frombuffer(self._parts, np.int64) if self._parts else np.zeros(0, np.int64),
            "texts": texts.data,
            "text_offsets": texts.offsets,
            "bytes": np.frombuffer(b"".join(self._bytes), np.uint8),
            "byte_offsets": ends,
        }


@dataclass(frozen=True, slots=True)
class Graph:
    """The nodes of a state; each number is checked against its bounds when it is read."""

    root: int
    kinds: list[int]
    starts: list[int]
    sizes: list[int]
    parts: Offsets
    texts: list[str]
    data: Bytes
    offsets: list[int]

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Graph:
        """Read a state, and check the types and sizes of its arrays."""
        kinds, starts, sizes, parts = (
            _array(state, "kinds", np.uint8),
            *(_array(state, name, np.int64) for name in ("starts", "sizes", "parts")),
        )
        n, root = len(kinds), state["root"]
        if not (len(starts) == len(sizes) == n) or type(root) is not int or not 0 <= root < n:
            raise RefusedError("its nodes do not fit together")
        if kinds.max(initial=0) >= len(NodeKind) or starts.min(initial=0) < 0 or sizes.min(initial=0) < 0:
            raise RefusedError("its nodes do not fit together")
        if (starts > len(parts) - sizes).any() or sizes.max(initial=0) > len(parts):
            raise RefusedError("its nodes do not fit together")
        texts, data = _array(state, "texts", np.uint8), _array(state, "bytes", np.uint8)
        return cls(
            root,
            kinds.tolist(),
            starts.tolist(),
            sizes.tolist(),
            parts,
            list(Strings(texts, _offsets(state, "text_offsets", texts))),
            data,
            _offsets(state, "byte_offsets", data).tolist(),
        )

    def parts_of(self, node: int, least: int = 0) -> list[int]:
        """Return the parts of a node; refuse one with fewer than ``least``."""
        size = self.sizes[node]
        if size < least:
            raise RefusedError("a node lacks parts")
        parts: list[int] = self.parts[self.starts[node] : self.starts[node] + size].tolist()
        return parts

    def reals_of(self, node: int) -> list[float]:
        """Return the parts of a node of FLOATS, which are stored as their bits."""
        bits = self.parts[self.starts[node] : self.starts[node] + self.sizes[node]]
        reals: list[float] = bits.view(np.float64).tolist()
        return reals

    def value(self, node: int) -> int:
        """Return the number of a node if it is a value and no run; refuse others."""
        if not 0 <= node < len(self.kinds) or self.kinds[node] in RUNS:
            raise RefusedError("a node refers to one that is not there")
        return node

    def text(self, place: int) -> str:
        """Return the text at a place."""
        if not 0 <= place < len(self.texts):
            raise RefusedError("a text is missing")
        return self.texts[place]

    def bytes(self, place: int) -> bytes:
        """Return the bytes at a place."""
        if not 0 <= place < len(self.offsets) - 1:
            raise RefusedError("bytes are missing")
        return self.data[self.offsets[place] : self.offsets[place + 1]].tobytes()


def _array(state: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    found = state[name]
    if not isinstance(found, np.ndarray) or found.dtype != kind or found.ndim != 1:
        raise RefusedError(f"its {name} are not numbers of the right type")
    return np.ascontiguousarray(found)


def _offsets(state: Mapping[str, Any], name: str, data: Bytes) -> Any:
    found = _array(state, name, np.int64)
    if not len(found) or found[0] != 0 or found[-1] != len(data) or (np.diff(found) < 0).any():
        raise RefusedError(f"its {name} do not ascend")
    return found

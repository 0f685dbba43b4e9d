"""Objects as nodes of a graph, which is a handful of arrays."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.strings import Strings
from telex.stream.plain.allowed import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.arrays import Bytes, Offsets


class Kind(IntEnum):
    """What a node is, and what its parts are: nodes, numbers, or places of texts and bytes.

    Runs hold the items of containers: of numbers and texts alone without a node for each.
    """

    NONE, FALSE, TRUE, INT, BIG, FLOAT, TEXT, BYTES = range(8)
    NODES, FLOATS, INTS, TEXTS = range(8, 12)
    LIST, TUPLE, SET, FROZENSET, DEQUE, DICT, ORDERED, COUNTER, DEFAULT = range(12, 21)
    ARRAY, SCALAR, RANDOM, RANDOM_STATE = range(21, 25)
    NAMED, METHOD, PARTIAL, OBJECT, COMPILED, VECTOR = range(25, 31)


RUNS = frozenset({Kind.NODES, Kind.FLOATS, Kind.INTS, Kind.TEXTS})


class GraphBuilder:
    """Takes nodes; a node may be numbered before its parts are known."""

    def __init__(self) -> None:
        self._kinds, self._starts, self._sizes, self._parts = array("B"), array("q"), array("q"), array("q")
        self._texts: dict[str, int] = {}
        self._bytes: list[bytes] = []

    def node(self, kind: Kind, *parts: int) -> int:
        """Add a node and return its number."""
        self._kinds.append(kind)
        self._starts.append(len(self._parts))
        self._sizes.append(len(parts))
        self._parts.extend(parts)
        return len(self._kinds) - 1

    def settle(self, node: int, kind: Kind, *parts: int) -> None:
        """Say what a node is that was numbered before."""
        self._kinds[node], self._starts[node], self._sizes[node] = kind, len(self._parts), len(parts)
        self._parts.extend(parts)

    def text(self, text: str) -> int:
        """Return the place of a text."""
        return self._texts.setdefault(text, len(self._texts))

    def bytes(self, data: bytes) -> int:
        """Return the place of bytes."""
        self._bytes.append(data)
        return len(self._bytes) - 1

    def state(self, root: int) -> dict[str, Any]:
        """Return everything as a state."""
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
    """The nodes of a state, all of whose numbers are within bounds where they are read."""

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
        """Read a state, having looked at the form of all that it holds."""
        kinds, starts, sizes, parts = (
            _array(state, "kinds", np.uint8),
            *(_array(state, name, np.int64) for name in ("starts", "sizes", "parts")),
        )
        n, root = len(kinds), state["root"]
        if not (len(starts) == len(sizes) == n) or type(root) is not int or not 0 <= root < n:
            raise Refused("its nodes do not fit together")
        if kinds.max(initial=0) >= len(Kind) or starts.min(initial=0) < 0 or sizes.min(initial=0) < 0:
            raise Refused("its nodes do not fit together")
        if (starts > len(parts) - sizes).any() or sizes.max(initial=0) > len(parts):
            raise Refused("its nodes do not fit together")
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
        """Return the parts of a node, of which there are so many at least."""
        size = self.sizes[node]
        if size < least:
            raise Refused("a node lacks parts")
        found: list[int] = self.parts[self.starts[node] : self.starts[node] + size].tolist()
        return found

    def reals_of(self, node: int) -> list[float]:
        """Return the parts of a node, which are the bits of numbers."""
        bits = self.parts[self.starts[node] : self.starts[node] + self.sizes[node]]
        found: list[float] = bits.view(np.float64).tolist()
        return found

    def value(self, node: int) -> int:
        """Return the number of a node that is a value, and no run."""
        if not 0 <= node < len(self.kinds) or self.kinds[node] in RUNS:
            raise Refused("a node names what is none")
        return node

    def text(self, place: int) -> str:
        """Return a text."""
        if not 0 <= place < len(self.texts):
            raise Refused("a text is not there")
        return self.texts[place]

    def bytes(self, place: int) -> bytes:
        """Return bytes."""
        if not 0 <= place < len(self.offsets) - 1:
            raise Refused("bytes are not there")
        return self.data[self.offsets[place] : self.offsets[place + 1]].tobytes()


def _array(state: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    found = state[name]
    if not isinstance(found, np.ndarray) or found.dtype != kind or found.ndim != 1:
        raise Refused(f"its {name} are no numbers of the right kind")
    return np.ascontiguousarray(found)


def _offsets(state: Mapping[str, Any], name: str, data: Bytes) -> Any:
    found = _array(state, name, np.int64)
    if not len(found) or found[0] != 0 or found[-1] != len(data) or (np.diff(found) < 0).any():
        raise Refused(f"its {name} do not ascend")
    return found

"""The first half of decoding: objects are made empty, or whole if they are immutable."""

from __future__ import annotations

import collections
import functools
import random
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.stream.river_codec import compiled_parts as compiled
from telex.stream.river_codec.allow_list import Refused, bound, named
from telex.stream.river_codec.array_parts import array_of
from telex.stream.river_codec.graph import Graph, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.stream.river_codec.decode import Decoder

_DEEPEST, _HEAVIEST = 50, 1_000_000
"""How deep tuples may be nested, and how many items they may hold in all: nothing else bounds the cost of a hash."""


def _tuple(decoder: Decoder, node: int) -> Any:
    run = decoder.graph.parts_of(node)[0]
    inside = [decoder.weight.get(inner, (1, 0)) for inner in decoder.inner(run)]
    weight = sum((one for one, _ in inside), decoder.graph.sizes[run])
    depth = 1 + max((deep for _, deep in inside), default=0)
    if weight > _HEAVIEST or depth > _DEEPEST:
        raise Refused("tuples nested too deep or too large")
    decoder.weight[node] = weight, depth
    items = decoder.items(run)
    return tuple(items) if decoder.graph.kinds[node] == Kind.TUPLE else frozenset(items)


def _deque(decoder: Decoder, node: int) -> Any:
    longest = decoder.graph.parts_of(node)[0]
    return collections.deque(maxlen=None if longest < 0 else longest)


def _default(decoder: Decoder, node: int) -> Any:
    return collections.defaultdict(decoder.made[decoder.graph.parts_of(node)[0]])


def _method(decoder: Decoder, node: int) -> Any:
    name, owner = decoder.graph.parts_of(node)[:2]
    return bound(decoder.graph.text(name), decoder.made[owner])


def _partial(decoder: Decoder, node: int) -> Any:
    function, arguments, keys, values = decoder.graph.parts_of(node)[:4]
    return functools.partial(decoder.made[function], *decoder.items(arguments), **decoder.pairs(keys, values))


def _object(decoder: Decoder, node: int) -> Any:
    cls, arguments = decoder.class_of(node), decoder.arguments(node)
    compiled.check_new(cls, arguments)
    return cls.__new__(cls, *arguments)


def _cython(decoder: Decoder, node: int) -> Any:
    return compiled.new_cython(decoder.class_of(node), decoder.graph.parts_of(node)[1])


def _vector(decoder: Decoder, node: int) -> Any:
    cls = decoder.class_of(node)
    if cls.__name__ != "VectorDict" or not compiled.is_rust(cls):
        raise Refused(f"{cls.__name__} cannot be made this way")
    return cls({}, decoder.made[decoder.graph.parts_of(node)[1]])


def _array(decoder: Decoder, node: int) -> Any:
    array = array_of(decoder.graph, node)
    return array if decoder.graph.kinds[node] == Kind.ARRAY else array[()]


EMPTY: dict[int, Callable[[], Any]] = {
    Kind.NONE: lambda: None,
    Kind.FALSE: lambda: False,
    Kind.TRUE: lambda: True,
    Kind.LIST: list,
    Kind.SET: set,
    Kind.DICT: dict,
    Kind.ORDERED: collections.OrderedDict,
    Kind.COUNTER: collections.Counter,
    Kind.RANDOM: random.Random,
    Kind.RANDOM_STATE: np.random.RandomState,
}
PARTS: dict[int, Callable[[Graph, int], Any]] = {
    Kind.INT: lambda _, part: part,
    Kind.BIG: lambda graph, part: int(graph.text(part), 16),
    Kind.FLOAT: lambda _, part: struct.unpack("d", struct.pack("q", part))[0],
    Kind.TEXT: Graph.text,
    Kind.BYTES: Graph.bytes,
    Kind.NAMED: lambda graph, part: named(graph.text(part)),
}
MAKES: dict[int, Callable[[Decoder, int], Any]] = {
    Kind.TUPLE: _tuple,
    Kind.FROZENSET: _tuple,
    Kind.DEQUE: _deque,
    Kind.DEFAULT: _default,
    Kind.METHOD: _method,
    Kind.PARTIAL: _partial,
    Kind.OBJECT: _object,
    Kind.COMPILED: _cython,
    Kind.VECTOR: _vector,
    Kind.ARRAY: _array,
    Kind.SCALAR: _array,
}

"""The first half of decoding: objects are made empty, or whole if they are immutable."""

from __future__ import annotations

import collections
import functools
import random
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.stream.river_codec import compiled_parts as compiled
from telex.stream.river_codec.allow_list import RefusedError, bind_method, find_named
from telex.stream.river_codec.array_parts import array_of
from telex.stream.river_codec.graph import Graph, NodeKind

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
        raise RefusedError("tuples nested too deep or too large")
    decoder.weight[node] = weight, depth
    items = decoder.items(run)
    return tuple(items) if decoder.graph.kinds[node] == NodeKind.TUPLE else frozenset(items)


def _deque(decoder: Decoder, node: int) -> Any:
    longest = decoder.graph.parts_of(node)[0]
    return collections.deque(maxlen=None if longest < 0 else longest)


def _default(decoder: Decoder, node: int) -> Any:
    return collections.defaultdict(decoder.objects[decoder.graph.parts_of(node)[0]])


def _method(decoder: Decoder, node: int) -> Any:
    name, owner = decoder.graph.parts_of(node)[:2]
    return bind_method(decoder.graph.text(name), decoder.objects[owner])


def _partial(decoder: Decoder, node: int) -> Any:
    function, arguments, keys, values = decoder.graph.parts_of(node)[:4]
    return functools.partial(decoder.objects[function], *decoder.items(arguments), **decoder.pairs(keys, values))


def _object(decoder: Decoder, node: int) -> Any:
    cls, arguments = decoder.class_of(node), decoder.arguments(node)
    compiled.check_new(cls, arguments)
    return cls.__new__(cls, *arguments)


def _cython(decoder: Decoder, node: int) -> Any:
    return compiled.new_cython(decoder.class_of(node), decoder.graph.parts_of(node)[1])


def _vector(decoder: Decoder, node: int) -> Any:
    cls = decoder.class_of(node)
    if cls.__name__ != "VectorDict" or not compiled.is_rust(cls):
        raise RefusedError(f"{cls.__name__} cannot be made this way")
    return cls({}, decoder.objects[decoder.graph.parts_of(node)[1]])


def _array(decoder: Decoder, node: int) -> Any:
    array = array_of(decoder.graph, node)
    return array if decoder.graph.kinds[node] == NodeKind.ARRAY else array[()]


EMPTY: dict[int, Callable[[], Any]] = {
    NodeKind.NONE: lambda: None,
    NodeKind.FALSE: lambda: False,
    NodeKind.TRUE: lambda: True,
    NodeKind.LIST: list,
    NodeKind.SET: set,
    NodeKind.DICT: dict,
    NodeKind.ORDERED: collections.OrderedDict,
    NodeKind.COUNTER: collections.Counter,
    NodeKind.RANDOM: random.Random,
    NodeKind.RANDOM_STATE: np.random.RandomState,
}
PARTS: dict[int, Callable[[Graph, int], Any]] = {
    NodeKind.INT: lambda _, part: part,
    NodeKind.BIG: lambda graph, part: int(graph.text(part), 16),
    NodeKind.FLOAT: lambda _, part: struct.unpack("d", struct.pack("q", part))[0],
    NodeKind.TEXT: Graph.text,
    NodeKind.BYTES: Graph.bytes,
    NodeKind.NAMED: lambda graph, part: find_named(graph.text(part)),
}
MAKES: dict[int, Callable[[Decoder, int], Any]] = {
    NodeKind.TUPLE: _tuple,
    NodeKind.FROZENSET: _tuple,
    NodeKind.DEQUE: _deque,
    NodeKind.DEFAULT: _default,
    NodeKind.METHOD: _method,
    NodeKind.PARTIAL: _partial,
    NodeKind.OBJECT: _object,
    NodeKind.COMPILED: _cython,
    NodeKind.VECTOR: _vector,
    NodeKind.ARRAY: _array,
    NodeKind.SCALAR: _array,
}

"""The encoder: from objects to a state."""

from __future__ import annotations

import collections
import copyreg
import functools
import random
import struct
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import numpy as np
from river.__version__ import __version__

from telex.learners.base import UsageError
from telex.stream.river_codec.allow_list import RefusedError, method_name, name_of, unpickler
from telex.stream.river_codec.array_parts import array_parts
from telex.stream.river_codec.compiled_parts import check_new
from telex.stream.river_codec.graph import GraphBuilder, NodeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    _Node = tuple[NodeKind, Iterable[int]]

_INT64 = range(-(1 << 63), 1 << 63)
_SINGLETONS = {None: NodeKind.NONE, False: NodeKind.FALSE, True: NodeKind.TRUE}
_CONTAINERS: dict[type[Any], NodeKind] = {
    list: NodeKind.LIST,
    tuple: NodeKind.TUPLE,
    set: NodeKind.SET,
    frozenset: NodeKind.FROZENSET,
}
_DICTS: dict[type[Any], NodeKind] = {
    dict: NodeKind.DICT,
    collections.OrderedDict: NodeKind.ORDERED,
    collections.Counter: NodeKind.COUNTER,
}


def encode(thing: Any) -> dict[str, Any]:
    """Return an object of river, or a container of such objects, as a state.

    A UsageError names what is not on the allow list. The object does not change. Parts that it shares with objects
    outside are not shared with them after decoding.
    """
    try:
        return {"river": __version__, **_Encoder().state(thing)}
    except _NotSavableError as error:
        raise UsageError(
            f"{error} cannot be stored in a checkpoint; run without --checkpoint-every, or choose another learner"
        ) from error


class _NotSavableError(Exception):
    """An object cannot be saved; the message names it and its owner."""


class _Encoder:
    """Numbers objects when it first sees them and visits their parts later, so that deep objects need no deep stack."""

    def __init__(self) -> None:
        self.graph = GraphBuilder()
        self._scalars: dict[Any, int] = {}
        self._seen: dict[int, int] = {}
        self._alive: list[Any] = []
        self._waiting: list[tuple[int, Any, str]] = []
        self._owner = ""

    def state(self, thing: Any) -> dict[str, Any]:
        root = self.node(thing)
        while self._waiting:
            node, one, self._owner = self._waiting.pop()
            try:
                kind, parts = self._parts(one)
            except RefusedError as refused:
                raise _NotSavableError(_sentence(one, self._owner, refused)) from refused
            self.graph.settle(node, kind, *parts)
        return self.graph.state(root)

    def node(self, value: Any) -> int:
        kind = type(value)
        if kind in {int, float, str, bool, type(None)}:
            # Floats by their bits: -0.0 equals 0.0, and NaN equals nothing.
            key = (kind, struct.pack("d", value) if kind is float else value)
            node = self._scalars.get(key)
            if node is None:
                node = self._scalars[key] = self._scalar(value)
            return node
        node = self._seen.get(id(value))
        if node is None:
            node = self._seen[id(value)] = self.graph.node(NodeKind.NONE)
            self._alive.append(value)  # while it lives, no other object can get its id
            self._waiting.append((node, value, self._owner))
        return node

    def _scalar(self, value: Any) -> int:
        graph = self.graph
        if isinstance(value, str):
            return graph.node(NodeKind.TEXT, graph.text(value))
        if isinstance(value, float):
            return graph.node(NodeKind.FLOAT, *struct.unpack("q", struct.pack("d", value)))
        if value is None or isinstance(value, bool):
            return graph.node(_SINGLETONS[value])
        return graph.node(NodeKind.INT, value) if value in _INT64 else graph.node(NodeKind.BIG, graph.text(hex(value)))

    def run(self, values: Iterable[Any]) -> int:
        items = list(values)
        kinds = set(map(type, items))
        if kinds == {float}:
            return self.graph.node(NodeKind.FLOATS, *np.array(items, np.float64).view(np.int64).tolist())
        if kinds == {str}:
            parts = tuple(map(self.graph.text, items))
            key = (NodeKind.TEXTS, parts)  # shared: all objects of a class have the same attribute names
            if key not in self._scalars:
                self._scalars[key] = self.graph.node(NodeKind.TEXTS, *parts)
            return self._scalars[key]
        if kinds == {int} and all(item in _INT64 for item in items):
            return self.graph.node(NodeKind.INTS, *items)
        return self.graph.node(NodeKind.NODES, *map(self.node, items))

    def _parts(self, thing: Any) -> _Node:
        kind = type(thing)
        if kind in _CONTAINERS:
            return _CONTAINERS[kind], (self.run(thing),)
        if kind in _DICTS:
            return _DICTS[kind], (self.run(thing), self.run(thing.values()))
        if encoder := _ENCODERS.get(kind):
            return encoder(self, thing)
        if isinstance(thing, np.generic):
            return NodeKind.SCALAR, array_parts(self.graph, np.asarray(thing))
        if isinstance(thing, (type, FunctionType, BuiltinFunctionType)):
            return NodeKind.NAMED, (self.graph.text(name_of(thing)),)
        return self._object(thing)

    def _object(self, thing: Any) -> _Node:
        cls = type(thing)
        name = self.graph.text(name_of(cls))
        self._owner = cls.__name__
        make, given, state, items, pairs = (*thing.__reduce_ex__(2), None, None, None)[:5]
        if items is not None or pairs is not None:
            raise RefusedError("it is a special container")
        if make is vars(copyreg)["__newobj__"] and given[0] is cls:
            check_new(cls, given[1:])
            return NodeKind.OBJECT, (name, self.run(given[1:]), self.node(state))
        if make is unpickler(cls) and given[0] is cls:
            return NodeKind.COMPILED, (name, given[1], self.node(given[2] if state is None else state))
        if make is cls and cls.__name__ == "VectorDict" and given[2] is None:
            data, default = given[:2]
            return NodeKind.VECTOR, (name, self.node(default), self.run(data), self.run(data.values()))
        raise RefusedError("river makes it in a special way")


def _deque(encoder: _Encoder, thing: collections.deque[Any]) -> _Node:
    return NodeKind.DEQUE, (-1 if thing.maxlen is None else thing.maxlen, encoder.run(thing))


def _default(encoder: _Encoder, thing: collections.defaultdict[Any, Any]) -> _Node:
    return NodeKind.DEFAULT, (encoder.node(thing.default_factory), encoder.run(thing), encoder.run(thing.values()))


def _method(encoder: _Encoder, thing: MethodType) -> _Node:
    return NodeKind.METHOD, (encoder.graph.text(method_name(thing)), encoder.node(thing.__self__))


def _partial(encoder: _Encoder, thing: functools.partial[Any]) -> _Node:
    keys, values = encoder.run(thing.keywords), encoder.run(thing.keywords.values())
    return NodeKind.PARTIAL, (encoder.node(thing.func), encoder.run(thing.args), keys, values)


_ENCODERS: dict[type[Any], Callable[[_Encoder, Any], _Node]] = {
    collections.deque: _deque,
    collections.defaultdict: _default,
    MethodType: _method,
    functools.partial: _partial,
    bytes: lambda encoder, thing: (NodeKind.BYTES, (encoder.graph.bytes(thing),)),
    np.ndarray: lambda encoder, thing: (NodeKind.ARRAY, array_parts(encoder.graph, thing)),
    random.Random: lambda encoder, thing: (NodeKind.RANDOM, (encoder.node(thing.getstate()),)),
    np.random.RandomState: lambda encoder, thing: (
        NodeKind.RANDOM_STATE,
        (encoder.node(thing.get_state(legacy=False)),),
    ),
}


def _sentence(thing: Any, owner: str, refused: RefusedError) -> str:
    cls = thing if hasattr(thing, "__qualname__") else type(thing)
    whose = f" in {owner} of river" if owner and owner != cls.__qualname__ else ""
    return f"{cls.__module__}.{cls.__qualname__}{whose} ({refused})"

"""The second half of decoding: objects that were made empty get their contents."""

from __future__ import annotations

from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

from telex.stream.river_codec import compiled_parts as compiled
from telex.stream.river_codec.allow_list import RefusedError
from telex.stream.river_codec.graph import NodeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.stream.river_codec.decode import Decoder


def _extend(decoder: Decoder, node: int) -> None:
    run = decoder.graph.parts_of(node)[-1]
    decoder.objects[node].extend(decoder.items(run))


def _attributes(decoder: Decoder, node: int) -> None:
    """Set the attributes of an object; :func:`_itself` handles objects that have ``__setstate__``."""
    thing = decoder.objects[node]
    state = decoder.graph.parts_of(node)[2]
    if hasattr(thing, "__setstate__"):
        return
    kind = decoder.graph.kinds[state]
    own, slots = _halves(decoder, state) if kind == NodeKind.TUPLE else (state, None)
    if attributes := _names(decoder, own):
        vars(thing).update(attributes)
    for name, value in _names(decoder, slots).items():
        member = getattr(type(thing), name, None)
        if not isinstance(member, MemberDescriptorType):
            raise RefusedError(f"{type(thing).__name__} has no attribute {name!r}")
        member.__set__(thing, value)


def _halves(decoder: Decoder, state: int) -> tuple[int, int]:
    run = decoder.graph.parts_of(state)[0]
    halves = decoder.graph.parts_of(run)
    if decoder.graph.kinds[run] != NodeKind.NODES or len(halves) != 2:
        raise RefusedError("an object without attributes")
    return halves[0], halves[1]


def _names(decoder: Decoder, node: int | None) -> dict[str, Any]:
    """Return attributes by name; read them from the graph, as the dict itself is not filled yet."""
    kind = NodeKind.NONE if node is None else decoder.graph.kinds[node]
    if node is None or kind == NodeKind.NONE:
        return {}
    if kind != NodeKind.DICT:
        raise RefusedError("an object without attributes")
    attributes = decoder.pairs(*decoder.graph.parts_of(node)[:2])
    for name in attributes:
        if not isinstance(name, str) or not name.isidentifier() or (name.startswith("__") and name.endswith("__")):
            raise RefusedError(f"an attribute called {name!r}")
    return attributes


def _update(decoder: Decoder, node: int) -> None:
    decoder.objects[node].update(decoder.pairs(*decoder.graph.parts_of(node)[-2:]))


def _add(decoder: Decoder, node: int) -> None:
    decoder.objects[node].update(decoder.items(decoder.graph.parts_of(node)[0]))


def _itself(decoder: Decoder, node: int) -> None:
    thing, state = decoder.objects[node], decoder.objects[decoder.graph.parts_of(node)[2]]
    if compiled.is_rust(type(thing)):
        compiled.fill_rust(thing, state, decoder.arguments(node))
    elif hasattr(thing, "__setstate__"):
        thing.__setstate__(state)


def _fields(decoder: Decoder, node: int) -> None:
    compiled.fill_cython(decoder.objects[node], decoder.objects[decoder.graph.parts_of(node)[2]])


def _random(decoder: Decoder, node: int) -> None:
    decoder.objects[node].setstate(decoder.objects[decoder.graph.parts_of(node)[0]])


def _random_state(decoder: Decoder, node: int) -> None:
    decoder.objects[node].set_state(decoder.objects[decoder.graph.parts_of(node)[0]])


_Fills = dict[int, "Callable[[Decoder, int], None]"]
FILLS: tuple[_Fills, _Fills, _Fills] = (
    {NodeKind.LIST: _extend, NodeKind.DEQUE: _extend, NodeKind.OBJECT: _attributes},
    {
        NodeKind.SET: _add,
        NodeKind.DICT: _update,
        NodeKind.ORDERED: _update,
        NodeKind.COUNTER: _update,
        NodeKind.DEFAULT: _update,
        NodeKind.VECTOR: _update,
    },
    {
        NodeKind.OBJECT: _itself,
        NodeKind.COMPILED: _fields,
        NodeKind.RANDOM: _random,
        NodeKind.RANDOM_STATE: _random_state,
    },
)
"""The functions that fill objects, by kind, in three rounds."""

"""The codec of numpy's arrays and scalars."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.stream.river_codec.allow_list import RefusedError

if TYPE_CHECKING:
    from telex.stream.river_codec.graph import Graph, GraphBuilder

_PLAIN = re.compile(r"[<>|][biufcU]\d{1,6}", re.ASCII)


def array_parts(graph: GraphBuilder, array: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """Return the parts of a node that holds an array: type, order, bytes, shape."""
    if not _PLAIN.fullmatch(array.dtype.str):
        raise RefusedError(f"an array of {array.dtype}")
    # The memory order is stored too: the last bits of a matrix product may depend on it.
    order: Literal["F", "C"] = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    return graph.text(array.dtype.str), int(order == "F"), graph.bytes(array.tobytes(order)), *array.shape


def array_of(graph: Graph, node: int) -> np.ndarray[Any, Any]:
    """Return the array that a node holds."""
    text, fortran, place, *shape = graph.parts_of(node, 3)
    name, data = graph.text(text), graph.bytes(place)
    if not _PLAIN.fullmatch(name) or min(shape, default=0) < 0 or len(shape) > 32:
        raise RefusedError("an array of something else than plain numbers")
    kind = np.dtype(name)
    if kind.itemsize * math.prod(shape) != len(data) or not kind.itemsize:
        raise RefusedError("an array whose size is wrong")
    return np.frombuffer(data, kind).reshape(shape, order="F" if fortran else "C").copy("K")

"""The compiled parts of river: a wrong state ends the process or worse, so everything is checked before."""

from __future__ import annotations

import collections
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.stream.river_codec.allow_list import RefusedError, unpickler

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST = 1 << 20
"""The largest size with which a compiled object may be made: a foreign state could ask for all the memory."""


def is_rust(cls: type[Any]) -> bool:
    """Return whether objects of the class store themselves as bytes: since river 0.25, and its stats before."""
    return cls.__module__.startswith("river._river_rust.") or cls.__module__ == "river.stats._rust_stats"


def check_new(cls: type[Any], arguments: tuple[Any, ...]) -> None:
    """Refuse to call ``cls.__new__`` for a compiled class that is not known, or with a size that is too large."""
    if is_rust(cls):
        for one in arguments:
            if type(one) not in {int, float, bool} or (type(one) is int and not 0 <= one <= _MOST):
                raise RefusedError(f"made with {one!r}")
    elif not str(getattr(sys.modules[cls.__module__], "__file__", "")).endswith(".py"):
        raise RefusedError(f"{cls.__name__} cannot be made this way")


def fill_rust(thing: Any, state: Any, arguments: tuple[Any, ...]) -> None:
    """Load an object from bytes, and check that it gives the same bytes back."""
    if type(state) is not bytes:
        raise RefusedError(f"{type(thing).__name__} without bytes")
    thing.__setstate__(state)
    _, given, own = thing.__reduce_ex__(2)[:3]
    if repr(tuple(given[1:])) != repr(arguments) or own != state:
        raise RefusedError(f"{type(thing).__name__} of bytes that are not its own")


def new_cython(cls: type[Any], checksum: int) -> Any:
    """Return an empty object of a class that Cython compiled."""
    make = unpickler(cls)
    if make is None or cls.__name__ not in _CYTHON:
        raise RefusedError(f"{cls.__name__} cannot be made this way")
    return make(cls, checksum, None)


def fill_cython(thing: Any, state: Any) -> None:
    """Set the fields of an object; check their number and types, as Cython would read beyond their end."""
    _, given, *more = thing.__reduce_ex__(2)
    fields = more[0] if more else given[2]
    fits = type(state) is tuple and len(state) == len(fields)
    if not fits or not all(f is None or type(f) is type(s) for f, s in zip(fields, state, strict=True)):
        raise RefusedError(f"{type(thing).__name__} with other fields")
    if not _CYTHON[type(thing).__name__](state):
        raise RefusedError(f"{type(thing).__name__} with fields that do not fit together")
    thing.__setstate__(state)


def _is_bucket(state: tuple[Any, ...]) -> bool:
    held, size, *arrays = state
    return 0 <= held <= size + 1 and all(
        isinstance(one, np.ndarray) and one.dtype == np.float64 and one.shape == (size + 1,) for one in arrays
    )


def _is_window(state: tuple[Any, ...]) -> bool:
    buckets = state[-1].get("bucket_deque")
    return (
        type(buckets) is collections.deque
        and len(buckets) > 0
        and all(type(one).__qualname__ == "Bucket" and type(one).__module__ == "river.drift.adwin_c" for one in buckets)
    )


_CYTHON: dict[str, Callable[[tuple[Any, ...]], bool]] = {
    "AdaptiveWindowing": _is_window,
    "Bucket": _is_bucket,
    "VectorDict": lambda state: type(state[0]) is dict,
}

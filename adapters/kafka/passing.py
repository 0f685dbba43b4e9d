"""How what the fetching process tells comes to the other: megabytes of records, copied as seldom as can be."""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING, Any

from telex.adapters._records import receive

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LARGE = 1 << 15
"""Bytes from which on something is passed by itself; less is copied sooner."""


def pass_on(connection: Connection[Any, Any], told: object) -> None:
    """Write it; what is large in it goes behind the rest, as it is."""
    large: list[memoryview] = []

    def is_little(buffer: pickle.PickleBuffer) -> bool:
        data = buffer.raw()
        if data.nbytes >= _LARGE:
            large.append(data)
        return data.nbytes < _LARGE

    rest = pickle.dumps(told, 5, buffer_callback=is_little)
    connection.send_bytes(pickle.dumps(([data.nbytes for data in large], rest)))
    for data in large:
        while data:
            data = data[os.write(connection.fileno(), data) :]  # noqa: PLW2901 - what is left of it


def taken_in(connection: Connection[Any, Any]) -> Any:
    """Return what was passed on next; who lets go in the midst of it can take nothing in any more."""
    sizes, rest = pickle.loads(connection.recv_bytes())
    return pickle.loads(rest, buffers=[receive(connection.fileno(), size) for size in sizes])


def read_away(connection: Connection[Any, Any], seconds: float) -> bool:
    """Read something that nobody wants any more, so that the writer is not kept; tell whether there may be more."""
    try:
        return connection.poll(seconds) and bool(os.read(connection.fileno(), _LARGE))
    except (EOFError, OSError):
        return False

"""How messages pass from the fetching process to the stream: megabytes of records, with as few copies as possible."""

from __future__ import annotations

import os
import pickle
import socket
import struct
import time
from typing import TYPE_CHECKING, Any

from telex.adapters._records import receive

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LARGE = 1 << 15
"""Bytes from which a buffer is passed by itself; copying a smaller one is faster."""


def send_message(connection: Connection[Any, Any], message: object) -> None:
    """Write a message; its large buffers follow it, uncopied."""
    large: list[memoryview] = []

    def is_little(buffer: pickle.PickleBuffer) -> bool:
        data = buffer.raw()
        if data.nbytes >= _LARGE:
            large.append(data)
        return data.nbytes < _LARGE

    rest = pickle.dumps(message, 5, buffer_callback=is_little)
    connection.send_bytes(pickle.dumps(([data.nbytes for data in large], rest)))
    for data in large:
        while data:
            data = data[os.write(connection.fileno(), data) :]  # noqa: PLW2901 - what is left of it


def receive_message(connection: Connection[Any, Any]) -> Any:
    """Return the next message; a caller that is interrupted while it is read cannot read any more."""
    sizes, rest = pickle.loads(connection.recv_bytes())
    return pickle.loads(rest, buffers=[receive(connection.fileno(), size) for size in sizes])


def is_asked_to_stop(connection: Connection[Any, Any], seconds: float) -> bool:
    """Wait, and tell whether the other end asks to stop or is gone; other requests are discarded."""
    deadline = time.monotonic() + seconds
    while connection.poll(max(0.0, deadline - time.monotonic())):
        try:
            if pickle.loads(connection.recv_bytes()) == ("stop",):
                return True
        except (EOFError, OSError):
            return True
    return False


def limit_waits(connection: Connection[Any, Any], seconds: float) -> None:
    """Have a read or a write at this end fail with an error when the other end holds still amid it for so long."""
    with socket.socket(fileno=os.dup(connection.fileno())) as same:
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            same.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", int(seconds), int(seconds % 1 * 1e6)))


def discard_message(connection: Connection[Any, Any], seconds: float) -> bool:
    """Discard a message, so that the writer is not blocked; tell whether there may be more."""
    try:
        return connection.poll(seconds) and bool(os.read(connection.fileno(), _LARGE))
    except (EOFError, OSError):
        return False

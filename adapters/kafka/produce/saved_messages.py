"""Messages as arrays, for a checkpoint."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from telex.adapters.kafka.produce.messages import Message
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from telex.learners.base import State

encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


def to_arrays(encoded: Sequence[bytes]) -> State:
    """Return encoded messages as arrays.

    >>> message = Message("out", b"a", b"{}", 5, [], ("wire", 0, 7))
    >>> list(messages(from_arrays(to_arrays([encode(message)])))) == [message]
    True
    """
    sizes = np.array([len(one) for one in encoded], np.int64)
    return {"bytes": np.frombuffer(b"".join(encoded), np.uint8), "ends": np.cumsum(sizes)}


def from_arrays(state: State) -> list[bytes]:
    """Return the encoded messages that :func:`to_arrays` stored; the state may have more entries."""
    data, ends = np.asarray(state["bytes"], np.uint8).tobytes(), [0, *np.asarray(state["ends"], np.int64).tolist()]
    if ends != sorted(ends) or ends[-1] != len(data):
        raise _broken()
    return [data[start:stop] for start, stop in pairwise(ends)]


def messages(encoded: Iterable[bytes]) -> Iterator[Message]:
    """Decode messages one by one: as objects they are several times as large."""
    try:
        yield from map(_decode, encoded)
    except msgspec.MsgspecError as error:
        raise _broken() from error


def _broken() -> UsageError:
    return UsageError("the messages in the checkpoint cannot be read; resume from an earlier one")

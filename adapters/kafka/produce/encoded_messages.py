"""Messages as bytes, one behind the other: as they are stored, sent, and written into checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from telex.adapters.kafka.produce.messages import Message
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.learners.base import Bytes, Offsets, State

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Message).decode


@dataclass(frozen=True, slots=True, eq=False)
class EncodedMessages:
    """Messages in MessagePack; message k ends at ``ends[k]`` of ``data``.

    >>> message = Message("out", b"a", b"{}", 5, [], ("wire", 0, 7))
    >>> list(EncodedMessages.of([message])) == [message]
    True
    """

    data: Bytes
    ends: Offsets

    @classmethod
    def of(cls, messages: Iterable[Message]) -> EncodedMessages:
        """Encode messages."""
        encoded = [_encode(one) for one in messages]
        return cls(np.frombuffer(b"".join(encoded), np.uint8), np.cumsum([len(one) for one in encoded], dtype=np.int64))

    @classmethod
    def load(cls, state: State) -> EncodedMessages:
        """Return the messages that a checkpoint has."""
        data, ends = np.asarray(state["bytes"], np.uint8), np.asarray(state["ends"], np.int64)
        if len(data) != (ends[-1] if len(ends) else 0) or (np.diff(ends, prepend=0) < 0).any():
            raise _broken()
        return cls(data, ends)

    def save(self) -> State:
        """Return arrays for a checkpoint: these, not copies."""
        return {"bytes": self.data, "ends": self.ends}

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def size(self) -> int:
        """How many bytes they have."""
        return int(self.ends[-1]) if len(self.ends) else 0

    def __iter__(self) -> Iterator[Message]:
        """Decode them one by one: as objects they are several times as large."""
        data = self.data.data
        try:
            for begin, end in pairwise([0, *self.ends.tolist()]):
                yield _decode(data[begin:end])
        except msgspec.MsgspecError as error:
            raise _broken() from error

    def rows(self, start: int, stop: int) -> EncodedMessages:
        """Return the messages from ``start`` to ``stop``, without a copy of their bytes."""
        begin = int(self.ends[start - 1]) if start else 0
        ends = self.ends[start:stop]
        return EncodedMessages(self.data[begin : int(ends[-1]) if len(ends) else begin], ends - begin)

    def cut(self, most: int) -> Iterator[EncodedMessages]:
        """Yield the messages in pieces of at most ``most`` bytes, or of one message."""
        start = 0
        while start < len(self):
            before = int(self.ends[start - 1]) if start else 0
            stop = max(start + 1, int(np.searchsorted(self.ends, before + most, side="right")))
            yield self.rows(start, stop)
            start = stop


def saved_messages(state: State) -> list[EncodedMessages]:
    """Return the messages that a checkpoint has; one of an older Telex has them in one piece."""
    return [EncodedMessages.load(some) for some in state.get("blocks", [state])]


def _broken() -> UsageError:
    return UsageError("the messages in the checkpoint cannot be read; resume from an earlier one")

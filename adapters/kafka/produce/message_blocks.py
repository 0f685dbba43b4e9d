"""Messages in blocks of memory that goes back to the system as soon as it is free."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.kafka.produce.encoded_messages import EncodedMessages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import State

BLOCK = 1 << 20
"""The bytes of a block; a longer message has one to itself."""


class MessageBlocks:
    """Messages that wait, in the order in which they came.

    Each block is a mapping of its own: memory of the allocator stays with the process once something small lies behind
    it. A block that is begun is only added to, so what :meth:`rows` and :meth:`save` return stays as it is.

    >>> from telex.adapters.kafka.produce.messages import Message
    >>> blocks, message = MessageBlocks(), Message("out", b"a", b"{}", 5, [], ("wire", 0, 7))
    >>> blocks.add(EncodedMessages.of([message] * 3))
    >>> len(blocks), blocks.size, [len(some) for some in blocks.rows(1)]
    (3, 66, [2])
    """

    def __init__(self) -> None:
        self._blocks: list[EncodedMessages] = []  # the data of the last may have room
        self.size = self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, messages: EncodedMessages) -> None:
        """Copy messages to the end."""
        for some in messages.cut(BLOCK):
            if not self._blocks or some.size > len(self._blocks[-1].data) - self._blocks[-1].size:
                data = np.frombuffer(mmap.mmap(-1, max(BLOCK, some.size)), np.uint8)
                self._blocks.append(EncodedMessages(data, np.empty(0, np.int64)))
            last = self._blocks[-1]
            used = last.size
            last.data[used : used + some.size] = some.data
            self._blocks[-1] = EncodedMessages(last.data, np.concatenate([last.ends, some.ends + used]))
            self.size, self._count = self.size + some.size, self._count + len(some)

    def take(self, other: MessageBlocks) -> None:
        """Move the blocks of ``other`` to the end of these."""
        self._blocks += other._blocks
        self.size, self._count = self.size + other.size, self._count + other._count
        other.clear()

    def rows(self, start: int = 0) -> Iterator[EncodedMessages]:
        """Yield the messages from number ``start`` on, block by block."""
        for block in tuple(self._blocks):
            count = len(block)
            if start < count:
                yield block.rows(start, count)
            start = max(0, start - count)

    def clear(self) -> None:
        """Forget all; a block is freed once nothing that was returned refers to it."""
        self._blocks.clear()
        self.size = self._count = 0

    def save(self) -> list[State]:
        """Return the messages for a checkpoint, without a copy."""
        return [some.save() for some in self.rows()]

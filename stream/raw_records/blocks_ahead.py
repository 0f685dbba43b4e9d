"""Blocks of records with what several threads find in them before their turn."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from telex.learners.base import processors
from telex.stream.raw_records.raw_lines import RawLines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Item = TypeVar("Item")
Found = TypeVar("Found")

_MOST_THREADS = 4  # more would wait for the one that reads, and takes what they find
_ALONE = 1 << 20  # bytes at the beginning: a small file is read before a thread has begun
_TOGETHER = 1 << 19  # bytes of some blocks, which one thread has at a time: it takes a while to wake
_SPARE = 2  # times as much, beside what each thread has


@dataclass(eq=False, slots=True)
class _Group(Generic[Item, Found]):
    """Blocks that one thread has at a time, or an item that none is to look at."""

    items: list[Item]
    size: int = 0
    found: list[Found | None] | None = None
    future: Future[list[Found | None]] = field(default_factory=Future)

    def is_free(self) -> bool:
        """Tell whether no thread has begun, and keep them from it."""
        return self.found is None and self.future.cancel()


class BlocksAhead(Generic[Found]):
    r"""Has ``look`` called with the data of blocks on up to ``threads`` threads, on one a processor if that is None.

    Blocks come in their order, each with what ``look`` returned, or with None where nobody looked: at the first blocks,
    at dead letters, and at lines brought together from anywhere. The threads share about three megabytes of blocks, or
    one larger block; the caller's is one of them. ``look`` must let other threads run.

    An error of ``blocks`` is raised at its place. All before an empty block come at once. Closing the iterator, or
    dropping it, waits for the threads.

    >>> blocks = [RawLines(b"a\nb\n", "x", 1, 0), RawLines(b"c\n", "x", 3, 4)]
    >>> [(block.line, found) for block, found in BlocksAhead(len, threads=2, alone=1)(blocks)]
    [(1, None), (3, 2)]
    """

    def __init__(
        self,
        look: Callable[[bytes], Found],
        threads: int | None = None,
        *,
        alone: int = _ALONE,
        together: int = _TOGETHER,
    ) -> None:
        self._look, self._alone, self._together = look, alone, together
        self._others = min(_MOST_THREADS, processors() if threads is None else threads) - 1

    def __call__(self, blocks: Iterable[Item]) -> Iterator[tuple[Item, Found | None]]:
        """Yield the blocks; the threads start when there is enough for them."""
        if self._others < 1:
            yield from ((block, None) for block in blocks)
            return
        waiting = deque[_Group[Item, Found]]()
        groups, failed = self._groups(blocks), None
        pool = ThreadPoolExecutor(self._others, "parse")
        try:
            while failed is None:
                try:
                    group = next(groups)
                except Exception as error:  # raised when its turn comes; StopIteration is the end
                    failed, most = error, -1
                else:
                    most = (self._others + _SPARE) * self._together if group.size else -1
                    waiting.append(self._begun(group, pool))
                while waiting and sum(group.size for group in waiting) > most:
                    yield from self._first(waiting)
            if not isinstance(failed, StopIteration):
                raise failed
        finally:
            pool.shutdown(cancel_futures=True)

    def _groups(self, blocks: Iterable[Item]) -> Iterator[_Group[Item, Found]]:
        """Bring blocks together; those that nobody is to look at have no size."""
        alone, group, failed = self._alone, _Group[Item, Found]([]), None
        try:
            for block in blocks:
                size = len(block.data) if isinstance(block, RawLines) else 0
                ahead, alone = size > 0 and alone <= 0, alone - size
                if ahead:
                    group.items.append(block)
                    group.size += size
                if group.items and not (ahead and group.size < self._together):
                    yield group
                    group = _Group([])
                if not ahead:
                    yield _Group([block])
        except Exception as error:
            failed = error
        if group.items:
            yield group
        if failed is not None:
            raise failed

    def _begun(self, group: _Group[Item, Found], pool: ThreadPoolExecutor) -> _Group[Item, Found]:
        if not group.size:
            group.found = [None] * len(group.items)
            return group
        with suppress(RuntimeError):  # the program ends, or may have no more threads: the caller looks
            group.future = pool.submit(self._looked, group)
        return group

    def _first(self, waiting: deque[_Group[Item, Found]]) -> Iterator[tuple[Item, Found | None]]:
        """Yield the blocks of the first group; look at others as long as another thread looks at these."""
        first = waiting[0]
        if first.is_free():
            first.found = [None] * len(first.items)
        while first.found is None and not first.future.done():
            other = next((group for group in waiting if group.is_free()), None)
            if other is None:
                break
            other.found = self._looked(other)
        found = first.future.result() if first.found is None else first.found
        waiting.popleft()
        yield from zip(first.items, found, strict=True)

    def _looked(self, group: _Group[Item, Found]) -> list[Found | None]:
        return [self._look(block.data) for block in group.items if isinstance(block, RawLines)]

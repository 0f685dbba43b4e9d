"""Whether the lines of files are in order already, found out by several threads before the first pass."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from telex.learners.base import processors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Ends = tuple[bytes, bytes]
"""The first and the last sort key of some records; both are empty if none has a key."""
EndsOf = Callable[[bytes, int, int], Ends | None]
"""Returns the ends of the lines in a part of some bytes, None if a key is smaller than the one before it."""

_PART = 1 << 18  # bytes; a processor's cache has room for several
_BEYOND = 1 << 13  # bytes read behind a part, where its last line may end
_LONGEST = 16 << 20
_MOST_THREADS = 4  # that are faster than memory
_BOM = b"\xef\xbb\xbf"


def ends_of_keys(keys: Iterable[bytes | None]) -> Ends | None:
    """Return the ends of records by the key of each, None where it has none.

    >>> ends_of_keys([None, b"a", b"c"]), ends_of_keys([b"b", b"a"])
    ((b'a', b'c'), None)
    """
    known = [key for key in keys if key is not None]
    return ((known[0], known[-1]) if known else (b"", b"")) if known == sorted(known) else None


def ascend(ends: Iterable[Ends | None]) -> bool:
    """Tell whether records are in order, by the ends of consecutive parts of them.

    >>> ascend([(b"a", b"c"), (b"", b""), (b"c", b"d")]), ascend([(b"a", b"c"), (b"b", b"d")])
    (True, False)
    """
    last = b""
    for found in ends:
        if found is None or (found[0] and found[0] < last):
            return False
        last = found[1] or last
    return True


def files_ascend(paths: Sequence[str], ends_of: EndsOf, part: int = _PART) -> bool | None:
    r"""Tell whether the lines of plain files, one after the other, are in order.

    None means that this look cannot tell: a file cannot be read, has changed, or has a line of more than 16 MiB. Each
    file is read once, a part at a time by whichever thread is free; threads end early where the order is broken, and
    where the program ends.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"a\nb\nc\n"), file.flush()
    ...     files_ascend([file.name], lambda data, start, stop: (data[start : start + 1], data[stop - 2 : stop - 1]))
    True
    """
    ends = list[Ends | None]()
    try:
        for path in paths:
            ends += _Scan(path, ends_of, part).ends()
            if None in ends:
                return False
    except (OSError, _UnknownError):
        return None
    return ascend(ends)


class _UnknownError(Exception):
    """The look cannot tell."""


class _Scan:
    """The parts of one file; a line belongs to the part in which it begins."""

    def __init__(self, path: str, ends_of: EndsOf, part: int) -> None:
        self.path, self._ends_of, self._part = path, ends_of, part

    def ends(self) -> list[Ends | None]:
        """Return the ends of all parts; those behind one that is None may be missing."""
        file = os.open(self.path, os.O_RDONLY)
        try:
            return self._ends(file, os.fstat(file).st_size)
        finally:
            os.close(file)

    def _ends(self, file: int, size: int) -> list[Ends | None]:
        count = -(-size // self._part)
        found: list[Ends | None] = [(b"", b"")] * count
        numbers = iter(range(count))  # next() of it is atomic: each part is one thread's

        def look() -> None:
            for number in numbers:
                found[number] = self._of(file, number * self._part, size)
                if found[number] is None or not threading.main_thread().is_alive():
                    for _ in numbers:
                        pass

        threads = max(1, min(_MOST_THREADS, processors(), count // 4))
        with ThreadPoolExecutor(threads, "order") as pool:
            for done in [pool.submit(look) for _ in range(threads)]:
                done.result()
        if not threading.main_thread().is_alive():
            raise _UnknownError
        return found

    def _of(self, file: int, begin: int, size: int) -> Ends | None:
        """Return the ends of the lines that begin in the part at ``begin``."""
        before = min(1, begin)  # the byte before tells whether a line begins there
        inside, beyond = before + min(self._part, size - begin) - 1, _BEYOND
        while True:
            data = os.pread(file, inside + 1 + beyond, begin - before)
            whole = begin - before + len(data) == size
            if not whole and len(data) <= inside + beyond:
                raise _UnknownError
            start = data.find(b"\n", 0, inside) + 1 if before else len(_BOM) * data.startswith(_BOM)
            if before and not start:
                return b"", b""
            stop = data.find(b"\n", inside) + 1 or (len(data) if whole else 0)
            if stop:
                return self._ends_of(data, start, stop)
            if beyond > _LONGEST:
                raise _UnknownError
            beyond *= 4

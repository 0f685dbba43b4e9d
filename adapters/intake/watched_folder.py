"""A folder in which files arrive."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_POLL = 0.25
"""Seconds between two looks."""
_UNFINISHED = (".part", ".partial", ".tmp", ".crdownload", "~")


class WatchedFolder:
    """The files that arrive in a folder, each once it is there as a whole.

    Files whose size and time have not changed for ``settle`` seconds are whole, and given to ``take``, which returns
    whether there is something new in them. One that ``grows`` is given whenever it has changed. Hidden files, those
    with the name of something unfinished, and folders are left alone. If nothing changes for ``until_idle`` seconds,
    the watch is over; None is never.
    """

    def __init__(
        self,
        folder: str,
        take: Callable[[list[str]], bool],
        *,
        settle: float,
        grows: Callable[[str], bool] = lambda _: False,
        until_idle: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = folder
        self._take, self._settle, self._grows, self._until_idle = take, settle, grows, until_idle
        self._clock = clock
        self._seen: dict[str, tuple[tuple[int, int, int], float]] = {}
        self._taken: dict[str, tuple[int, int, int]] = {}
        self._active: float | None = None

    def __call__(self) -> bool | None:
        """Look; wait a little if nothing is new. Return whether anything is, or None where the watch is over."""
        if self.look():
            self._active = None
            return True
        now = self._clock()
        self._active = now if self._active is None else self._active
        if self._until_idle is not None and now - self._active >= self._until_idle:
            return None
        time.sleep(_POLL)
        return False

    def look(self) -> bool:
        """Give the files that are whole to ``take``, in the order of their names; return whether anything is new."""
        now, ready = self._clock(), []
        for path, stamp in self._files():
            if self._taken.get(path) == stamp:
                continue
            before, since = self._seen.get(path, (None, now))
            if before != stamp:
                self._seen[path] = (stamp, now)
                self._active = since = now
            if now - since >= self._settle or self._grows(path):
                ready.append(path)
                self._taken[path] = stamp
        return bool(ready) and self._take(ready)

    def _files(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        with os.scandir(self.folder) as scan:
            for entry in sorted(scan, key=lambda one: _natural(one.name)):
                if not entry.name.startswith(".") and not entry.name.endswith(_UNFINISHED) and entry.is_file():
                    try:
                        found = entry.stat()
                    except OSError:  # it is gone again
                        continue
                    yield entry.path, (found.st_size, found.st_mtime_ns, found.st_ino)


def _natural(name: str) -> tuple[list[str | int], str]:
    parts = re.split(r"([0-9]+)", name)
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], name

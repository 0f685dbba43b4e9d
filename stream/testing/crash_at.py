"""A fault at a chosen write, fsync or rename."""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Kind = Literal["write", "fsync", "rename"]

_CALLS: dict[str, Kind] = {
    "write": "write",
    "pwrite": "write",
    "fsync": "fsync",
    "fdatasync": "fsync",
    "rename": "rename",
    "replace": "rename",
}
"""The functions of ``os`` that count, and as what."""


@contextmanager
def crash_at(
    number: int, *kinds: Kind, error: int = errno.ENOSPC, stays: bool = False, kill: bool = False
) -> Iterator[list[Kind]]:
    """Let the call ``number`` of this process to write, fsync or rename raise an OSError, before it does anything.

    Only calls of ``kinds`` count, all of them where none is named. With ``stays`` all later calls fail too, as on a
    full disk; with ``kill`` the process is killed there, and what was not flushed is lost. The context yields the list
    of calls so far: with the number 0 nothing fails, and its length is how many numbers there are to try.

    It counts the calls that Python makes, in all threads: those of files opened inside the context, and those of the
    functions of ``os``. It does not count writes of native code or of child processes.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> def save(path):
    ...     with open(f"{path}.new", "w") as file:
    ...         _ = file.write("whole")
    ...     os.replace(f"{path}.new", path)
    >>> with TemporaryDirectory() as folder, crash_at(0) as calls:
    ...     save(Path(folder, "a"))
    >>> calls
    ['write', 'rename']
    >>> with TemporaryDirectory() as folder:
    ...     for number in range(1, 3):
    ...         try:
    ...             with crash_at(number):
    ...                 save(Path(folder, "a"))
    ...         except OSError as error:
    ...             print(error, Path(folder, "a").exists())
    [Errno 28] No space left on device False
    [Errno 28] No space left on device False
    """
    calls: list[Kind] = []
    lock = threading.Lock()

    def count_call(kind: Kind) -> None:
        if kinds and kind not in kinds:
            return
        with lock:
            calls.append(kind)
            strikes = number and (len(calls) == number or (stays and len(calls) > number))
        if strikes and kill:
            os.kill(os.getpid(), signal.SIGKILL)
        if strikes:
            raise OSError(error, os.strerror(error))

    with ExitStack() as patches:
        for name, kind in _CALLS.items():
            if hasattr(os, name):
                patches.enter_context(_replaced(os, name, _counted(getattr(os, name), kind, count_call)))
        for module in (io, builtins):
            patches.enter_context(_replaced(module, "open", _opening(count_call)))
        yield calls


@contextmanager
def _replaced(module: Any, name: str, new: Any) -> Iterator[None]:
    old = getattr(module, name)
    setattr(module, name, new)
    try:
        yield
    finally:
        setattr(module, name, old)


def _counted(call: Callable[..., Any], kind: Kind, count_call: Callable[[Kind], None]) -> Callable[..., Any]:
    def wrapper(*arguments: Any, **options: Any) -> Any:
        count_call(kind)
        return call(*arguments, **options)

    return wrapper


def _opening(count_call: Callable[[Kind], None]) -> Callable[..., Any]:
    """Return an ``open`` whose files call ``count_call`` for each write to the system, not for what they buffer."""
    usual = io.open

    class Raw(io.FileIO):
        def write(self, data: Any, /) -> int:
            count_call("write")
            return super().write(data)

    def opened(file: Any, mode: str = "r", buffering: int = -1, *rest: Any, **options: Any) -> Any:
        if not set(mode) & set("wax+"):
            return usual(file, mode, buffering, *rest, **options)
        text_options = dict(zip(("encoding", "errors", "newline", "closefd", "opener"), rest, strict=False)) | options
        raw = Raw(
            file,
            mode.replace("b", "").replace("t", ""),
            text_options.pop("closefd", True),
            text_options.pop("opener", None),
        )
        if buffering == 0:
            return raw
        size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
        buffered = io.BufferedRandom(raw, size) if "+" in mode else io.BufferedWriter(raw, size)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, line_buffering=buffering == 1, **text_options)

    return opened

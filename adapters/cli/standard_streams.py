"""Standard input, output and error, usable even if closed, full or broken, and whatever letters they know."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_CLOSED = (os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)
"""How a closed stream is filled: reading standard input fails, so does writing standard output; the rest is dropped."""


class _Output(io.FileIO):
    """Standard output, which remembers that it could not be written."""

    error: OSError | None = None

    def write(self, data: ReadableBuffer) -> int:
        """Write some bytes."""
        try:
            return super().write(data)
        except OSError as error:
            self.error = error
            raise


class _Messages(io.FileIO):
    """Standard error: what nobody can read any more must not end a run."""

    def write(self, data: ReadableBuffer) -> int:
        """Write some bytes, or drop them."""
        with suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


def prepare() -> None:
    """Prepare the streams of this process; those that a caller has replaced stay as they are.

    A number that is closed would be given to the next file that is opened, a run's own, into which a print would go.
    """
    for number, how in enumerate(_CLOSED):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, how)  # gets the lowest free number
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(_Output(1, "w", closefd=False), sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Messages(2, "w", closefd=False), sys.stderr, line_buffering=True)


def _text(raw: io.FileIO, before: TextIO | None, *, line_buffering: bool = False) -> io.TextIOWrapper:
    """Return a stream in the encoding of the one before it; letters that this lacks are written as numbers."""
    encoding = "utf-8" if before is None else before.encoding
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding, "backslashreplace", line_buffering=line_buffering or raw.isatty()
    )


def flush_output() -> OSError | None:
    """Flush standard output; return the error if it could not be written, now or before.

    Then what is left is dropped, which Python would write at its end.
    """
    failed: OSError | None = None
    try:
        sys.stdout.flush()
    except OSError as error:
        failed = error
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, _Output):
        failed = raw.error or failed
    if failed is not None:
        with suppress(OSError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)
    return failed

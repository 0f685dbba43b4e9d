"""A temporary copy of what cannot be read twice."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@contextmanager
def temporary_copy(chunks: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """Open a private file that holds ``chunks``, at its start; a full disk stops the run.

    >>> with temporary_copy([b"ab", b"c"]) as copy:
    ...     copy.read()
    b'abc'
    """
    with tempfile.TemporaryFile() as copy:
        for chunk in chunks:
            try:
                copy.write(chunk)
                copy.flush()
            except OSError as error:
                with suppress(OSError):  # closing writes again what did not fit
                    copy.close()
                raise StoppedError(
                    f"the temporary folder {tempfile.gettempdir()} is full ({error.strerror}); "
                    "point TMPDIR to a larger one"
                ) from error
        copy.seek(0)
        yield copy

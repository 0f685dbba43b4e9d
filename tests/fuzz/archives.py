"""Zip and tar archives: their members in bounded pieces, or dead letters, in bounded memory and time."""

from __future__ import annotations

import resource
import time

from checks import check_letter
from formats import FOLDER

from telex.adapters.formats.reading import Input
from telex.adapters.formats.reading.files import files
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter

PIECE = 16 << 20
LEAST, FOLD = 64 << 20, 1000  # an archive unpacks to no more than both
SECONDS = 10  # of work, for an archive as small as these
MEMORY = 256 << 10  # KiB that one archive may add to the process


def archives(data: bytes) -> None:
    """Read all members of a file, which may be an archive."""
    path = FOLDER / "archive"
    path.write_bytes(data)
    begin, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = 0
    for file in files([Input(path)], (".xml", ".txt")):
        if isinstance(file, DeadLetter):
            check_letter(file)
            continue
        assert file.path.startswith(str(path))
        assert file.path.encode()
        try:
            for chunk in file.chunks:
                assert len(chunk) <= PIECE
                size += len(chunk)
        except BrokenRecordError as error:
            assert str(error)  # noqa: PT017
    assert size <= max(LEAST, FOLD * len(data)) + PIECE
    assert time.process_time() - begin < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY

"""Zip and tar archives: their members in bounded pieces, or dead letters."""

from __future__ import annotations

from checks import check_letter
from formats import FOLDER

from telex.adapters.formats.reading import Input
from telex.adapters.formats.reading.files import files
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter

PIECE = 16 << 20
MOST = 64 << 20  # bytes of a bomb that are looked at


def archives(data: bytes) -> None:
    """Read all members of a file, which may be an archive."""
    path = FOLDER / "archive"
    path.write_bytes(data)
    size = 0
    for file in files([Input(path)], (".xml", ".txt")):
        if isinstance(file, DeadLetter):
            check_letter(file)
            continue
        assert file.path.startswith(str(path))
        try:
            for chunk in file.chunks:
                assert len(chunk) <= PIECE
                size += len(chunk)
                if size > MOST:
                    return
        except BrokenRecordError as error:
            assert str(error)  # noqa: PT017

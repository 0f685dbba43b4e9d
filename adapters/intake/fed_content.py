"""What is new in a file: all of it, what was appended to it, or nothing."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from telex.adapters.formats import format_of, open_archive
from telex.adapters.formats.reading import FilePart, Input, is_compressed
from telex.adapters.formats.tables import first_row_end, last_row_end, likely_delimiter, separator_sign
from telex.adapters.intake.intake import FedFile
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.intake.intake import Intake
    from telex.stream.sources import Archive

_LINES = frozenset({"jsonl", "csv", "tsv"})
"""The formats of which a part can be read."""
_PIECE = 1 << 20
_TAIL = 1 << 16


class NothingNew(NamedTuple):
    """A file of which nothing is to be learnt: ``reason`` says why, and is empty where that goes without saying."""

    reason: str


class FileBeginning(NamedTuple):
    """What comes before a place in a file: the hash of the ``content``, the number of ``lines``, and the ``digest``."""

    content: str
    lines: int
    digest: Any


def new_content(
    path: str,
    intake: Intake,
    name: str | None,
    settings: Mapping[str, str],
    *,
    unended: bool = False,
    known: dict[str, tuple[int, FileBeginning, int]] | None = None,
) -> FedFile | NothingNew:
    """Return what a run with this intake has not learnt of a file.

    The format is called ``name``, or found by content. Of lines that follow what was learnt, also under another path,
    only those are new. With ``unended`` somebody may be writing the last line: only whole lines are taken. A caller
    that looks at a file again and again, as it grows, gives the same ``known`` each time: of what was learnt only the
    last bytes are then read again.
    """
    known = {} if known is None else known
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{path} is no file; name files, or follow a folder with telex watch")
    before, size = intake.newest(path), found.st_size
    stamp = (size, found.st_mtime_ns, found.st_ino)
    if not size or (before is not None and before.stamp == stamp):
        return NothingNew("" if size else f"{path} is empty")
    name = name or format_of(path)
    lines = is_in_lines(path, name)
    learnt = {file.end for file in (intake.files if before is None and lines else [before]) if file}
    earlier = known.get(path)
    then = earlier[:2] if earlier and _tail(path, earlier[0]) == earlier[2] else None
    sums = content_sums(path, {size, *(place for place in learnt if place < size)}, then)
    known_places = (place for place, one in sums.items() if place < size and intake.with_sum(one.content))
    start = max((place for place in known_places if before is not None or _at_line_end(path, place)), default=0)
    if (reason := _refusal(path, name, intake, sums.get(size), start, lines=lines)) is not None:
        return NothingNew(reason)
    end, header = _whole_lines(path, name, settings, start, size) if lines and (start or unended) else (size, 0)
    end = end if unended else size
    if end <= start:
        return NothingNew("")
    if end not in sums:
        sums |= content_sums(path, {end}, then)
    known[path] = end, sums[end], _tail(path, end)
    if unended and lines:
        settings = {**settings, "order": "file"}
    return FedFile(
        path=path,
        format=name,
        settings=open_as_before(
            path, name, settings, settings_before(intake, name), end if lines else None, begins=not intake.files
        )[1],
        start=start,
        end=end,
        header=header if start else 0,
        lines=sums[start].lines if start else 0,
        sum=sums[end].content,
        stamp=stamp,
    )


def settings_before(intake: Intake, name: str) -> dict[str, str]:
    """Return the options of the newest file of an intake that is in this format."""
    newest = next((file.settings for file in reversed(intake.files) if file.format == name), {})
    return {option: value for option, value in newest.items() if option != "order"}


def open_as_before(
    path: str, name: str, given: Mapping[str, Any], before: Mapping[str, str], end: int | None = None, *,
    begins: bool = False,
) -> tuple[Archive, dict[str, str]]:  # fmt: skip
    """Return the documents of a file, and the options of its format: also those that a sample up to ``end`` decides.

    Where the sample leaves something open, it is read as the file ``before`` it: that file's options do not hide that
    this one is written in another way. Only the file with which a run ``begins`` must have labels, and records that can
    be read.
    """

    def opened(options: Mapping[str, Any]) -> tuple[Archive, dict[str, str]]:
        source: Any = Input(path, None if end is None else FilePart(0, 0, end, 0))
        archive = open_archive([source], name, labelled=begins, readable=begins and end is None, **options)
        return archive, {**options, **{option: x for option, x in archive.detected.items() if option != "format"}}

    try:
        return opened(given)
    except UsageError as unclear:
        if not before:
            raise
        try:
            return opened({**before, **given})
        except UsageError:
            raise unclear from None


def _refusal(
    path: str, name: str, intake: Intake, whole: FileBeginning | None, start: int, *, lines: bool
) -> str | None:
    """Return why nothing of a file is learnt from ``start`` on; None if it may be."""
    if whole is None:
        return f"{path} was cut while it was looked at"
    if (same := intake.with_sum(whole.content)) is not None:
        return f"{path} {'' if same.path == path else f'has the content of {same.path}, which '}has been learnt already"
    if not start:
        return None
    if not lines:
        return (
            f"{path} has grown since it was learnt, and {name} cannot be read from the middle; feed the new part alone"
        )
    if not _at_line_end(path, start):
        return f"{path} has grown within its last line, which was learnt before it had ended; feed the new lines alone"
    return None


def is_in_lines(path: str, name: str) -> bool:
    """Tell whether a file of the format ``name`` can be read in parts, and grow."""
    with open(path, "rb") as file:
        head = file.read(8)
    return name in _LINES and not is_compressed(head) and not head.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def content_sums(
    path: str, places: set[int], known: tuple[int, FileBeginning] | None = None
) -> dict[int, FileBeginning]:
    """Return the sums at some places of a file, as far as it goes; ``known`` is a place with its sums."""
    found: dict[int, FileBeginning] = {}
    with open(path, "rb", buffering=0) as file:
        if known is None or known[0] > min(places):
            known = 0, FileBeginning("", 0, blake2b(digest_size=16))
        at, lines, digest = file.seek(known[0]), known[1].lines, known[1].digest.copy()
        for place in sorted(places):
            while at < place and (piece := file.read(min(_PIECE, place - at))):
                digest.update(piece)
                lines += piece.count(b"\n")
                at += len(piece)
            if at == place:
                found[place] = FileBeginning(digest.hexdigest(), lines, digest.copy())
    return found


def _tail(path: str, place: int) -> int:
    """Return a checksum of the bytes just before ``place``."""
    with open(path, "rb") as file:
        start = file.seek(max(0, place - _TAIL))
        return crc32(file.read(place - start))


def _at_line_end(path: str, place: int) -> bool:
    """Tell whether a line ends before ``place``, or with the next bytes."""
    with open(path, "rb") as file:
        file.seek(place - 1)
        around = file.read(3)
    return b"\n" in around[:2] or around[1:] == b"\r\n"


def _whole_lines(path: str, name: str, settings: Mapping[str, str], start: int, size: int) -> tuple[int, int]:
    """Return where the last whole line or row ends, and how many bytes the header has."""
    if name == "jsonl":
        return _last_line_end(path, start, size), 0
    given = "tab" if name == "tsv" and "delimiter" not in settings else settings.get("delimiter")
    delimiter = None if given is None else separator_sign("delimiter", given)
    header = first_row_end(path, delimiter)
    if delimiter is None:
        with open(path, "rb") as file:
            delimiter = likely_delimiter(file.read(header).decode(errors="replace"))
    return (last_row_end(path, start, size, delimiter), header) if header else (start, 0)


def _last_line_end(path: str, start: int, end: int) -> int:
    with open(path, "rb") as file:
        while start < end:
            begin = max(start, end - _PIECE)
            file.seek(begin)
            if (last := file.read(end - begin).rfind(b"\n")) >= 0:
                return begin + last + 1
            end = begin
    return start

"""In which encoding a text is."""

from __future__ import annotations

import re

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_WINDOWS = re.compile(rb"[A-Za-z][\x8a\x8c\x8e\x9a\x9c\x9e\x9f\xc0-\xfd]|[\xc0-\xfd][a-z]|[\x85\x91-\x97\x80]|\xa0")


def encoding_of(beginning: bytes) -> str:
    r"""Return the encoding of a text: utf-8, utf-16 with a byte order mark, or cp1252 (Windows-1252, Latin-1).

    A text with any character of several bytes in UTF-8 is UTF-8: its other lines are broken, which dead letters say.

    >>> encoding_of("Öl fällt".encode("cp1252")), encoding_of("Öl fällt".encode()), encoding_of(b"Gold")
    ('cp1252', 'utf-8', 'utf-8')
    >>> encoding_of("Gold".encode("utf-16")), encoding_of(b"a,\xff\n")
    ('utf-16', 'utf-8')
    """
    if beginning.startswith(_UTF_16):
        return "utf-16"
    if beginning.isascii():
        return "utf-8"
    *whole, last = beginning.split(b"\n")
    lines = [line for line in (*whole, last) if not line.isascii()]
    broken = [line for line in lines if not _is_utf8(line, cut=line is last)]
    if not broken or len(broken) < len(lines):
        return "utf-8"
    likely = [found for line in broken if (found := _WINDOWS.findall(line))]
    several = sum(map(len, likely)) > 1  # one alone may be a slip
    return "cp1252" if several and 2 * len(likely) > len(broken) else "utf-8"


def _is_utf8(line: bytes, *, cut: bool) -> bool:
    """Tell whether a line is UTF-8; one that is ``cut`` may end within a character."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return cut and error.reason == "unexpected end of data"
    return True

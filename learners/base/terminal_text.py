"""Text from anywhere, as a terminal can show it."""

from __future__ import annotations

import re

_ACTS = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and newline; 80-9f are escapes of one byte
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that reverse the order in which a terminal shows text
    "\u2028\u2029\ud800-\udfff]"  # other ends of lines, halves of surrogate pairs
)


def printable(text: str) -> str:
    r"""Return a text in which what a terminal would act on is a backslash escape; lines stay lines.

    >>> printable("gold\x1b[31m\nsilver")
    'gold\\x1b[31m\nsilver'
    """
    return text if text.isprintable() else _ACTS.sub(_escape, text)


def one_line(text: str) -> str:
    r"""Return a text as :func:`printable` does, and on one line.

    >>> one_line("a\nb")
    'a\\nb'
    """
    return printable(text).replace("\n", "\\n")


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")

"""Text from anywhere, as a terminal can show it."""

from __future__ import annotations

_HARMLESS = frozenset("\t\n")
_REORDER = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that change the order in which a terminal shows what follows."""
_END_LINES = frozenset("\u2028\u2029")


def printable(text: str) -> str:
    r"""Return a text in which what a terminal would act on is a backslash escape; lines stay lines.

    >>> printable("gold\x1b[31m\nsilver")
    'gold\\x1b[31m\nsilver'
    """
    if not text.isprintable():
        for character in filter(_acts, set(text)):
            text = text.replace(character, character.encode("unicode_escape").decode("ascii"))
    return text


def one_line(text: str) -> str:
    r"""Return a text as :func:`printable` does, and on one line.

    >>> one_line("a\nb")
    'a\\nb'
    """
    return printable(text).replace("\n", "\\n")


def _acts(character: str) -> bool:
    """Tell whether it is a control character (80-9f are escapes of one byte), a mark, or half a surrogate pair."""
    if character <= "\x9f":
        return not character.isprintable() and character not in _HARMLESS
    return character in _REORDER or character in _END_LINES or "\ud800" <= character <= "\udfff"

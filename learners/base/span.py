"""A length of a stream, in documents or in event time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from telex.learners.base.errors import UsageError

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, slots=True)
class Span:
    """A number of ``documents`` or of ``seconds``; the other is None."""

    stored_name: ClassVar[str] = "span"
    documents: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        return f"{self.seconds:g} s" if self.documents is None else f"{self.documents:,} documents"


def span(what: str, value: int | str) -> Span:
    """Read ``5000`` (documents) or ``30s``, ``5m``, ``2h``, ``7d`` (event time); errors name the option ``what``.

    >>> span("every", 5000), span("window", "2h")
    (Span(documents=5000, seconds=None), Span(documents=None, seconds=7200.0))
    """
    text = str(value).strip()
    if text.isdecimal() and int(text):
        return Span(documents=int(text))
    if re.search(r"[smhd]$", text):
        return Span(seconds=seconds(what, text))
    raise UsageError(f"{what} is {text!r}; give a number of documents or a time such as 30s, 5m, 2h or 7d")


def seconds(what: str, value: float | str) -> float:
    """Read a duration such as ``90`` or ``1.5h`` in seconds; errors name the option ``what``.

    >>> seconds("timeout", "10m"), seconds("timeout", 2)
    (600.0, 2.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?(?:e-?\d+)?)([smhd]?)", str(value).strip(), re.ASCII)
    if match is None or not (found := float(match[1]) * _UNITS[match[2] or "s"]):
        raise UsageError(f"{what} is {str(value)!r}; give a time such as 30s, 5m, 2h or 7d")
    return found


def is_span(value: str) -> bool:
    """Return whether a text is a number of documents or a duration, and not a name.

    >>> is_span("100"), is_span("2h"), is_span("answers.jsonl")
    (True, True, False)
    """
    return re.fullmatch(r"\d+(\.\d+)?[smhd]?", value.strip(), re.ASCII) is not None

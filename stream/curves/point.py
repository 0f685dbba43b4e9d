"""One point of the curves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.stream.curves.curve import Figures


@dataclass(frozen=True, slots=True)
class Point:
    """The figures of all learners after the first ``documents`` documents of a section.

    ``part`` is ``train``, where learners learn after each document, or ``test``, where they learn nothing;
    ``epoch`` counts the passes from 1. ``documents`` and ``scored`` count within the part; ``time`` is that
    of its newest document in epoch seconds, None where none has one. ``learners`` holds each learner's
    figures by column: ``iserr``, ``iserr_window``, ``iserr_since`` and so on, None where undefined.
    """

    part: Literal["train", "test"]
    epoch: int
    documents: int
    scored: int
    time: float | None
    learners: Mapping[str, Figures]


def iso(time: float | None) -> str:
    """Return epoch seconds as ISO 8601 with Z, nothing for None.

    >>> iso(840542400.0), iso(0.25), iso(None)
    ('1996-08-20T12:00:00Z', '1970-01-01T00:00:00.250000Z', '')
    """
    if time is None:
        return ""
    try:
        return datetime.fromtimestamp(time, UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):
        return repr(time)

"""A record that could not be read: an event of the stream, not an exception."""

from __future__ import annotations

from dataclasses import dataclass

from telex.learners.base import one_line

SKIPPED = "skipped on request"
REVISED = "revised"
SOUND = frozenset({"skip", REVISED})
"""The stages of dead letters whose records are not broken."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """The raw bytes of a broken record, its place, and why it was refused.

    ``stage`` says how far it came: ``read`` (the file itself), ``decode`` (the record), ``answer`` (the same, of an
    answer), ``join`` (its place in the stream), ``skip`` (it was to be passed over), or ``revised`` (it is a newer
    version of a document, and those are left out).
    """

    raw: bytes
    path: str
    line: int | None
    offset: int | None
    stage: str
    reason: str

    @property
    def place(self) -> str:
        """Where the record is, as ``--skip-records`` takes it."""
        return place_text(self.path, self.line, self.offset)

    def __str__(self) -> str:
        """Return one line for people: where, and why."""
        return one_line(f"{self.place}: {self.reason}")


def place_text(path: str, line: int | None, offset: int | None) -> str:
    """Return the place of a record in a file, or of one in a topic.

    >>> place_text("news.jsonl", 7, 812), place_text("news/0", None, 12), place_text("feed.xml", None, None)
    ('news.jsonl:7', 'news/0/12', 'feed.xml')
    """
    if line is not None:
        return f"{path}:{line}"
    return path if offset is None else f"{path}/{offset}"


def skipped(raw: bytes, path: str, line: int | None, offset: int | None) -> DeadLetter:
    """Return the dead letter for a record that was to be passed over."""
    return DeadLetter(raw, path, line, offset, "skip", SKIPPED)

"""A record that could not be read: an event of the stream, not an exception."""

from __future__ import annotations

from dataclasses import dataclass

from telex.learners.base import one_line


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """The raw bytes of a broken record, its place, and why it was refused.

    ``stage`` says how far it came: ``read`` (the file itself), ``decode`` (the record), ``join`` (its place in the
    stream).
    """

    raw: bytes
    path: str
    line: int | None
    offset: int | None
    stage: str
    reason: str

    def __str__(self) -> str:
        """Return one line for people: where, and why."""
        where = self.path if self.line is None else f"{self.path}:{self.line}"
        return one_line(f"{where}: {self.reason}")

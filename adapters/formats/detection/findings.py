"""What is found in a sample of a file, as data."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "blank"}
"""The names of the signs that cannot stand in an option as they are."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A setting of the format that was not given, and why it is likely."""

    option: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a sample leaves open: the cause, and the settings of which one is to be given."""

    cause: str
    choices: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class FoundField:
    """A field or column of the sample: what its values are, in how many records, and how many differ."""

    name: str
    kind: str
    filled: int
    distinct: int
    example: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What a sample of an input says.

    ``roles`` are the fields for text, title, labels, id and time, each with the reason; ``labels`` the number of
    documents with each label, most frequent first; ``written`` how labels, times and texts are written, guessed or not;
    ``settings`` what the format is to be given beside what was given.
    """

    format: str
    encoding: str = "utf-8"
    records: int = 0
    whole: bool = False
    fields: tuple[FoundField, ...] = ()
    roles: tuple[tuple[str, str, str], ...] = ()
    guesses: tuple[Guess, ...] = ()
    questions: tuple[Question, ...] = ()
    warnings: tuple[str, ...] = ()
    labels: tuple[tuple[str, int], ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, str]:
        """The guessed settings, by option."""
        return {guess.option: guess.value for guess in self.guesses}

    def spec(self, more: Mapping[str, str] | None = None) -> str:
        """Return the format as ``--format`` takes it: what was given and guessed, and ``more``.

        >>> guess = Guess("separator", "pipe", "it separates labels that occur alone")
        >>> Findings("csv", given={"text": "story"}, guesses=(guess,)).spec({"labels": "desk"})
        'csv:text=story,separator=pipe,labels=desk'
        """
        return format_spec(self.format, {**self.given, **self.settings, **(more or {})})

    def sentences(self) -> list[str]:
        """Return what to say before anything is learnt: the guesses in one line, then each warning."""
        said = []
        if self.guesses:
            why = "; ".join(f"{guess.option}={guess.value} ({guess.why})" for guess in self.guesses)
            quoted = shlex.quote(self.spec())
            said.append(f"guessed from the first {self.records:,} records: {why}; to settle it: --format {quoted}")
        return said + [f"warning: {warning}" for warning in self.warnings]


def format_spec(name: str, settings: Mapping[str, Any]) -> str:
    """Return a format with its settings as ``--format`` takes it.

    >>> format_spec("csv", {"separator": ",", "order": "file"})
    'csv:separator=comma'
    """
    given = ",".join(f"{key}={NAMES.get(str(value), value)}" for key, value in settings.items() if key != "order")
    return f"{name}:{given}" if given else name

"""What the values of a topic are, and which of their fields is what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from telex.adapters.formats.jsonl import MAPPED_OPTIONS, Fields, StoryMap
from telex.adapters.kafka.consume.envelopes import CONNECT, DEBEZIUM
from telex.learners import did_you_mean, key_values
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NEWSML = "newsml"
FORMATS = {
    "jsonl": "a JSON object each",
    NEWSML: "NewsML",
    DEBEZIUM: "changes of rows as Debezium writes them, with or without their schema",
    CONNECT: "JSON with its schema, as converters of Kafka Connect write it",
}
"""What the values of a topic may be."""
_FIELDS = ("id", "time", "text", "title", "labels")


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """What the values of a topic are, with the settings that files of JSON have.

    A field may also be the ``key`` of a record, a field in it (``key.article``), a header (``headers.desk``), or what
    is around the row of a change (``envelope.ts_ms``).

    >>> RecordFormat.of("jsonl:text=content").fields.text, RecordFormat.of("jsonl:id=key").fields
    ('content', None)
    >>> RecordFormat.of("jsonl:id=key,labels=headers.desk").own_fields
    ('key', 'headers.desk')
    """

    name: str = "jsonl"
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: str | None) -> RecordFormat:
        """Return a format as ``--format`` names it."""
        name, _, given = (spec or "jsonl").partition(":")
        return cls.checked(name, key_values(given, f"the format {name!r}"))

    @classmethod
    def checked(cls, name: str, settings: Mapping[str, str]) -> RecordFormat:
        """Return a format, after refusing what topics cannot have."""
        if name not in FORMATS:
            close = did_you_mean(name, FORMATS)
            raise UsageError(f"the records of a topic cannot be {name!r}{close}; choose one of {', '.join(FORMATS)}")
        possible = () if name == NEWSML else (*_FIELDS, *MAPPED_OPTIONS)
        wrong = next((option for option in settings if option not in possible), None)
        if wrong is not None:
            has = f"it has {', '.join(possible)}" if possible else "it has none"
            raise UsageError(f"format {name} of a topic has no option {wrong!r}{did_you_mean(wrong, possible)}; {has}")
        made = cls(name, dict(settings))
        made.map, made.fields  # noqa: B018 - they refuse settings that are wrong
        return made

    @classmethod
    def found(cls, detected: Mapping[str, Any]) -> RecordFormat:
        """Return the format that run.json stores."""
        return cls.checked(str(detected["format"]), {name: one for name, one in detected.items() if name != "format"})

    def plain(self) -> dict[str, str]:
        """Return what :meth:`found` takes."""
        return {"format": self.name, **self.settings}

    @property
    def map(self) -> StoryMap | None:
        """How the fields of a record become a story, None where the records have none."""
        if self.name == NEWSML:
            return None
        return StoryMap.where_needed(**self.settings) or StoryMap(**self.settings)

    @property
    def fields(self) -> Fields | None:
        """The names of the fields, if the values can be read as the lines of a file, which is several times faster."""
        if self.name != "jsonl" or self.own_fields or StoryMap.where_needed(**self.settings) is not None:
            return None
        return Fields(**self.settings)

    @property
    def own_fields(self) -> tuple[str, ...]:
        """The settings that name something of the record itself: its key, a header, or what is around its row."""
        named = (self.settings.get(role, "") for role in _FIELDS)
        parts = ("key.", "headers.", *(["envelope."] if self.has_envelope else []))
        return tuple(name for name in named if name == "key" or name.startswith(parts))

    @property
    def has_envelope(self) -> bool:
        """Whether a row is surrounded by an envelope."""
        return self.name in {CONNECT, DEBEZIUM}


PLAIN = RecordFormat()

"""What a sample of a topic says of its records."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.detection import Findings, Sample, findings_of
from telex.adapters.formats.jsonl import BROKEN, NONE, broken_reason
from telex.adapters.kafka.consume.envelopes import envelope_of
from telex.adapters.kafka.consume.record_format import NEWSML, PLAIN, RecordFormat
from telex.adapters.kafka.consume.record_reader import RecordReader
from telex.learners.base import UnclearInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from telex.adapters.kafka.consume.held_records import TopicRecord
    from telex.adapters.kafka.registered_values import RegisteredValues

SAMPLE = 200
"""Records, answers among them, that are waited for where a topic has an end; fewer than of a file, which is there."""
_NOT_OF_TOPICS = ("features", "vector")


@dataclass(frozen=True, slots=True)
class Detected:
    """What a sample says: the format of the records, and the findings about their fields."""

    format: RecordFormat
    findings: Findings

    @classmethod
    def of(
        cls,
        records: Sequence[TopicRecord],
        asked: RecordFormat | None = None,
        values: RegisteredValues | None = None,
        *,
        labelled: bool = True,
    ) -> Detected | None:
        """Return what ``records`` say, beside what was ``asked``; None if not one of them can be read.

        Unless the documents are to be ``labelled``, nothing is said of their labels.

        >>> from telex.adapters.kafka.consume.held_records import TopicRecord
        >>> value = b'{"headline": "Gold", "content": "Gold fell.", "desk": "metals"}'
        >>> print(Detected.of([TopicRecord(("news", 0), 7, 5.0, b"k7", value)]).findings.spec())
        jsonl:text=content,title=headline,labels=desk
        """
        name = asked.name if asked else _name_of(records, values)
        given = dict(asked.settings) if asked else {}
        blank = Findings(name, given=given)
        if name == NEWSML:
            return cls(RecordFormat(NEWSML), replace(blank, records=len(records)))
        reader = RecordReader(RecordFormat.checked(name, given), values)
        rows, broken = list[dict[str, Any]](), list[tuple[str, bytes]]()
        for record in records:
            if reader.is_gone(record):
                continue
            try:
                fields = reader.fields_of(record)
            except BROKEN as error:
                broken.append((broken_reason(error), record.value))
            else:
                rows.append({field: value for field, value in fields.items() if field not in _NOT_OF_TOPICS})
        if not rows:
            return None
        sample = Sample(rows, broken, whole=False)
        known = given if labelled else {"labels": NONE, **given}
        found = findings_of(sample, Findings("jsonl", given=known), labelled=False, readable=False)
        # A document without an id has its record's key.
        guesses = tuple(guess for guess in found.guesses if (guess.option, guess.value) != ("id", NONE))
        found = replace(found, format=name, given=given, guesses=guesses)
        return cls(RecordFormat.checked(name, {**given, **found.settings}), found)

    def check(self, topics: Iterable[str]) -> None:
        """Raise an UnclearInputError with the formats to choose from, if the sample leaves something open."""
        if self.findings.questions:
            question = self.findings.questions[0]
            specs = [self.findings.spec(choice) for choice in question.choices]
            raise UnclearInputError(f"{', '.join(topics)}: {question.cause}", specs)

    def sentences(self, *, labelled: bool) -> list[str]:
        """Return what to say before anything is learnt; unless the documents are to be ``labelled``, not of labels."""
        found = self.findings
        said = found.sentences()
        if labelled and found.fields and not any(role == "labels" for role, *_ in found.roles):
            names = ", ".join(one.name for one in found.fields[:20])
            said.append(
                f"warning: the first {found.records:,} records have no labels, so nothing is learnt of them; there are "
                f"{names}: name a field with --format {found.format}:labels=FIELD, or a topic with --labels-topic"
            )
        return said


def _name_of(records: Sequence[TopicRecord], values: RegisteredValues | None) -> str:
    if all(record.value.lstrip()[:1] == b"<" for record in records):
        return NEWSML
    return envelope_of(_values(records, RecordReader(PLAIN, values))) or "jsonl"


def _values(records: Sequence[TopicRecord], reader: RecordReader) -> Iterator[Any]:
    """Yield the objects in records that hold one."""
    for record in records:
        with suppress(*BROKEN):
            yield reader.value(record.value)

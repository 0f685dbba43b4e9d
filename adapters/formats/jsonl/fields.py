"""What all JSON records have in common: the names of their fields, ids and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from telex.adapters._plain import Plain
from telex.adapters.formats.reading import option_checks
from telex.learners.base import BrokenRecordError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BROKEN = (msgspec.MsgspecError, BrokenRecordError, InputError, UnicodeDecodeError, RecursionError)
_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Fields:
    """The names of the fields in a file.

    ``text`` None means ``text``, or else ``body``; ``vector`` None means ``vector``, where there is neither text nor
    features.
    """

    id: str = "id"
    time: str = "time"
    text: str | None = None
    title: str = "title"
    labels: str = "labels"
    vector: str | None = None

    def __post_init__(self) -> None:
        vector = {} if self.vector is None else {"vector": self.vector}
        option_checks.check_distinct(features="features", **self._names(), **vector)

    def _names(self) -> dict[str, str]:
        text = "text" if self.text is None else self.text
        return {"id": self.id, "time": self.time, "text": text, "title": self.title, "labels": self.labels}

    @property
    def has_body(self) -> bool:
        """Whether a text may also be in the field ``body``."""
        return self.text is None and "body" not in self._names().values()

    def decoder(self, **types: tuple[Any, ...]) -> Callable[[bytes], Any]:
        """Return a decoder for a record with these fields, each given by its type and default.

        The decoder ignores other fields; of a field that comes twice the last one counts.
        """
        named = {**self._names(), "vector": self.vector or "vector"}
        names = {field: name for field, name in named.items() if field in types}
        fields = [(field, *kind) for field, kind in types.items()]
        record = msgspec.defstruct("Record", fields, rename=names, gc=False)
        decode: Callable[[bytes], Any] = msgspec.json.Decoder(record).decode
        return decode

    def plain(self) -> Plain:
        r"""Return a fast reader for lines in the usual form, which collects their documents.

        ``add(data, start, length, labels)`` adds the lines from ``start`` on, up to the first that differs from that
        form, has more than ``length`` bytes of text or more than ``labels`` labels, or a label that :meth:`label` did
        not number before; it returns where that line begins.

        >>> plain = Fields().plain()
        >>> plain.add(b'{"id": 7, "text": "A cup."}\n{"id": "8", "body": "Two."}\n{"id": -9}', 0, 100, 9)
        56
        >>> ids, times, titles, texts, labels, labelled = plain.take(2)
        >>> texts[0].tobytes(), texts[1].tolist()
        (b'A cup.Two.', [0, 6, 10])
        """
        names = {**self._names(), "body": "body" if self.has_body else ""}
        return Plain(**{field: name.encode("utf-8", "surrogatepass") for field, name in names.items()})


ID = (str | int,)
TIME = (str | int | float | None, None)
FEATURES = (msgspec.Raw, msgspec.Raw())


def id_text(value: str | int) -> str:
    """Return an id as text."""
    if value == "":
        raise BrokenRecordError("the id is empty")
    return value if isinstance(value, str) else str(value)


def distinct_labels(labels: Sequence[str]) -> Sequence[str]:
    """Return the labels of a document, each once and without white space around it; none may be empty.

    >>> distinct_labels(["trade", "war", "trade "])
    ['trade', 'war']
    """
    labels = [label.strip() for label in labels]
    if "" in labels:
        raise BrokenRecordError("a label is empty")
    return labels if len(set(labels)) == len(labels) else list(dict.fromkeys(labels))


def broken_reason(error: Exception) -> str:
    """Return in a few words why a record is broken."""
    if isinstance(error, UnicodeDecodeError):
        return "this is not UTF-8"
    if isinstance(error, RecursionError):
        return "this is nested too deeply"
    text = str(error)
    return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + "..."

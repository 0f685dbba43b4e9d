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
        r"""Return a fast reader for whole lines in the usual form; it returns None if any line differs from it.

        >>> Fields().plain().read(b'{"id": 7, "text": "A cup."}\n{"id": "8", "body": "Two."}\n')[::3]
        (['7', '8'], ['A cup.', 'Two.'])
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


def check_labels(labels: Sequence[str]) -> None:
    """Check that no label is empty or comes twice."""
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise BrokenRecordError(f"label {twice[:40]!r} is given twice")
    if "" in labels:
        raise BrokenRecordError("a label is empty")


def broken_reason(error: Exception) -> str:
    """Return in a few words why a record is broken."""
    if isinstance(error, UnicodeDecodeError):
        return "this is not UTF-8"
    if isinstance(error, RecursionError):
        return "this is nested too deeply"
    text = str(error)
    return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + "..."

"""What people type or records hold in one field: times, boundaries, specifications, settings of texts."""

from __future__ import annotations

import math

from checks import check_stories

from telex.adapters.formats import Synthetic
from telex.adapters.formats.reading import epoch_seconds, time_column, time_of_cell
from telex.learners import key_values, learners
from telex.learners.base import BrokenRecordError, TelexError, UsageError
from telex.stream.curves import iso
from telex.stream.sources import boundary
from telex.stream.words import settings


def times(data: bytes) -> None:
    """A time is read or refused, the same alone and in a column; what is read can be written down again."""
    texts = data.decode("utf-8", "surrogateescape").split("\n")[:8]
    values = [number(text) for text in texts]
    read = [stamp(value) for value in values]
    try:
        together: list[float] | None = time_column(values).tolist()
    except BrokenRecordError as error:
        assert str(error)  # noqa: PT017
        together = None
    if None in read:
        assert together is None
    else:
        assert str(together) == str(read)
    for text in texts:
        try:
            time_of_cell(text)
        except BrokenRecordError as error:
            assert str(error)  # noqa: PT017
    for time in read:
        if time is not None and not math.isnan(time):
            iso(time)


def number(text: str) -> str | float | None:
    """Return a number where the text is one, None where it is empty."""
    if not text:
        return None
    try:
        return int(text) if text.lstrip("-").isdecimal() else float(text)
    except ValueError:
        return text


def stamp(value: str | float | None) -> float | None:
    """Return seconds, NaN for no time, None for what is none."""
    try:
        return math.nan if value is None else epoch_seconds(value)
    except BrokenRecordError as error:
        assert str(error)  # noqa: PT017
        return None


def boundaries(data: bytes) -> None:
    """A boundary is read, and can say that it was missed, or is a mistake of usage."""
    try:
        assert boundary(data.decode("utf-8", "surrogateescape")).missed()
    except UsageError as error:
        assert str(error)  # noqa: PT017


def specifications(data: bytes) -> None:
    """A specification makes learners, or is a mistake of usage."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        key_values(text, "the format 'x'")
        assert learners([text])
    except TelexError as error:
        assert str(error)  # noqa: PT017


def text_settings(data: bytes) -> None:
    """Settings of texts make words that can be used, or are a mistake of usage."""
    try:
        words = settings.make_words(data.decode("utf-8", "surrogateescape"))
        if words.fit is None:
            words.features(words.tokenise(["Gold"], ["falls, gold falls"]), 0, 1, True)
    except TelexError as error:
        assert str(error)  # noqa: PT017


def newswires(data: bytes) -> None:
    """Settings of a newswire make one whose first stories are sound, or are a mistake of usage."""
    try:
        check_stories(next(iter(Synthetic("synthetic:" + data.decode("utf-8", "surrogateescape"), rows=2))))
    except TelexError as error:
        assert str(error)  # noqa: PT017

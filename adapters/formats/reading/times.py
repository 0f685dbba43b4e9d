"""Times in the notations that documents use."""

from __future__ import annotations

import datetime
import email.utils
import math
import re
from typing import TYPE_CHECKING, cast

import numpy as np

from telex.learners.base import BrokenRecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.learners.base import Reals

    Time = str | int | float | None

_NUMBER = re.compile(r"-?(\d{1,7}|\d{9,})(\.\d*)?|-?\d{8}\.\d*", re.ASCII)
"""Epoch seconds; eight digits are a date."""
_FIRST, _LAST = -62135596800, 253402300800  # the years 1 to 9999, the ones that can be written again
_PARTS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""How many of a unit are a second."""
TIME_FORMATS = ("iso", *_PARTS, "rfc822", "dmy", "mdy")
_DAYS = re.compile(
    r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:(?:,?\s+|T)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([AP])\.?M\.?)?)?"
    r"(?:\s*(Z|UTC|GMT))?",
    re.ASCII | re.IGNORECASE,
)
_NAMED_ZONE = re.compile(r":\d\d\s+\(?[A-Za-z]")
_NOON = 12
_LONGEST = 100


def epoch_seconds(time: str | float) -> float:
    """Return epoch seconds for ISO 8601 (no offset means UTC) or for epoch seconds.

    >>> epoch_seconds("1996-08-20T00:00:00Z"), epoch_seconds("1996-08-20 02:00+02:00"), epoch_seconds(840499200)
    (840499200.0, 840499200.0, 840499200.0)
    """
    if isinstance(time, str):
        try:
            moment = datetime.datetime.fromisoformat(time)
            stamp = (moment if moment.tzinfo else _utc(moment)).timestamp()
        except ValueError as error:
            raise BrokenRecordError(f"time {time[:40]!r} is neither ISO 8601 nor epoch seconds") from error
    else:
        stamp = time
    if not _FIRST <= stamp < _LAST:
        raise BrokenRecordError(f"time {str(stamp)[:40]} is outside the years 1 to 9999; give epoch seconds")
    return float(stamp)


def time_column(times: Sequence[Time]) -> Reals:
    """Return :func:`epoch_seconds` of each, NaN for None.

    >>> time_column(["1970-01-01T00:01Z", None, 7]).tolist()
    [60.0, nan, 7.0]
    """
    try:
        moments = list(map(datetime.datetime.fromisoformat, cast("Sequence[str]", times)))
        stamps = np.array([(time if time.tzinfo else _utc(time)).timestamp() for time in moments], np.float64)
        sound = bool(((stamps >= _FIRST) & (stamps < _LAST)).all())
    except (TypeError, ValueError):
        sound = False
    if sound:
        return stamps
    # not all are ISO 8601: go one by one, which also finds the error message for the first bad one
    return np.array([math.nan if time is None else epoch_seconds(time) for time in times], np.float64)


def time_of_cell(text: str) -> float:
    """Return :func:`epoch_seconds` of a text that may also be epoch seconds, NaN where it is empty.

    >>> time_of_cell("840499200.5"), time_of_cell("19960820"), time_of_cell(" ")
    (840499200.5, 840499200.0, nan)
    """
    text = text.strip()
    if not text:
        return math.nan
    return epoch_seconds(float(text) if _NUMBER.fullmatch(text) else text)


def time_reader(time_format: str | None = None) -> Callable[[Time], float]:
    """Return what reads times of one format, NaN where there is none.

    ``iso``, the default, is what :func:`time_of_cell` reads. ``s``, ``ms``, ``us`` and ``ns`` are epoch seconds and
    their parts; ``rfc822`` is as in mails and feeds; ``dmy`` and ``mdy`` are days, months and years in that order, with
    points, slashes or dashes between them and perhaps a time of day behind them, of 24 hours or with AM or PM. Whatever
    has a ``%`` is a pattern of Python's ``strptime``, which reads times as if they had no commas. No offset means UTC.

    >>> time_reader("ms")(840499200500), time_reader("rfc822")("Tue, 20 Aug 1996 02:00:00 +0200")
    (840499200.5, 840499200.0)
    >>> time_reader("dmy")("20.08.1996"), time_reader("mdy")("8/20/1996 0:01"), time_reader("%d %b %y")("20 Aug 96")
    (840499200.0, 840499260.0, 840499200.0)
    """
    if time_format is None or time_format == "iso":
        read: Callable[[str | float], float] = lambda given: epoch_seconds(_number_or_text(given))  # noqa: E731
    elif time_format in _PARTS:
        parts = _PARTS[time_format]
        read = lambda given: epoch_seconds(_number(given, time_format) / parts)  # noqa: E731
    elif time_format == "rfc822":
        read = _rfc822
    elif time_format in {"dmy", "mdy"}:
        read = lambda given: _day(given, time_format)  # noqa: E731
    elif "%" in time_format:
        read = lambda given: _by_pattern(given, time_format)  # noqa: E731
    else:
        raise UsageError(
            f"time_format={time_format}: give one of {', '.join(TIME_FORMATS)}, or a pattern such as %d.%m.%Y"
        )
    return lambda given: math.nan if given is None or (isinstance(given, str) and not given.strip()) else read(given)


def _number_or_text(given: str | float) -> str | float:
    text = given.strip() if isinstance(given, str) else given
    return float(text) if isinstance(text, str) and _NUMBER.fullmatch(text) else text


def _number(given: str | float, unit: str) -> float:
    try:
        return float(given)
    except (ValueError, OverflowError) as error:
        raise BrokenRecordError(f"time {str(given)[:40]!r} is no number of {unit}") from error


def _rfc822(given: str | float) -> float:
    try:
        moment = email.utils.parsedate_to_datetime(str(given)[:_LONGEST])
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise BrokenRecordError(f"time {str(given)[:40]!r} is no date of RFC 822") from error
    if moment.tzinfo is None and _NAMED_ZONE.search(str(given)[:_LONGEST]):
        raise BrokenRecordError(f"time {str(given)[:40]!r} is in a zone that RFC 822 lacks; write it as in +0100")
    return epoch_seconds((moment if moment.tzinfo else _utc(moment)).isoformat())


def _day(given: str | float, order: str) -> float:
    wrong = BrokenRecordError(f"time {str(given)[:40]!r} is no date of the form {order}")
    found = _DAYS.fullmatch(str(given).strip()[:_LONGEST])
    if found is None:
        raise wrong
    try:
        day, month = int(found[1]), int(found[3])
        if order == "mdy":
            day, month = month, day
        hour, minute, second = (int(part or 0) for part in found.group(5, 6, 7))
        if half := found[8]:
            if not 1 <= hour <= _NOON:
                raise wrong
            hour = hour % _NOON + (_NOON if half in "Pp" else 0)
        moment = datetime.datetime(int(found[4]), month, day, hour, minute, second, tzinfo=datetime.UTC)
    except ValueError as error:
        raise wrong from error
    return moment.timestamp()


def _by_pattern(given: str | float, pattern: str) -> float:
    try:
        text = str(given)[:_LONGEST].replace(",", " ")
        if "." not in pattern:
            text = text.removesuffix(".0")  # a column of numbers that has gaps holds 2019.0
        moment = datetime.datetime.strptime(" ".join(text.split()), pattern)  # noqa: DTZ007 - see _utc
        return epoch_seconds((moment if moment.tzinfo else _utc(moment)).isoformat())
    except ValueError as error:
        raise BrokenRecordError(f"time {str(given)[:40]!r} does not fit {pattern}") from error


def _utc(moment: datetime.datetime) -> datetime.datetime:
    return moment.replace(tzinfo=datetime.UTC)

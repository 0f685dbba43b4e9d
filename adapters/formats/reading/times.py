"""Times in the notations that documents use."""

from __future__ import annotations

import datetime
import math
import re
from typing import TYPE_CHECKING, cast

import numpy as np

from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Reals

    Time = str | int | float | None

_NUMBER = re.compile(r"-?(\d{1,7}|\d{9,})(\.\d*)?|-?\d{8}\.\d*", re.ASCII)
"""Epoch seconds; eight digits are a date."""
_FIRST, _LAST = -62135596800, 253402300800  # the years 1 to 9999, the ones that can be written again


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


def _utc(moment: datetime.datetime) -> datetime.datetime:
    return moment.replace(tzinfo=datetime.UTC)

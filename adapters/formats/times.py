"""Times as documents give them."""

from __future__ import annotations

import datetime

from telex.learners.errors import BrokenRecordError

_FIRST, _LAST = -62135596800, 253402300800  # the years 1 to 9999, which is what can be written down again


def seconds(time: str | float) -> float:
    """Return epoch seconds for ISO 8601 (no offset means UTC) or for epoch seconds.

    >>> seconds("1996-08-20T00:00:00Z"), seconds("1996-08-20 02:00+02:00"), seconds(840499200)
    (840499200.0, 840499200.0, 840499200.0)
    """
    if isinstance(time, str):
        try:
            moment = datetime.datetime.fromisoformat(time)
        except ValueError as error:
            raise BrokenRecordError(f"time {time[:40]!r} is neither ISO 8601 nor epoch seconds") from error
        return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp()
    if not _FIRST <= time < _LAST:
        raise BrokenRecordError(f"time {time} lies outside the years 1 to 9999; give epoch seconds")
    return float(time)

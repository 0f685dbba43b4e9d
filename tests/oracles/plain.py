"""What plain JSON lines say, by the decoder that reads anything."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from telex.adapters.formats.jsonl import TextRecords
from telex.adapters.formats.jsonl.fields import ID, TIME
from telex.adapters.formats.reading import epoch_seconds

if TYPE_CHECKING:
    from telex.adapters.formats.jsonl import Fields


def check(fields: Fields, data: bytes) -> tuple[bool, bool]:
    """Check that what the native reader finds in these bytes is true; return whether it found texts, and times."""
    plain, rows = fields.plain(), data.split(b"\n")
    if not rows[-1]:
        rows.pop()
    if (columns := plain.read(data)) is not None:
        records = TextRecords(fields)
        for row in rows:
            records.add(row)
        [stories] = records.take()
        wanted = (list(stories.ids), stories.times.tolist(), stories.titles, stories.texts, stories.labels)
        assert repr(columns) == repr(wanted), (
            columns,
            wanted,
        )  # a text, so that NaN is equal to NaN, and -0.0 not to 0.0
    if (told := plain.times(data)) is not None:
        head = fields.decoder(id=ID, time=TIME)
        times = [epoch_seconds(time) for row in rows if (time := head(row).time) is not None]
        first, last = (times[0], times[-1]) if times else (math.nan, math.nan)
        assert repr(told) == repr((first, last, times == sorted(times))), (told, times)
    return columns is not None, told is not None

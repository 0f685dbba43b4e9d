"""What plain JSON lines say, by the decoder that reads anything."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.formats.jsonl import TextRecords
from telex.adapters.formats.jsonl.fields import ID, TIME
from telex.adapters.formats.reading import epoch_seconds
from telex.learners.base import Strings
from telex.stream.sources import LabelColumn

if TYPE_CHECKING:
    from telex.adapters.formats.jsonl import Fields


NAMES = ("sport", "war", "é", "w\nr", "a")
"""The labels that have numbers, and no white space around them."""


def check(fields: Fields, data: bytes) -> tuple[bool, bool]:
    """Check that what the native reader finds in these bytes is true; return whether it found texts, and times."""
    plain, rows = fields.plain(), data.split(b"\n")
    if not rows[-1]:
        rows.pop()
    assert [plain.label(name.encode()) for name in NAMES] == list(range(len(NAMES)))
    stop = plain.add(data, 0, 1 << 20, 64)
    assert stop == len(data) or data[:stop].count(b"\n") == len(plain)
    if len(plain):
        records = TextRecords(fields)
        for row in rows[: len(plain)]:
            records.add(row)
        [stories] = records.take()
        ids, times, titles, texts, (numbers, offsets), labelled = plain.take(len(plain))
        sets = LabelColumn(list(NAMES), offsets, numbers, labelled.view(np.bool_))
        found = (list(Strings(*ids)), times.tolist(), list(Strings(*titles)), list(Strings(*texts)), list(sets))
        wanted = (*map(list, (stories.ids, stories.times.tolist(), stories.titles, stories.texts, stories.labels)),)
        assert repr(found) == repr(wanted), (found, wanted)  # a text, so that NaN is equal to NaN, and -0.0 not to 0.0
    if (told := plain.times(data, 0, len(data))) is not None:
        head = fields.decoder(id=ID, time=TIME)
        times = [epoch_seconds(time) for row in rows if (time := head(row).time) is not None]
        first, last = (times[0], times[-1]) if times else (math.nan, math.nan)
        assert repr(told) == repr((first, last, times == sorted(times))), (told, times)
    return stop == len(data) > 0, told is not None

"""Clocks that jump: whatever the times of documents, a run with late labels, windows and detectors comes to its end."""

from __future__ import annotations

import math
import struct

from telex.learners import MMP, NB, BatchBuilder
from telex.learners.base import TelexError, span
from telex.stream import Lateness, Run

LATE = (
    Lateness(span("labels-after", "3")),
    Lateness(span("labels-after", "2h")),
    Lateness(span("labels-after", "30s"), limit=2),
)
MOST = 64
YEARS = (-62135596800.0, 253402300799.0)


def clocks(data: bytes) -> None:
    """Each eight bytes are a time; documents with those that a format would accept are learnt late."""
    builder, count = BatchBuilder(), 0
    for (given,) in struct.iter_unpack("<d", data[: len(data) // 8 * 8][: 8 * MOST]):
        sound = math.isnan(given) or YEARS[0] <= given <= YEARS[1]
        time = given if sound else math.remainder(given, YEARS[1]) if math.isfinite(given) else math.nan
        builder.add({f"x{count % 5}": 1.0}, [f"l{count % 3}"], id=str(count), time=time)
        count += 1
    if not count:
        return
    try:
        run = Run([builder.take()], {"mmp": MMP(), "nb": NB()}, lateness=LATE[len(data) % len(LATE)])
        for _ in run:
            pass
    except TelexError as error:
        assert str(error)  # noqa: PT017
        return
    summary = run.summary()
    assert summary["documents"] == count
    assert summary["pending"] == 0
    for one in summary["learners"].values():
        assert one["docs"] <= count
        assert one["iserr"] is None or math.isfinite(one["iserr"])

"""Where documents came from, against a plain search."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.kafka.consume.record_origins import RecordOrigin, RecordOrigins
from telex.learners.base import StoppedError, Strings

TABLE = [("wire", 0), ("wire", 3), ("more", 1)]


def plain(told, asked):
    """Walk forward by hand."""
    at = 0
    for name in asked:
        while told[at][0] != name:
            at += 1
        yield told[at][1]
        at += 1


@given(st.integers(0, 1 << 30))
def test_what_is_asked_for_is_found_whatever_was_left_out(seed):
    draw = random.Random(seed)
    origins, told, asked, answers = RecordOrigins(), [], [], []
    left = []  # those that may still be asked for
    for _ in range(draw.randrange(1, 12)):
        rows = [(f"d{draw.randrange(30)}", draw.randrange(3), draw.randrange(99), draw.choice([-1, 5, 1500]))
                for _ in range(draw.randrange(6))]  # fmt: skip
        columns = [np.array([row[i] for row in rows], np.int64) for i in (1, 2, 3)]
        origins.add(Strings.of(row[0] for row in rows), TABLE, *columns)
        told += [(name, RecordOrigin(*TABLE[index], offset, stamp)) for name, index, offset, stamp in rows]
        left += [row[0] for row in rows]
        some = left[: draw.randrange(len(left) + 1)]
        left = left[len(some) :]
        # An id that comes again is left out, as is a document here and there.
        fresh = dict.fromkeys(name for name in some if name not in asked)
        names = [name for name in fresh if draw.randrange(4)]
        asked += names
        found = origins.times(names).tolist() if draw.randrange(2) else list(origins.columns(names))
        answers += found
    assert len(answers) == len(asked)
    expected = [(one, one.timestamp / 1000 if one.timestamp >= 0 else None) for one in plain(told, asked)]
    for found, (origin, time) in zip(answers, expected, strict=True):
        assert found == origin if isinstance(found, RecordOrigin) else (found if found == found else None) == time  # noqa: PLR0124


def test_what_was_passed_is_forgotten():
    origins = RecordOrigins()
    for number in range(100):
        origins.add([f"a{number}", f"b{number}"], TABLE, *np.zeros((3, 2), np.int64))
    assert len(origins) == 200
    origins.columns(["a7"])
    assert len(origins) == 185
    origins.columns(["b99"])
    assert len(origins) == 0


def test_a_document_that_never_came_is_an_error():
    origins = RecordOrigins()
    origins.add(["a"], TABLE, *np.zeros((3, 1), np.int64))
    with pytest.raises(StoppedError, match="the record of document 'b' is not known"):
        origins.columns(["b"])

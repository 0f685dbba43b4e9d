import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats.reading.times import epoch_seconds, time_column, time_of_cell
from telex.learners.base import BrokenRecordError

TIMES = st.one_of(
    st.none(),
    st.integers(-(10**9), 10**9),
    st.floats(-1e9, 1e9),
    st.datetimes().map(lambda moment: moment.isoformat()),
    st.datetimes(timezones=st.timezones()).map(lambda moment: moment.isoformat(" ")),
    st.sampled_from(["1996-08-20", "1996-08-20T01:00:00Z", "19960820T010000+0100"]),
)


def one(time):
    try:
        return math.nan if time is None else epoch_seconds(time)
    except BrokenRecordError:
        return None


@given(st.lists(TIMES, max_size=8))
def test_a_column_is_what_its_times_are_one_by_one(times):
    expected = [one(time) for time in times]
    if None in expected:
        with pytest.raises(BrokenRecordError):
            time_column(times)
    else:
        np.testing.assert_array_equal(time_column(times), expected)


@pytest.mark.parametrize("time", ["0001-01-01T00:00+10:00", "9999-12-31T23:00-02:00", 10**4000, -1e300])
def test_times_that_cannot_be_written_down_again(time):
    with pytest.raises(BrokenRecordError, match="outside the years 1 to 9999") as caught:
        epoch_seconds(time)
    assert len(str(caught.value)) < 120
    with pytest.raises(BrokenRecordError, match="outside the years"):
        time_column([time])


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("840499200", 840499200),
        ("-1.5", -1.5),
        ("0", 0),
        ("19960820", 840499200),
        ("19960820.0", 19960820),
        (" 1996-08-20 ", 840499200),
    ],
)
def test_cells(cell, value):
    assert time_of_cell(cell) == value


def test_cells_that_hold_none():
    assert math.isnan(time_of_cell(" "))
    with pytest.raises(BrokenRecordError, match="time 'n/a' is neither"):
        time_of_cell("n/a")
    with pytest.raises(BrokenRecordError, match="outside"):
        time_of_cell("9" * 5000)

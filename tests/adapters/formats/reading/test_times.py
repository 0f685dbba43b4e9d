import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats.reading.times import epoch_seconds, time_column, time_of_cell, time_reader
from telex.learners.base import BrokenRecordError, UsageError

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


MOMENT = 840502800.0  # 1996-08-20T01:00:00Z


@pytest.mark.parametrize(
    ("time_format", "given"),
    [
        (None, "1996-08-20T01:00Z"),
        ("iso", 840502800),
        ("s", "840502800"),
        ("ms", 840502800000),
        ("us", "840502800000000"),
        ("ns", 840502800000000000),
        ("rfc822", "Tue, 20 Aug 1996 03:00:00 +0200"),
        ("rfc822", "20 Aug 96 01:00 GMT"),
        ("dmy", "20.8.1996 01:00"),
        ("dmy", "20.8.1996 1:00 a.m."),
        ("mdy", "8/20/1996 1:00:00AM UTC"),
        ("rfc822", "Mon, 19 Aug 1996 21:00:00 EDT"),
        ("rfc822", "Tue, 20 Aug 1996 01:00:00 -0000"),
        ("rfc822", "Tue, 20 Aug 1996 01:00:00"),
        ("dmy", "20/08/1996, 1:00:00"),
        ("mdy", "08-20-1996T01:00"),
        ("%d %b %Y %H:%M", " 20 Aug 1996 01:00 "),
        ("%Y-%m-%d %H%z", "1996-08-20 03+0200"),
        ("%B %d %Y %I %p", "August 20, 1996,  1 AM"),
    ],
)
def test_one_moment_in_every_format(time_format, given):
    assert time_reader(time_format)(given) == MOMENT
    assert math.isnan(time_reader(time_format)(None))
    assert math.isnan(time_reader(time_format)("  "))


@pytest.mark.parametrize(
    ("time_format", "given", "reason"),
    [
        ("ms", "yesterday", "is no number of ms"),
        ("ms", 1e300, "outside the years"),
        ("rfc822", "20.08.1996", "is no date of RFC 822"),
        ("rfc822", "x" * 10**6, "is no date of RFC 822"),
        ("rfc822", "Tue, 20 Aug 1996 02:00:00 CET", "is in a zone that RFC 822 lacks; write it as in \\+0100"),
        ("rfc822", "20 Aug 1996 02:00 BST", "is in a zone"),
        ("dmy", "08/20/1996", "is no date of the form dmy"),
        ("dmy", "20.8.1996 13:00 PM", "is no date of the form dmy"),
        ("dmy", "20.8.1996 0:00 AM", "is no date of the form dmy"),
        ("dmy", "20.08/1996", "is no date of the form dmy"),
        ("mdy", 7, "is no date of the form mdy"),
        ("%d.%m.%Y", "20 Aug", "does not fit %d.%m.%Y"),
        (None, "20.08.1996", "is neither ISO 8601 nor epoch seconds"),
    ],
)
def test_a_time_that_is_not_of_the_format(time_format, given, reason):
    with pytest.raises(BrokenRecordError, match=reason) as caught:
        time_reader(time_format)(given)
    assert len(str(caught.value)) < 120


def test_noon_and_midnight():
    read = time_reader("mdy")
    assert [read(f"1/1/1970 {hour}") / 3600 for hour in ("12:00 AM", "12:00 PM", "11:00 pm")] == [0, 12, 23]


def test_numbers_that_a_column_with_gaps_holds():
    assert time_reader("%Y")("1970.0") == time_reader("%Y")(1970.0) == 0


def test_an_unknown_format_of_times():
    with pytest.raises(UsageError, match="time_format=european: give one of iso, s, ms"):
        time_reader("european")

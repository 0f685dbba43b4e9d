"""Where the training part ends."""

import math

import pytest

from telex.learners import BatchBuilder
from telex.learners.base import UsageError
from telex.stream.sources.train_test import AfterId, AfterTime, boundary


def batch_of(*documents):
    builder = BatchBuilder()
    for name, time in documents:
        builder.add({}, [], id=name, time=time)
    return builder.take()


def test_a_bare_date_includes_the_whole_day():
    noon = boundary("1996-08-31T12:00:00Z").last
    day = boundary("1996-08-31").last
    assert day == math.nextafter(noon + 12 * 3600, 0)
    assert boundary("19960831") == boundary("1996-08-31")


@pytest.mark.parametrize(
    "text", ["1996-08-31T12:00", "1996-08-31 12:00", "1996-08-31T14:00+02:00", "841492800", "841492800.0"]
)
def test_times(text):
    assert boundary(text) == AfterTime(841492800.0)


NOWHERE = ["", "soon", "id:", "n:", "n:0", "n:-3", "n:1.5", "5000", "x:3", "1996-13-01", "nan", "inf"]


@pytest.mark.parametrize("text", [*NOWHERE, "9" * 400, "n:" + "9" * 5000], ids=lambda text: text[:10])
def test_what_is_none(text):
    with pytest.raises(UsageError, match="such as 1996-08-31, id:2286 or n:2000"):
        boundary(text)


def test_an_id_may_hold_colons():
    assert boundary("id:urn:newsml:1") == AfterId("urn:newsml:1")


@pytest.mark.parametrize(("wanted", "rows"), [("a", 1), ("bb", 2), ("ü", 3), ("b", None), ("ab", None), ("abb", None)])
def test_ids_are_whole(wanted, rows):
    batch = batch_of(("a", 0.0), ("bb", 0.0), ("ü", 0.0))
    assert AfterId(wanted).training_rows(batch, 0) == rows
    assert AfterId("a").training_rows(batch.rows(1, 3), 1) is None


def test_times_that_are_missing_decide_nothing():
    batch = batch_of(("a", math.nan), ("b", 5.0), ("c", math.nan), ("d", 5.5), ("e", 1.0))
    assert AfterTime(5.0).training_rows(batch, 0) == 3
    assert AfterTime(6.0).training_rows(batch, 0) is None
    assert AfterTime(4.0).training_rows(batch, 0) == 1
    assert AfterTime(0.0).training_rows(batch.rows(1, 2), 1) == 0


def test_a_number_of_documents_counts_from_the_start_of_the_stream():
    batch = batch_of(("a", 0.0), ("b", 0.0), ("c", 0.0))
    assert boundary("n:12").training_rows(batch, 10) == 2
    assert boundary("n:13").training_rows(batch, 10) == 3
    assert boundary("n:14").training_rows(batch, 10) is None

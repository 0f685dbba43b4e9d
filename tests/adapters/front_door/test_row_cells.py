"""Cells of rows, as the libraries hold them."""

import datetime
import math

import numpy as np
import pandas
import pytest

from telex.adapters.front_door import row_cells as cells
from telex.learners.base import BrokenRecordError

MOMENT = 840499200.0


@pytest.mark.parametrize(
    "cell",
    [
        "1996-08-20",
        "1996-08-20T02:00:00+02:00",
        840499200,
        np.float32(MOMENT),
        datetime.date(1996, 8, 20),
        datetime.datetime(1996, 8, 20),  # noqa: DTZ001 - one without a zone is UTC
        datetime.datetime(1996, 8, 20, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
        np.datetime64("1996-08-20"),
    ],
)
def test_a_moment_in_many_types(cell):
    assert cells.time_of(cell) == pytest.approx(MOMENT, abs=64)  # float32 has 24 bits


def test_no_time():
    assert all(math.isnan(cells.time_of(cell)) for cell in (None, float("nan"), np.datetime64("NaT"), ""))
    with pytest.raises(BrokenRecordError, match="type bool; give datetimes"):
        cells.time_of(True)


def test_pandas_gaps_are_gaps():
    assert all(map(cells.is_null, (pandas.NA, pandas.NaT, None, np.float32("nan"))))
    assert cells.time_of(pandas.Timestamp("1996-08-20")) == MOMENT


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        (["b", "a", "b"], ["b", "a"]),
        (("a",), ["a"]),
        ({"b", "a"}, ["a", "b"]),
        (np.array(["a", "b"]), ["a", "b"]),
        ({"a": True, "b": False}, ["a"]),
        ({"a": "0", "b": "1", "c": float("nan"), "d": np.True_, "e": None, "f": 1.0}, ["b", "d", "f"]),
        ({7: 1, 8: 0}, ["7"]),
        (7, ["7"]),
        (7.0, ["7"]),
        (np.int64(7), ["7"]),
        (True, ["true"]),
        ([], []),
        (None, None),
        (float("nan"), None),
    ],
)
def test_labels_in_many_types(cell, labels):
    assert cells.labels_of(cell) == labels


@pytest.mark.parametrize(
    ("cell", "classes", "reason"),
    [
        ([""], (), "a label is empty"),
        ([None], (), "a label is null"),
        (0.5, (), "the label '0.5' is neither"),
        ({"a": 0.5}, (), "holds '0.5', neither 0 nor 1"),
        (2, ("a", "b"), "there is no class 2; there are 2"),
        (-2, ("a", "b"), "there is no class -2"),
    ],
)
def test_broken_labels(cell, classes, reason):
    with pytest.raises(BrokenRecordError, match=reason):
        cells.labels_of(cell, classes)


def test_texts():
    assert cells.text_of("a", "text") == "a"
    assert cells.text_of(None, "title") == ""
    for cell, reason in ((None, "the text is missing"), (7, "of type int"), ("\ud800", "not valid Unicode")):
        with pytest.raises(BrokenRecordError, match=reason):
            cells.text_of(cell, "text")


def test_ids():
    assert [cells.id_of(cell) for cell in (7, 7.0, "a")] == ["7", "7", "a"]
    for cell in (None, 7.5, ""):
        with pytest.raises(BrokenRecordError, match="the id"):
            cells.id_of(cell)

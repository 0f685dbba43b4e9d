"""Documents of any archive are checked, and what is refused leaves the others as they were."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import BatchBuilder
from telex.stream.sources import Answer, Arrivals, DeadLetter, Features, RecordBudget, Story
from telex.stream.sources.stages import CheckRecords
from telex.testing import ListArchive

BUDGET = RecordBudget(labels=3, new_labels=2, all_labels=6, terms=3, value=10)
ROWS = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from("vwxyz"), st.sampled_from([1.0, -10.0, 11.0, -12.0, 3e38])),
        st.none() | st.lists(st.sampled_from("abcdefghij"), max_size=5, unique=True),
    ),
    max_size=25,
)


def refused(rows):
    met, found = set(), []
    for number, (features, labels) in enumerate(rows):
        new = set(labels or ()) - met
        if (
            len(features) > 3
            or any(abs(value) > 10 for value in features.values())
            or len(labels or ()) > 3
            or len(new) > 2
            or (new and len(met) + len(new) > 6)
        ):
            found.append(str(number))
        else:
            met |= new
    return found


@given(ROWS, st.integers(1, 9), st.integers(0, 3))
def test_rows_are_refused_by_their_order_alone(rows, size, lead):
    builder = BatchBuilder()
    for features, labels in [({}, None)] * lead + rows:
        builder.add(features, labels)
    whole = builder.take()
    batches = [whole.rows(at, min(at + size, len(whole))) for at in range(lead, len(whole), size)]
    archive = ListArchive(batches)
    archive.budget = BUDGET
    source = Features(archive)
    for _ in range(2):  # every pass refuses the same
        kept, gone, number = [], [], lead
        for item in source:
            if isinstance(item, DeadLetter):
                gone.append(str(int(item.raw.split(b'"')[3]) - lead))
                assert (item.stage, item.line, item.offset) == ("decode", None, None)
            else:
                kept += [str(int(name) - lead) for name in item.ids]
                number += len(item)
        assert gone == refused(rows)
        assert kept == [str(row) for row in range(len(rows)) if str(row) not in gone]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_beyond_any_limit(value):
    builder = BatchBuilder()
    builder.add({"a": 1.0}, ["x"])
    batch = builder.take()
    batch.values[:] = np.float32(value)
    archive = ListArchive([batch])
    [letter] = CheckRecords(archive)(archive)
    assert "--budget value=N" in letter.reason


def test_stories_and_late_answers():
    archive = ListArchive(
        [
            Story("1", "gold", labels=["a"]),
            Answer("1", list("abcd")),
            Story("2", "cup", labels=list("abcd")),
            Answer("2", ["a"]),
            Story("3", "war", labels=None),
        ]
    )
    archive.budget = BUDGET
    found = list(CheckRecords(archive)(archive))
    letters = [(item.stage, item.raw) for item in found if isinstance(item, DeadLetter)]
    assert letters == [("answer", b'{"id": "1"}'), ("decode", b'{"id": "2"}')]
    rest = [item for item in found if isinstance(item, Arrivals)]
    assert [name for item in rest for name in item.ids] == ["1", "3"]
    assert [name for item in rest for name in item.answers.ids] == ["2"]


def test_an_archive_that_checks_by_itself_passes_unchanged():
    archive = ListArchive([Story("1", "gold", labels=list("abcd"))])
    archive.budget, type(archive).checks_records = BUDGET, True
    try:
        assert len(list(CheckRecords(archive)(archive))) == 1
    finally:
        del type(archive).checks_records

"""Columns of texts, and sets of labels as plain data: label_sets.py stores them by such a column."""

from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import Strings, load_label_sets, save_label_sets

texts = st.lists(st.text(st.characters(), max_size=6), max_size=9)


@given(some=texts, data=st.data())
def test_a_column_is_a_list_of_texts(some, data):
    column = Strings.of(some)
    assert (list(column), len(column)) == (some, len(some))
    assert [column[i] for i in range(len(some))] == some
    start = data.draw(st.integers(0, len(some)))
    stop = data.draw(st.integers(start, len(some)))
    assert list(column[start:stop]) == list(column.rows(start, stop))
    assert list(column[stop:start]) == some[stop:start]
    part = column.rows(start, stop)
    assert (list(part), [part[i] for i in range(len(part))]) == (some[start:stop], some[start:stop])


@given(sets=st.lists(st.lists(st.text(max_size=4), max_size=4).map(tuple), max_size=6))
def test_sets_of_labels_come_back(sets):
    assert load_label_sets(save_label_sets(sets)) == sets

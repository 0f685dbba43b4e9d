"""What labels are beside a tree does not depend on how the stream is cut, or on whether they come late."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners import BatchBuilder
from telex.learners.base import UsageError
from telex.learners.trees import Tree
from telex.stream.sources import Answers, Arrivals, TreeLabels, check_ancestors

TREE = Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)])
LABELS = [*TREE.labels, "war", "peace", "art"]
SETS = st.lists(st.sampled_from(LABELS), max_size=3, unique=True).map(sorted)
MESSAGE = (
    "the tree has none of the stream's labels: the stream has 'war', the tree 'energy', 'sport', 'crude', 'gas'; give "
    "the tree of these labels, or none"
)


def arrivals(documents, answers=()):
    """Documents by their labels, and answers as (row, labels)."""
    builder = BatchBuilder()
    for one in documents:
        builder.add({}, one)
    rows = np.array([row for row, _ in answers], np.int32)
    return Arrivals(builder.take(), Answers(rows, [f"d{row}" for row, _ in answers], [one for _, one in answers]))


@given(st.lists(st.none() | SETS, max_size=9), st.lists(st.tuples(st.integers(0, 9), SETS)), st.data(), st.booleans())
def test_cuts_leave_no_trace(documents, answers, data, close):
    answers = sorted(((min(row, len(documents)), one) for row, one in answers), key=lambda one: one[0])
    whole, cuts = arrivals(documents, answers), data.draw(st.lists(st.integers(0, len(documents))))
    together, apart = TreeLabels(TREE, close=close), TreeLabels(TREE, close=close)
    found = together.take(whole)
    pieces, start = [], 0
    for stop in [*sorted({*cuts} - {0, len(documents)}), len(documents)]:
        pieces.append(apart.take(whole.rows(start, stop)))
        saved, apart = apart.save(), TreeLabels(TREE, close=close)
        apart.load(saved)
        start = stop
    assert apart.figures() == together.figures()
    assert list(apart.lacking) == list(together.lacking)
    rows = [piece.documents.labels_of(row) for piece in pieces for row in range(len(piece))]
    assert rows == [found.documents.labels_of(row) for row in range(len(found))]
    closed = [sorted(TREE.closed(one)) if close else one for _, one in answers]
    assert [sorted(one) for one in found.answers.labels] == closed


def test_labels_are_named_in_the_order_of_the_stream():
    along = TreeLabels(TREE, close=False)
    answers = [(0, ["art"]), (1, ["music", "gas", "dance"]), (2, ["war", "x"])]
    item = arrivals([["war"], ["gas", "peace"]], answers)
    assert along.take(item) is item
    assert along.figures() == {"not_in_tree": {"labels": 6, "first": ["art", "war", "dance", "music", "peace"]}}


def test_late_answers_are_closed_too():
    along = TreeLabels(TREE, close=True)
    found = along.take(arrivals([["gas"], None], [(1, ["crude"]), (2, ["energy", "gas"]), (2, [])]))
    assert [sorted(one) for one in found.answers.labels] == [["crude", "energy"], ["energy", "gas"], []]
    assert along.figures() == {"ancestors": {"documents": 2, "labels": 2}}


def test_later_passes_are_not_counted():
    along = TreeLabels(TREE, close=True)
    for first in (True, False):
        assert along.take(arrivals([["gas"]]), counting=first).documents.labels_of(0) == ["energy", "gas"]
    assert along.figures() == {"ancestors": {"documents": 1, "labels": 1}}


@given(st.integers(0, 3), st.lists(st.integers(1, 700), max_size=6))
def test_a_tree_of_other_labels_is_noticed_after_a_thousand_sets(late, sizes):
    # Of every two documents one has labels; `late` of 1,000 sets come as answers, before the document 500.
    documents = [["war"] if row % 2 else None for row in range(2 * (1_000 - late) + 300)]
    whole, along = arrivals(documents, [(500, ["war"])] * late), TreeLabels(TREE, close=False)
    start = 0
    for size in [*sizes, len(documents)]:
        stop = min(start + size, len(documents))
        end = along.end_of_doubt(whole.rows(start, stop))
        along.take(whole.rows(start, stop if end is None else start + end))
        if end is not None:
            assert start + end == 2 * (1_000 - late)
            assert str(along.error()) == MESSAGE
            return
        start = stop
    raise AssertionError("it was not noticed")


def test_one_known_label_is_enough_for_ever():
    along = TreeLabels(TREE, close=False)
    assert along.end_of_doubt(arrivals([["war"]] * 998 + [["gas"]] + [["war"]] * 5)) is None
    again = TreeLabels(TREE, close=False)
    again.load(along.save())
    assert again.end_of_doubt(arrivals([["war"]] * 3_000)) is None
    again.check_end()


def test_the_end_of_the_stream():
    along = TreeLabels(TREE, close=False)
    along.check_end()
    item = arrivals([None, [], ["war"]])
    assert along.end_of_doubt(item) is None
    along.take(item)
    with pytest.raises(UsageError, match=re.escape(MESSAGE)):
        along.check_end()


def test_labels_that_are_paths_are_never_lacking():
    along = TreeLabels(Tree.of_paths("/"), close=True)
    item = arrivals([["a/b"], ["c"]], [(2, ["a/d/e"])])
    assert along.end_of_doubt(item) is None
    found = along.take(item)
    along.check_end()
    assert found.documents.labels_of(0) == ["a", "a/b"]
    assert sorted(found.answers.labels[0]) == ["a", "a/d", "a/d/e"]
    assert along.figures() == {"ancestors": {"documents": 2, "labels": 3}}


@pytest.mark.parametrize(
    ("ancestors", "tree", "message"),
    [("shut", TREE, "ancestors is 'shut'; choose one of keep, close"), ("close", None, "needs the tree that has them")],
)
def test_wrong_settings(ancestors, tree, message):
    with pytest.raises(UsageError, match=message):
        check_ancestors(ancestors, tree)

"""Answers that are withdrawn: before they are learnt, afterwards, and where there are none."""

import numpy as np
import pytest

from telex.learners import BatchBuilder, Last
from telex.learners.base import Span
from telex.learners.trees import Tree
from telex.stream import Run
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Answers, Arrivals


def outcome(told, count=6, tree=None, **lateness):
    """Run with what is said, (before which row, about which document, label or None); return counts but those of 0."""
    builder = BatchBuilder()
    for i in range(count):
        builder.add({"cup": 1.0}, None, id=f"d{i}")
    answers = Answers(
        np.array([row for row, _, _ in told], np.int32),
        [f"d{about}" for _, about, _ in told],
        [None if label is None else [label] for _, _, label in told],
    )
    how = {"tree": tree, "ancestors": "close"} if tree else {}
    run = Run([Arrivals(builder.take(), answers)], {"last": Last()}, lateness=Lateness(by_id=True, **lateness), **how)
    list(run)
    found = run.summary()
    names = ("withdrawn", "withdrawn_too_late", "withdrawn_unknown", "unclaimed", "corrections")
    return found["learners"]["last"]["docs"], {name: found[name] for name in names if found[name]}


def test_an_answer_that_waits_for_its_document_is_dropped():
    assert outcome([(0, 3, "war"), (1, 3, None)]) == (0, {"withdrawn": 1})


def test_a_withdrawn_answer_may_be_given_again():
    assert outcome([(0, 3, "war"), (1, 3, None), (2, 3, "sport")]) == (1, {"withdrawn": 1})


def test_an_answer_that_is_learnt_stays_learnt():
    assert outcome([(1, 0, "war"), (2, 0, None), (3, 0, None)]) == (1, {"withdrawn_too_late": 2})


@pytest.mark.parametrize("row", [2, 6])
def test_one_that_may_be_or_could_be_corrected_is_learnt_too(row):
    assert outcome([(1, 0, "war"), (row, 0, None)], correct=Span(documents=3)) == (1, {"withdrawn_too_late": 1})


def test_a_document_that_waits_goes_on_waiting():
    assert outcome([(2, 0, None), (3, 0, "war")]) == (1, {"withdrawn_unknown": 1})


def test_of_a_document_that_was_never_answered_or_never_came_there_is_nothing_to_withdraw():
    assert outcome([(5, 0, None), (6, 77, None)], expire=3) == (0, {"withdrawn_unknown": 2})


def test_withdrawals_do_not_count_among_the_labels_of_a_tree():
    tree = Tree.of([("war", "world")])
    assert outcome([(0, 3, "war"), (1, 3, None), (3, 2, "war")], tree=tree) == (1, {"withdrawn": 1})

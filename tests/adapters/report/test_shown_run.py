"""What one glance at a run takes in."""

import numpy as np

from telex.adapters.report import shown_run
from telex.learners import describe_losses
from telex.learners.losses import Loss


class Missed(Loss):
    """Labels missed."""

    name = "missed"

    def of(self, judged):
        return judged.fn.astype(float)


SUMMARY = {
    "documents": 3,
    "labels": 2,
    "learners": {"mmp": {"iserr": 0.5, "missed": 1.0}, "nb": {"iserr": 0.25, "missed": None}},
}
CURVES = {"mmp": {"documents": np.array([3]), "iserr": np.array([0.5]), "missed": np.array([1.0])}}


def test_it_has_a_headline_and_marks_the_best():
    shown = shown_run("news", SUMMARY, CURVES, describe_losses([Missed()]))
    assert shown.headline == "iserr"
    assert shown.text().splitlines() == [
        "news: 3 documents, 2 labels",
        "learner   iserr  missed",
        "mmp       0.500   1.000",
        "nb       *0.250       -",
        "* best of its column",
    ]


def test_a_loss_of_ones_own_can_be_the_headline():
    summary = {"learners": {"mmp": {"missed": 1.0}}}
    assert shown_run("news", summary, CURVES, describe_losses([Missed()])).headline == "missed"


def test_nothing_yet():
    assert shown_run("news", {}, {}, {}).text() == "news: 0 documents, 0 labels"


def test_a_learner_that_failed_is_left_out():
    summary = {**SUMMARY, "set_aside": {"nb": {}}, "dead_letters": 2}
    shown = shown_run("news", summary, CURVES, describe_losses(), "so far ")
    assert list(shown.learners) == ["mmp"]
    assert shown.state == "so far 3 documents, 2 labels, 2 broken records"

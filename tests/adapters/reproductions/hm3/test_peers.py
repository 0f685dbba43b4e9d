"""The figures by their definitions, repair, and the choice of a strength."""

import numpy as np
import pytest

from telex.adapters.reproductions.hm3.peers import CLOSED, LEARNERS, SETTINGS, CheckedSets, Plan, compare, predicted
from telex.adapters.reproductions.hm3.tree_collections import Split, rcv1
from telex.learners import BatchBuilder, Predictions
from telex.learners.base import Names, UsageError
from telex.learners.trees import Tree
from telex.learners.trees.fitted import HM3, HRLS, HSVM, SVM

TREE = Tree.of([("a", None), ("b", "a"), ("c", "a"), ("d", "b")])
TRUE = [["a", "b"], ["a", "c"], [], ["a", "b", "d"]]
SAID = [["a", "b"], ["c"], ["a"], ["a", "d"]]


def answered(sets=SAID):
    builder = BatchBuilder()
    for labels in TRUE:
        builder.add({"x": 1.0}, labels)
    batch = builder.take()
    relevant = np.array([[label in one for label in TREE.labels] for one in sets])
    said = Predictions.of_all(relevant.astype(np.float32), relevant, batch, Names(TREE.labels), 0)
    return CheckedSets(said, batch, TREE)


def test_figures():
    found = answered().figures()
    assert found == {
        "zero_one": 75.0,  # the first alone is right
        "l_delta": 3 / 4,  # a missing, a too many, b missing
        "l_h": pytest.approx((0 + 1 + 1 + 0.5) / 4),  # sibling: a 1, b and c 1/2, d 1/2
        "precision": 5 / 6,
        "recall": 5 / 7,
        "f1": pytest.approx(10 / 13),
        "f1_below": pytest.approx(6 / 7),  # b, c, d: 3 right, 0 too many, 1 missing
        "invalid": 50.0,
    }


def test_closed_sets_have_all_ancestors():
    found = answered().closed()
    assert [sorted(found.predictions.set_of(k)) for k in range(4)] == [sorted(TREE.closed(one)) for one in SAID]
    assert found.figures()["invalid"] == 0
    assert found.figures()["zero_one"] == 25.0


def test_nothing_to_find():
    builder = BatchBuilder()
    builder.add({"x": 1.0}, [])
    batch = builder.take()
    said = Predictions.of_all(np.zeros((1, 4), np.float32), np.zeros((1, 4), bool), batch, Names(TREE.labels), 0)
    figures = CheckedSets(said, batch, TREE).figures()
    assert (figures["zero_one"], figures["f1"], figures["precision"]) == (0, 1, 1)


def test_learners_get_their_settings():
    plan = Plan(passes=7, gap=0.25)
    made = {name: plan.make(name, 4.0, bias=True) for name in LEARNERS}
    assert [type(one) for one in made.values()] == [SVM, HSVM, HRLS, *[HM3] * 6]
    assert made["hrls"].strength == 0.25
    assert all(one.C == 4.0 for name, one in made.items() if name != "hrls")
    assert all(one.bias for one in made.values())
    tree = made["hm3 htilde subtree"]
    assert (tree.loss, tree.scaling, tree.passes, tree.gap) == ("htilde", "subtree", 7, 0.25)


@pytest.fixture(scope="module")
def split(rcv1_folder):
    whole, tree = rcv1(rcv1_folder)
    return Split(whole.rows(0, 50), whole.rows(50, 90), tree)


def test_the_strength_with_the_fewest_wrong_sets_is_chosen(split):
    plan = Plan(strengths=(1.0, 0.001, 0.05))
    inner = split._replace(train=split.train.rows(0, 40), test=split.train.rows(40, 50))
    for name in ("hsvm", "hrls"):
        wrong = {s: predicted(plan.make(name, s, bias=False), inner).wrong for s in plan.strengths}
        assert len(set(wrong.values())) > 1
        assert plan.choose(name, split) == min(s for s in wrong if wrong[s] == min(wrong.values()))


def test_all_learners_are_compared(split):
    said = []
    found = compare([split, split], Plan(strengths=(1.0,), passes=5, bias=True), said.append)
    assert said[0] == "svm, split 1 of 2"
    assert len(said) == 2 * len(LEARNERS)
    assert list(found["ours"]) == list(SETTINGS)
    for table in found["ours"].values():
        assert set(table) == {CLOSED, *LEARNERS}
        for name, figures in table.items():
            assert all(a == b for a, b in figures.values())
            assert name == "svm" or figures["invalid"] == [0, 0]
    assert found["chosen"] == {name: [1.0, 1.0] for name in LEARNERS}
    assert found["ours"]["validated"]["hrls"] == found["ours"]["one_bias"]["hrls"] != found["ours"]["one"]["hrls"]


@pytest.mark.parametrize("strengths", [(), (0.0, 1.0)])
def test_strengths_that_are_none(split, strengths):
    with pytest.raises(UsageError, match="seeds or strengths are missing, or not above 0"):
        compare([split], Plan(strengths=strengths), print)

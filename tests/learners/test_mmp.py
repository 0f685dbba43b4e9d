import random

import pytest
from oracles import mmp
from oracles.compare import agree, batch_of
from oracles.kinds import LOSSES, PENALTIES

from telex.learners import MMP


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_with_every_penalty(loss, penalty, zipf):
    agree(MMP(loss, penalty), mmp.MMP(loss, penalty), zipf)


@pytest.mark.parametrize("stream", ["exact", "patchy", "dense"])
@pytest.mark.parametrize(("loss", "penalty"), list(zip(LOSSES, PENALTIES, strict=True)))
def test_other_streams(loss, penalty, stream, request):
    agree(MMP(loss, penalty), mmp.MMP(loss, penalty), request.getfixturevalue(stream))


@pytest.mark.parametrize(("loss", "penalty"), list(zip(LOSSES, reversed(PENALTIES), strict=True)))
@pytest.mark.parametrize("options", [{"averaged": True}, {"init": "random", "seed": 9}], ids=str)
def test_options(loss, penalty, options, patchy):
    agree(MMP(loss, penalty, **options), mmp.MMP(loss, penalty, **options), patchy)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_ties_and_chances_follow_the_seed(penalty, exact):
    agree(MMP("avgp", penalty, seed=2**40), mmp.MMP("avgp", penalty, seed=2**40), exact)


@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
@pytest.mark.parametrize("r", [0.05, 1.0])
def test_margins(stream, r, request):
    agree(MMP(update="arow", r=r, seed=3), mmp.MarginMMP(r=r, seed=3), request.getfixturevalue(stream))


def test_margins_by_hand():
    learner = MMP(update="arow")
    learner.learn_one({"a": 1.0}, ["x"])
    # no label to rank against but the one that never was (last): it falls short by 1, the threshold by half of that,
    # and half of each remains to be known: 1 / (1 + r)
    assert learner.arrays()["weights"].tolist() == [[-0.25, 0, -0.5]]
    assert learner.arrays()["weights_spent"].tolist() == [[0.5, 0, 0.5]]
    learner.learn_one({"b": 1.0}, ["y"])
    # y began as that label. Nothing of b is known: x and it fall short by 1, y does so against x alone
    assert learner.arrays()["weights"].tolist() == [[-0.25, 0, -0.5, -0.5], [0, -0.5, 0.5, -0.5]]
    assert learner.scores(batch_of([({"a": 1.0}, None)])).relevant.tolist() == [[True, False]]


def test_the_first_documents_by_hand():
    learner = MMP("errsetsize")
    learner.learn_one({"a": 1.0}, ["x", "y"])  # nothing is irrelevant yet: only the threshold moves
    assert learner.arrays()["weights"].tolist() == [[-2, 0, 0]]
    learner.learn_one({"a": 1.0}, ["z"])  # x and y are above z and above the threshold
    assert learner.arrays()["weights"].tolist() == [[-1, -1, -1, 2]]


@pytest.mark.parametrize("loss", LOSSES)
def test_documents_of_many_labels(loss):
    rng = random.Random(3)
    names = [f"L{i:03}" for i in range(400)]
    documents = [({"a": 1.0, f"b{i}": 1.0}, sorted(rng.sample(names, 270))) for i in range(5)]
    agree(MMP(loss), mmp.MMP(loss), documents)

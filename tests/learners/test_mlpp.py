import numpy as np
import pytest
from oracles import mlpp
from oracles.compare import agree, batch_of, said
from oracles.kinds import DECODINGS

from telex.learners import MLPP
from telex.learners.errors import TelexError


@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
@pytest.mark.parametrize("options", [{}, {"averaged": True}, {"init": "random", "seed": 5}], ids=str)
def test_votes(stream, options, request):
    agree(MLPP(**options), mlpp.MLPP(**options), request.getfixturevalue(stream))


@pytest.mark.parametrize("decode", DECODINGS)
def test_decodings_where_every_sum_is_exact(decode, exact):
    agree(MLPP(decode, seed=3), mlpp.MLPP(decode, seed=3), exact)


@pytest.mark.parametrize("stream", ["zipf", "dense"])
@pytest.mark.parametrize("options", [{}, {"averaged": True}, {"init": "random"}], ids=str)
def test_weighted(stream, options, request):
    agree(
        MLPP("weighted", **options),
        mlpp.MLPP("weighted", **options),
        request.getfixturevalue(stream),
        tolerance=1e-4,
    )


@pytest.mark.parametrize("options", [{}, {"averaged": True}], ids=str)
def test_votes_with_weights_order_equal_votes_by_weighted_sums(options, zipf):
    batch = batch_of(zipf)
    by_votes, by_weight, both = MLPP(**options), MLPP("weighted", **options), MLPP("votes+weight", **options)
    for learner in (by_votes, by_weight, both):
        learner.learn(batch)
    votes, weighted, sums = (learner.scores(batch).scores for learner in (by_votes, by_weight, both))
    assert np.array_equal(np.floor(sums), votes)
    assert (sums % 1 < by_votes.known / 4096).all()
    ordered = 0
    for k in range(len(batch)):
        for c in range(by_votes.known):
            below = (votes[k] == votes[k, c]) & (weighted[k] < weighted[k, c])
            assert sums[k, c] == votes[k, c] + np.sum(below) / 4096
            ordered += below.sum()
    assert ordered > 100
    sets = [[said(learner.scores(batch), k)[1] for k in range(len(batch))] for learner in (by_votes, both)]
    assert sets[0] == sets[1]


def test_one_document_by_hand():
    learner = MLPP()
    learner.learn_one({"a": 1.0}, ["x", "y"])
    learner.learn_one({"a": 1.0}, ["z"])
    assert learner.arrays()["pairs"].tolist() == [[0, -2, -2]]
    scores, _, ranking = said(learner.scores(batch_of([({"a": 1.0}, None)])), 0)
    assert scores == {"x": 1, "y": 0, "z": 2}
    assert ranking == ["z", "x", "y"]


def test_at_most_4096_labels():
    learner = MLPP()
    with pytest.raises(TelexError, match=r"4,?096"):
        learner.learn_one({}, [f"label {i}" for i in range(4097)])

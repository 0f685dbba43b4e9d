import dataclasses
import math

import numpy as np
import pytest
from oracles import nb
from oracles.compare import agree, batch_of, forgetful_batch, said, told

from telex.learners import NB, Events

VARIANTS = ["dirichlet", "multinomial", "complement", "normalised"]
STREAMS = ["zipf", "exact", "patchy", "dense"]
PAPER = {"variant": "multinomial", "alpha": 1, "counts": "weights"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("stream", STREAMS)
def test_every_count_and_score(stream, variant, request):
    agree(NB(variant), nb.NB(variant), request.getfixturevalue(stream), tolerance=1e-4)


@pytest.mark.parametrize("stream", STREAMS)
def test_the_paper(stream, request):
    agree(NB(**PAPER), nb.NB(**PAPER), request.getfixturevalue(stream), tolerance=1e-4)


def test_log_odds_by_hand():
    learner = NB(**PAPER)
    learner.learn_one({"a": 2.0, "b": 1.0}, ["x"])
    learner.learn_one({"b": 1.0, "c": -3.0}, [])
    scores, chosen, _ = said(learner.scores(batch_of([({"a": 1.0, "b": 2.0}, None)])), 0)
    expected = np.log(3 / 1) + 2 * np.log(2 / 2) + np.log(2 / 2) - 3 * np.log((3 + 3) / (1 + 3))
    assert scores["x"] == pytest.approx(expected, rel=1e-5)
    assert chosen == set()


def test_the_default_by_hand():
    learner = NB(alpha=0.5)
    learner.learn_one({"a": 3.0, "b": -1.0}, ["x"])  # counts 1
    learner.learn_one({"a": 1.0, "c": 1.0}, [])  # each counts sqrt(1/2)
    half = math.sqrt(0.5)
    share = 1.5 / (1 + 2 * half)  # of 3 features, .5 each, that is added in total to one feature's count
    a = np.log((1 + share * (1 + half)) / (half + share * (1 + half)))
    c = np.log(share * half / (half + share * half))
    whole = np.log((1 + 1.5) / (2 * half + 1.5))
    scores = learner.scores_one({"a": 2.0, "c": 2.0, "never seen": 2.0})
    each = 3**0.25 / math.sqrt(3)
    assert scores["x"] == pytest.approx(each * (a + c - 2 * whole) + np.log(2 / 2), rel=1e-5)


def counted(batch, often):
    """The batch with counts beside its values."""
    return dataclasses.replace(batch, counts=np.array(often, np.float32))


@pytest.mark.parametrize("counts", ["unit", "terms", "weights"])
def test_counts_of_terms_are_counted_instead_of_their_weights(counts):
    weighted = [({"a": 0.6, "b": 0.8}, ["x"]), ({"a": 0.28, "c": 0.96}, ["y"]), ({"b": 0.6, "c": 0.8}, None)]
    bare = [({"a": 1.0, "b": 2.0}, ["x"]), ({"a": 3.0, "c": 4.0}, ["y"]), ({"b": 5.0, "c": 6.0}, None)]
    one, two = NB(counts=counts), NB(counts=counts)
    found = one.progress(Events(counted(batch_of(weighted), [1, 2, 3, 4, 5, 6])))
    expected = two.progress(Events(batch_of(weighted if counts == "weights" else bare)))
    assert told(found) == told(expected)
    assert one.arrays()["counts"].tobytes() == two.arrays()["counts"].tobytes()
    reasons = one.reasons(counted(batch_of(weighted), [1, 2, 3, 4, 5, 6]), 2)
    total = reasons.base + reasons.contributions.sum(axis=0)
    assert one.scores(counted(batch_of(weighted), [1, 2, 3, 4, 5, 6])).scores[2] == pytest.approx(total, rel=1e-5)


def exclusive(seed, documents=120, features=30, labels=5):
    """Random counts, of which each document has some, with one label each."""
    rng = np.random.default_rng(seed)
    x = rng.poisson(rng.gamma(0.3, 2.0, (labels, features))[y := rng.integers(0, labels, documents)]).astype(float)
    x[np.arange(documents), rng.integers(0, features, documents)] += 1
    x[0] += 1  # so that each feature is there
    stream = [({f"t{f:02}": v for f, v in enumerate(row) if v}, [f"L{c}"]) for row, c in zip(x, y, strict=True)]
    return x, y, stream


@pytest.mark.parametrize(("alpha", "seed"), [(1.0, 0), (0.1, 1), (0.01, 2)])
@pytest.mark.parametrize("variant", ["multinomial", "complement", "normalised"])
def test_the_weights_are_those_of_scikit_learn(variant, alpha, seed):
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    x, y, stream = exclusive(seed)
    learner = NB(variant, alpha, "terms")
    batch = batch_of(stream)
    learner.learn(batch)
    order = [learner.labels.get(f"L{c}") for c in range(5)]
    if variant == "multinomial":  # of each label and the rest, as a classifier of two classes
        models = [naive_bayes.MultinomialNB(alpha=alpha).fit(x, y == c) for c in range(5)]
        theirs = np.array([x[:20] @ (m.feature_log_prob_[1] - m.feature_log_prob_[0]) for m in models]).T
    else:
        model = naive_bayes.ComplementNB(alpha=alpha, norm=variant == "normalised").fit(x, y)
        theirs = x[:20] @ model.feature_log_prob_.T
        shares = np.log((x.sum(0) + alpha) / (x.sum() + alpha * x.shape[1]))  # ours have those of all documents beside
        theirs = theirs * (-shares.sum() if variant == "normalised" else 1) + x[:20] @ shares[:, None]
    ours = np.array([learner.reasons(batch, row).contributions.sum(axis=0)[order] for row in range(20)])
    assert ours == pytest.approx(theirs, rel=2e-5, abs=2e-5)
    base = np.array([np.log((n + 1) / (120 - n + 1)) for n in np.bincount(y)])
    assert learner.scores(batch).scores[:20, order] == pytest.approx(theirs + base, rel=1e-4, abs=1e-4)


def test_the_ranking_of_complements_is_that_of_scikit_learn():
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    x, y, stream = exclusive(3)
    balanced = [np.flatnonzero(y == c)[: np.bincount(y).min()] for c in range(5)]  # equal prior odds
    rows = np.concatenate(balanced)
    learner, model = NB("complement", 0.5, "terms"), naive_bayes.ComplementNB(alpha=0.5).fit(x[rows], y[rows])
    learner.learn(batch_of([stream[r] for r in rows]))
    found = [next(iter(learner.scores_one(stream[r][0]))) for r in range(100)]
    assert found == [f"L{c}" for c in model.predict(x[:100])]


def test_no_features_at_all():
    learner = NB()
    for y in (["x"], ["x"], []):
        learner.learn_one({}, y)
    scores, chosen, _ = said(learner.scores(batch_of([({}, None), ({"never seen": 1.0}, None)])), 0)
    assert scores["x"] == pytest.approx(np.log(3 / 2), rel=1e-6)
    assert chosen == {"x"}


def test_probabilities_follow_the_scores(zipf):
    learner = NB()
    for x, y in zipf[:100]:
        learner.learn_one(x, y)
    for x, _ in zipf[100:120]:
        probabilities = learner.predict_proba_one(x)
        on = {c for c, yes in learner.predict_one(x).items() if yes}
        assert set(probabilities) == set(learner.labels)
        for label, p in probabilities.items():
            assert 0 <= p[True] <= 1
            assert p[True] + p[False] == pytest.approx(1)
            assert (p[True] > 0.5) == (label in on)


@pytest.mark.parametrize("variant", VARIANTS)
def test_totals_stay_right_where_much_is_forgotten(variant):
    """Few features, which are often forgotten: totals grow in float64, counts in float32, and both must come to 0."""
    rng = np.random.default_rng(5)
    stream = [
        (
            {int(f): rng.uniform(0.01, 1) for f in rng.choice(4, rng.integers(1, 4), replace=False)},
            [str(rng.integers(3))],
        )
        for _ in range(400)
    ]
    gone = [[0, 1, 2, 3] if i % 40 == 39 else [int(rng.integers(4))] * (i % 7 == 0) for i in range(400)]
    learner, batch = NB(variant, counts="weights"), forgetful_batch(stream, gone, 4)
    slow = nb.NB(variant, counts="weights")
    slow.features = {f: f for f in range(4)}
    agree(learner, slow, stream, batch=batch, gone=gone, tolerance=1e-4)
    totals = learner.arrays()["label_totals"]
    assert totals.min() >= 0
    assert totals.max() == totals[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_is_left_of_a_total_without_features(variant):
    """After 100,000 documents a float32 sum of .3 is far from the float64 sum."""
    learner, fresh = (NB(variant, counts="weights") for _ in range(2))
    learner.learn(forgetful_batch([({0: 0.3}, ["x"])], [[]], 2).take(np.zeros(100_000, np.int32)))
    learner.learn(forgetful_batch([({}, ["x"]), ({1: 1.0}, ["x"]), ({1: 1.0}, ["y"])], [[0], [], []], 2))
    fresh.learn(forgetful_batch([({}, ["x"])], [[]], 2).take(np.zeros(100_001, np.int32)))
    fresh.learn(forgetful_batch([({1: 1.0}, ["x"]), ({1: 1.0}, ["y"])], [[], []], 2))
    assert learner.arrays()["label_totals"].tolist() == [2, 1, 1]
    ask = forgetful_batch([({1: 1.0}, None)], [[]], 2)
    assert told(learner.scores(ask)) == told(fresh.scores(ask))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_total_that_is_rounded_away_leaves_scores_that_are_numbers(variant):
    """Of 1 and the 30,000 that are forgotten, T says less than nothing: it is 0, and so in older states."""
    learner, ask = NB(variant, counts="weights"), forgetful_batch([({1: 1.0}, None)], [[]], 2)
    learner.learn(forgetful_batch([({1: 1.0}, ["y"])], [[]], 2))
    learner.learn(forgetful_batch([({0: 0.3}, ["x"])], [[]], 2).take(np.zeros(100_000, np.int32)))
    learner.learn(forgetful_batch([({}, [])], [[0]], 2))
    saved, expected = learner.save(), learner.scores(ask)
    assert learner.arrays()["label_totals"].tolist() == [0, 0, 0]
    assert np.isfinite(expected.scores).all()
    assert np.isfinite(learner.reasons(ask, 0).contributions).all()
    learner.load(saved | {"packed": saved["packed"] | {"label_totals": np.array([-25.0, 1.0, -26.0])}})
    assert learner.arrays()["label_totals"].tolist() == [0, 0, 0]
    assert told(learner.scores(ask)) == told(expected)

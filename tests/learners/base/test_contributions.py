"""What speaks for and against labels: every contribution, their sums, and that asking changes nothing."""

import copy
import dataclasses
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import reasons as slowly
from oracles import strategies, streams
from oracles.compare import batch_of, forgetful_batch, state
from oracles.kinds import KINDS, native

from telex.learners import BR, MLPP, MMP, NB, PLT, BatchBuilder, Chain, Events, Names, _core
from telex.learners.base import InputError
from telex.learners.base.contributions import Reasons, reasons_of

IDS = 60
every_learner = pytest.mark.parametrize("kind", KINDS)


def taught(kind, seed=51, documents=120, **options):
    """A learner that has gone through a stream in which features are forgotten, and documents to ask it about."""
    stream = [({int(f[1:]): v for f, v in x.items()}, y) for x, y in streams.zipf(seed, documents, IDS, **options)]
    learner = native(kind)
    learner.progress(Events(forgetful_batch(stream, streams.leaving(seed, documents, IDS), IDS)))
    asked = [x for x, _ in stream[:20]] + [{}, {0: 1.0, 58: -2.0, 70: 1.5, 999: 1.0}]
    return learner, forgetful_batch([(x, None) for x in asked], [[]] * len(asked), 1000)


def decides(learner, batch, row):
    """What the sums are, of each label: the score, or how far it is above what it must be above."""
    said = learner.scores(batch.rows(row, row + 1))
    if isinstance(learner, PLT) and learner.top < learner.known:  # which scores the others in common
        exact = PLT(learner.known, learner.arity, learner.eta, learner.steps, bias=learner.bias)
        exact.load(learner.save())
        said = exact.scores(batch.rows(row, row + 1))
    scores = said.scores[0, : said.known[0]].astype(float)
    return scores - threshold(learner, batch, row) if isinstance(learner, MMP) else scores


def threshold(learner, batch, row):
    """w_0.x as predictions see it."""
    weights, document = slowly.Weights(learner, slowly.tables(learner), "weights"), slowly.document(batch, row)
    return sum(weights(f, 0, x) for f, x in document)


def error(count, size):
    """How far a float32 sum of ``count`` terms may be from the exact one: two roundings a term, relative to sizes."""
    return 2.0**-23 * (count + 2) * np.array(size)


def check(learner, batch):
    for row in range(len(batch)):
        found = learner.reasons(batch, row)
        rows, base, size = slowly.reasons(learner, batch, row)
        n, known = batch.indptr[row + 1] - batch.indptr[row], learner.known
        assert found.features.tolist() == batch.features[batch.indptr[row] : batch.indptr[row + 1]].tolist()
        assert list(found.labels) == list(learner.labels)
        assert found.contributions.shape == (n, known)
        assert found.base.shape == (known,)
        expected = np.array(rows).reshape(n, known)
        if isinstance(learner, NB):
            # its logarithm is that of float32, as are the counts it is taken of
            assert np.allclose(found.contributions, expected, rtol=1e-5, atol=1e-5)
            assert np.allclose(found.base, base, rtol=1e-6, atol=1e-6)
        else:
            assert (found.contributions == expected).all(), found.contributions - expected
            assert (found.base == base).all()
        sums = found.contributions.sum(axis=0) + found.base
        if not isinstance(learner, MLPP):
            links = learner.known if isinstance(learner, Chain) else 0
            allowed = 1e-4 if isinstance(learner, NB) else error(n + links, size)
            assert (np.abs(sums - decides(learner, batch, row)) <= allowed).all()


@every_learner
@pytest.mark.parametrize("options", [{}, {"unlabelled": 0.3}, {"labels": 20, "length": 14}], ids=str)
def test_every_contribution_and_every_sum(kind, options):
    check(*taught(kind, **options))


@every_learner
@given(documents=strategies.patchy, asked=st.lists(strategies.documents, min_size=1, max_size=3))
def test_random_streams(kind, documents, asked):
    builder, learner = BatchBuilder(), native(kind)
    learner.learn(batch_of(documents, builder))
    check(learner, batch_of([(x, None) for x, _ in asked], builder))


BY_SIGN = [kind for kind, (name, _) in KINDS.items() if name not in {"MLPP", "Prior", "Last"}] + ["mlpp-weighted"]


@pytest.mark.parametrize("kind", BY_SIGN)
def test_the_sums_decide(kind):
    learner, batch = taught(kind)
    said, clear = learner.scores(batch).relevant, 0
    for row in range(len(batch)):
        found = learner.reasons(batch, row)
        sums = found.contributions.sum(axis=0) + found.base
        sure = np.abs(sums) > 1e-4 * (1 + np.abs(found.contributions).sum(axis=0))
        assert ((sums > 0) == said[row, : learner.known])[sure].all()
        clear += int(sure.sum())
    assert clear > len(batch) * learner.known / 2


PAPER = {"update": "perceptron", "ties": "first"}


@pytest.mark.parametrize("options", [{}, {"averaged": True}, {"init": "random", "seed": 11}], ids=str)
def test_pairs_are_summed_over_the_duels_of_a_label(options):
    """The margins of its duels are what `weighted` scores, and BR is the virtual label's duels."""
    batch = batch_of(streams.zipf(52, 150))
    votes, both, weighted = (MLPP(decode, **PAPER, **options) for decode in ("votes", "votes+weight", "weighted"))
    br = BR(**options)
    for learner in (votes, both, weighted, br):
        learner.learn(batch.rows(0, 120))
    asked = batch.rows(120, 150)
    margins, against = weighted.scores(asked).scores.astype(float), br.scores(asked).scores.astype(float)
    for row in range(30):
        _, _, size = slowly.reasons(weighted, asked, row)
        n = int(asked.indptr[row + 1] - asked.indptr[row])
        allowed = error(n + votes.known, size)
        sums = [learner.reasons(asked, row).contributions.sum(axis=0) for learner in (votes, both, weighted)]
        assert (np.abs(sums[0] - (margins[row] + against[row])) <= allowed).all()
        assert sums[1].tolist() == sums[0].tolist()
        assert (np.abs(sums[2] - (margins[row] + against[row] + against[row].sum())) <= allowed).all()


@every_learner
def test_asking_changes_nothing(kind):
    learner, batch = taught(kind)
    said = learner.scores(batch).scores
    before, held, tables, names = state(learner), learner.memory_bytes, learner.arrays(), list(batch.feature_names)
    for row in range(len(batch)):
        learner.reasons(batch, row)
    after = learner.arrays()
    assert tables.keys() == after.keys()
    assert all(tables[name].tobytes() == after[name].tobytes() for name in tables)
    assert (state(learner), learner.memory_bytes, list(batch.feature_names)) == (before, held, names)
    assert np.array_equal(learner.scores(batch).scores, said)


@every_learner
def test_of_a_learner_that_knows_nothing(kind):
    learner, batch = native(kind), batch_of([({"a": 1.0, "b": 2.0}, None), ({}, None)])
    assert learner.reasons(batch, 0).contributions.shape == (2, 0)
    assert learner.reasons(batch, 1).base.shape == (0,)
    learner.learn_one({}, ["x"])
    other = learner.reasons(batch, 0)
    assert other.contributions.shape == (2, 1)
    if getattr(learner, "init", "zero") == "zero":
        assert not other.contributions.any()


@every_learner
def test_a_document_of_another_table_is_told_in_its_own_order(kind):
    stream = streams.zipf(53, 80)
    learner = native(kind)
    for x, y in stream:
        learner.learn_one(x, y)
    ours, theirs = BatchBuilder(Names(learner._features)), BatchBuilder(Names(["new", *list(learner._features)[::-1]]))
    x = {**stream[7][0], "t3": 0.5, "t11": 1.0, "t0": 1.0, "new": 3.0}
    here, there = (learner.reasons(batch_of([(x, None)], one), 0) for one in (ours, theirs))
    by_name = [
        {builder.feature_names[f]: row.tolist() for f, row in zip(r.features.tolist(), r.contributions, strict=True)}
        for builder, r in ((ours, here), (theirs, there))
    ]
    assert by_name[0] == by_name[1]
    assert here.features.tolist() != there.features.tolist()


@every_learner
def test_while_documents_are_handed_over_one_by_one_and_after_a_copy(kind):
    learner, whole = native(kind), native(kind)
    batch = batch_of(streams.zipf(54, 40, unlabelled=0.1))
    whole.progress(Events(batch.rows(0, 30)))
    steps = learner.each(batch)
    for _ in range(30):
        next(steps)
    found = [one.reasons(batch, 35) for one in (whole, learner, copy.deepcopy(learner))]
    assert len({(r.contributions.tobytes(), r.base.tobytes(), tuple(r.labels)) for r in found}) == 1
    assert next(steps) == 30


def test_by_hand():
    builder = BatchBuilder()
    br, mmp, mlpp, weighted, nb = learners = (
        BR(),
        MMP(),
        MLPP(**PAPER),
        MLPP("weighted", **PAPER),
        NB("multinomial", 1, "weights"),
    )
    batch = batch_of([({"a": 1.0}, ["x", "y"]), ({"a": 1.0}, ["z"]), ({"a": 2.0, "b": 1.0}, None)], builder)
    for learner in learners:
        learner.learn(batch)
    said = {learner: learner.reasons(batch, 2).contributions.tolist() for learner in learners}
    assert br.arrays()["weights"].tolist() == [[-2, -2, -2, 0]]
    assert said[br] == [[-4, -4, 0], [0, 0, 0]]
    w0, *w = mmp.arrays()["weights"][0].tolist()
    assert said[mmp][0] == [2 * (one - w0) for one in w]
    # x beats y by 0, and loses 2 against z and 2 against the virtual label, times 2
    assert mlpp.arrays()["pairs"].tolist() == [[0, -2, -2]]
    assert said[mlpp] == [[-8, -8, 8], [0, 0, 0]]
    assert said[weighted] == [[-16, -16, 0], [0, 0, 0]]
    found, alone = nb.reasons(batch, 2), np.log((1 + 1) / (2 - 1 + 1))
    assert found.base == pytest.approx([alone] * 3, abs=1e-6)
    assert said[nb][1] == pytest.approx([0, 0, 0], abs=1e-6)


def test_rare_and_frequent_features_of_pairs_say_alike():
    """A feature gets a row when many of its weights have moved; the same weights in a list say the same."""
    labels = [f"L{i}" for i in range(40)]
    builder, learner = BatchBuilder(), MLPP(**PAPER, averaged=True)
    rng = np.random.default_rng(5)
    documents = [
        ({"often": 1.0, f"rare {i % 30}": 0.5}, [labels[j] for j in rng.permutation(40)[:2]]) for i in range(60)
    ]
    learner.learn(batch_of(documents, builder))
    moved = (learner.arrays()["pairs"] != 0).sum(axis=1)
    assert moved.max() > 40 * 39 / 2 / 12 > moved[1:].min() > 0
    check(learner, batch_of([({"often": 0.3, "rare 3": 1.0, "rare 29": 2.0, "none": 1.0}, None)], builder))


def test_the_strongest_features():
    features = np.array([3, 5, 8, 9, 11], np.int32)
    values = np.array([[1.0, 0], [-2.0, 0], [1.0, 1], [0.0, -1], [3.0, -1]])
    reasons = Reasons(features, Names(["x", "y"]), values, np.zeros(2))
    assert reasons.strongest(0, 2) == ([(11, 3.0), (3, 1.0)], [(5, -2.0)])
    assert reasons.strongest(0, 9) == ([(11, 3.0), (3, 1.0), (8, 1.0)], [(5, -2.0)])
    assert reasons.strongest(1, 5) == ([(8, 1.0)], [(9, -1.0), (11, -1.0)])
    assert reasons.strongest(1, 0) == ([], [])


def test_of_any_learner():
    learner, batch = taught("mmp")
    found = reasons_of(learner, batch, 3)
    assert found.contributions.tolist() == learner.reasons(batch, 3).contributions.tolist()
    assert reasons_of(object(), batch, 3) is None


@every_learner
def test_what_cannot_be_asked(kind):
    learner, batch = taught(kind)
    for row in (-1, len(batch)):
        with pytest.raises(InputError, match="not one of the batch's"):
            learner.reasons(batch, row)
    gone = forgetful_batch([({0: 1.0}, None)] * 2, [[1], [2]], 10)
    with pytest.raises(InputError, match="ask without its forget"):
        learner.reasons(gone, 0)
    assert len(learner.reasons(dataclasses.replace(gone, forget=None), 0).base) == learner.known


def test_every_level_gives_the_same_bits():
    found = {}
    for level in _core.levels():
        environment = {**os.environ, "TELEX_CPU": level, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", "oracles.reasons"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        used, found[level] = done.stdout.split(" ", 1)
        assert used == level
    assert len(set(found.values())) == 1, found

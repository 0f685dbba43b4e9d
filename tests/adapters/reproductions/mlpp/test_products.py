"""Documents in the space of their products: the same inner products, and the same learners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.reproductions.mlpp.products import with_products
from telex.learners import BR, MLPP, MMP
from telex.learners.base import BatchBuilder
from telex.stream.sources.stages import FeatureProducts


def batch_of(x, labels):
    builder = BatchBuilder()
    for row, of in zip(x, labels, strict=True):
        builder.add({f"f{k}": float(value) for k, value in enumerate(row)}, of)
    return builder.take()


def dense(batch):
    rows = np.zeros((len(batch), len(batch.feature_names)))
    rows[batch.row_of_entry(), batch.features] = batch.values
    return rows


@given(st.lists(st.lists(st.floats(-3, 3, width=16), min_size=3, max_size=3), min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_inner_products_are_those_of_the_products(x):
    if not np.any(x):
        x[0][0] = 1.0
    batch = batch_of(x, [[] for _ in x])
    plain, turned = dense(FeatureProducts()(batch)), dense(with_products(batch))
    assert turned.shape[1] <= len(x)
    assert turned @ turned.T == pytest.approx(plain @ plain.T, abs=1e-5 * (1 + np.abs(plain @ plain.T).max()))


@pytest.mark.parametrize("learner", [MLPP(update="perceptron", ties="first"), MMP(), BR()], ids=["mlpp", "mmp", "br"])
@pytest.mark.parametrize("seed", range(3))
def test_learners_learn_the_same(learner, seed):
    draw = np.random.default_rng(seed)
    labels = [[c for c in "abcde" if draw.random() < 0.4] for _ in range(60)]
    batch = batch_of(draw.normal(size=(60, 6)), labels)
    answers = []
    for documents in (FeatureProducts()(batch), with_products(batch)):
        own = learner.clone()
        for _ in range(4):
            own.learn(documents)
        answers.append(own.scores(documents))
    assert answers[0].scores == pytest.approx(answers[1].scores, abs=1e-3)
    assert (answers[0].relevant == answers[1].relevant).all()
    assert answers[0].rankings(5) != answers[0].rankings(4), "it has learnt something to compare"

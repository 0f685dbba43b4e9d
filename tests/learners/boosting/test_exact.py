"""Pivots, values and weights against a slow reading of the papers.

The kernels in native/boosting are tested by MPBoost and AdaBoost.MH alike: mpboost.py and adaboost_mh.py add little.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.boosting import Boosting

from telex.learners import AdaBoostMH, BatchBuilder, MPBoost, _boosting

KINDS = [(make, variant) for make in (AdaBoostMH, MPBoost) for variant in ("R", "RA", "D")]


def name(kind):
    return f"{kind[0].__name__}-{kind[1]}"


def batch_of(w, phi):
    """Documents whose terms are named t00, t01, ... and labels c00, c01, ...; all names numbered in order."""
    builder = BatchBuilder()
    builder.feature_names.ids(f"t{k:02}" for k in range(np.shape(w)[1]))
    builder.label_names.ids(f"c{k:02}" for k in range(np.shape(phi)[1]))
    for terms, labels in zip(w, phi, strict=True):
        builder.add({f"t{k:02}": 0.5 for k in np.flatnonzero(terms)}, [f"c{k:02}" for k in np.flatnonzero(labels)])
    return builder.take()


def oracle(w, phi, variant, multiple, rounds, eps=1):
    """The oracle over the terms and labels that occur; with it, their places."""
    w, phi = np.asarray(w, bool), np.asarray(phi, bool)
    terms, labels = np.flatnonzero(w.any(axis=0)), np.flatnonzero(phi.any(axis=0))
    return Boosting(w[:, terms], phi[:, labels], variant, multiple, eps=eps).run(rounds), terms


def agrees(make, variant, w, phi, rounds, threads=1, eps=1):
    model = make(rounds=rounds, variant=variant, threads=threads, eps=eps)
    batch = batch_of(w, phi)
    model.fit(batch)
    slow, terms = oracle(w, phi, variant, model.multiple, rounds, eps)
    pivots = terms[np.array(slow.pivots)]
    found = np.broadcast_to(model.committee.pivots, pivots.shape)
    np.testing.assert_array_equal(found, pivots)
    np.testing.assert_allclose(model.committee.absent, slow.a0, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.committee.present, slow.a1, rtol=1e-6, atol=1e-9)
    expected = slow.scores(np.asarray(w, bool)[:, terms])
    np.testing.assert_allclose(model.scores(batch).scores[:, : expected.shape[1]], expected, rtol=1e-4, atol=1e-4)
    return model


@st.composite
def collections(draw):
    documents, terms, labels = draw(st.integers(1, 12)), draw(st.integers(1, 9)), draw(st.integers(1, 4))
    row = st.lists(st.booleans(), min_size=terms, max_size=terms)
    w = draw(st.lists(row, min_size=documents, max_size=documents).filter(lambda rows: any(map(any, rows))))
    answer = st.lists(st.booleans(), min_size=labels, max_size=labels)
    phi = draw(st.lists(answer, min_size=documents, max_size=documents).filter(lambda rows: any(map(any, rows))))
    return w, phi


@pytest.mark.parametrize("kind", KINDS, ids=name)
@given(collection=collections(), rounds=st.integers(1, 8), threads=st.integers(1, 3))
@settings(max_examples=60)
def test_small_collections_with_all_their_ties(kind, collection, rounds, threads):
    agrees(*kind, *collection, rounds, threads)


def zipf(seed, documents=150, terms=60, labels=17):
    """Documents with a few common and many rare terms, some of which speak for labels."""
    rng = np.random.default_rng(seed)
    w = rng.random((documents, terms)) < 0.7 / (np.arange(terms) / 4 + 1)
    phi = rng.random((documents, labels)) < 0.6 / (np.arange(labels) + 1)
    for j in range(labels):
        w[:, (3 * j + 1) % terms] |= phi[:, j] & (rng.random(documents) < 0.7)
    return w, phi


@pytest.mark.parametrize("kind", KINDS, ids=name)
@pytest.mark.parametrize("seed", [1, 2])
def test_many_rounds(kind, seed):
    agrees(*kind, *zipf(seed), 60)


@pytest.mark.parametrize("kind", KINDS, ids=name)
@pytest.mark.parametrize("eps", [0.01, 0.5, 100.0])
def test_more_or_less_smoothed(kind, eps):
    agrees(*kind, *zipf(6), 30, eps=eps)


@pytest.mark.parametrize("make", [AdaBoostMH, MPBoost])
def test_sums_are_taken_anew_before_they_are_spoilt(make):
    # a few documents that no term explains keep all the weight: what the others had shrinks a billionfold
    w, phi = zipf(3, 120, 40, 3)
    phi[:6] = [[True, False, True], [False, True, False]] * 3
    w[:6] = w[6]
    agrees(make, "R", w, phi, 400)


@pytest.mark.parametrize("kind", KINDS, ids=name)
def test_the_same_bits_on_any_number_of_threads(kind):
    make, variant = kind
    batch, states = batch_of(*zipf(4, 90, 50, 40)), []
    for threads in (1, 2, 3):
        model = make(rounds=30, variant=variant, threads=threads)
        model.fit(batch)
        states.append(model.committee)
    for other in states[1:]:
        for part in ("pivots", "absent", "present"):
            assert getattr(other, part).tobytes() == getattr(states[0], part).tobytes()


@pytest.mark.parametrize("kind", KINDS, ids=name)
def test_weights_sum_to_one_after_every_round(kind):
    make, variant = kind
    w, phi = zipf(5, 70, 30, 9)
    slow = Boosting(w, phi, variant, make.multiple)
    (rows, terms), (documents, labels) = np.nonzero(w), np.nonzero(phi)
    g, m = phi.shape
    for rounds in range(1, 25):
        weights = np.full((m, g), 1 / (g * m))
        arrays = (np.empty((rounds, m if make.multiple else 1), np.int32), np.empty((rounds, m)), np.empty((rounds, m)))
        _boosting.fit(
            make.multiple, ("R", "RA", "D").index(variant), starts(rows, g), terms.astype(np.int32),
            np.arange(w.shape[1], dtype=np.int32), starts(documents, g), labels.astype(np.int32), 1 / (g * m), weights,
            *arrays, 1, 3,
        )  # fmt: skip
        sums = weights.sum(axis=1) if make.multiple else weights.sum()
        np.testing.assert_allclose(sums, 1, rtol=1e-12)
        slow.round()
        np.testing.assert_allclose(weights.T, slow.weights, rtol=1e-7, atol=1e-15)


def starts(rows, count):
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)

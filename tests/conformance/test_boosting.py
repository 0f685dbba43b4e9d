"""Boosting on real RCV1 vectors: F1 as an independent implementation has it, pivots as the naive one has them.

All hundred rounds of the naive AdaBoost.MH take some minutes: `python tests/conformance/test_boosting.py`. Here it is
a tenth of them.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.compare import batch_of

from telex.learners import AdaBoostMH, MPBoost

ROUNDS = (5, 20, 50, 100)
MICRO_F1 = {AdaBoostMH: (0.264, 0.488, 0.604, 0.667), MPBoost: (0.514, 0.657, 0.708, 0.728)}


@pytest.fixture(scope="module")
def halves(rcv1):
    """The first 60 % in order of id, and the rest."""
    return split(rcv1)


def split(documents):
    batch = batch_of(documents)
    cut = int(0.6 * len(batch))
    return batch.rows(0, cut), batch.rows(cut, len(batch))


@pytest.mark.parametrize("make", MICRO_F1)
def test_micro_f1_after_so_many_rounds(make, halves):
    train, test = halves
    model = make(rounds=100)
    model.fit(train)
    truth = answers(test)
    found = []
    for rounds in ROUNDS:
        predictions = model.scores(test, rounds=rounds)
        said = np.zeros_like(truth)
        known = np.flatnonzero(predictions.columns >= 0)
        said[:, known] = predictions.relevant[:, predictions.columns[known]]
        found.append(2 * int((said & truth).sum()) / (int(said.sum()) + int(truth.sum())))
    print(make.__name__, [round(f1, 4) for f1 in found])
    assert found == pytest.approx(MICRO_F1[make], abs=0.003)


def answers(batch):
    truth = np.zeros((len(batch), len(batch.label_names)), np.bool_)
    span = batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]]
    truth[np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr)), span] = True
    return truth


def test_the_first_pivots_are_those_of_sparse_products(halves):
    train, _ = halves
    compare(train, AdaBoostMH, 10)


def naive(train, rounds, multiple, ours):
    """The pivots of R, by products of sparse presence with dense weights, in float64, anew in each round.

    With them, by how much Z would be larger with the pivots of ``ours``.
    """
    span = slice(int(train.indptr[0]), int(train.indptr[-1]))
    terms, places = np.unique(train.features[span], return_inverse=True)
    order = np.argsort([train.feature_names[i] for i in terms])
    phi = answers(train)
    phi = phi[:, phi.any(axis=0)]
    g, m = phi.shape
    shape = (g, len(terms))
    presence = csr_matrix((np.ones(len(places)), places, train.indptr - train.indptr[0]), shape=shape)[:, order]
    by_term = presence.T.tocsr()
    documents = np.diff(by_term.indptr)
    relevant = by_term @ phi.astype(float)
    weights, eps, found, gaps = np.full((g, m), 1 / (g * m)), 1 / (g * m), [], []
    place = np.argsort(order)
    for number in range(rounds):
        positive, negative = np.where(phi, weights, 0), np.where(phi, 0, weights)
        p1, n1 = by_term @ positive, by_term @ negative
        p0, n0 = positive.sum(axis=0) - p1, negative.sum(axis=0) - n1
        p0[relevant == phi.sum(axis=0)] = 0
        n0[documents[:, None] - relevant == g - phi.sum(axis=0)] = 0
        z = 2 * (np.sqrt(np.maximum(0, p0) * np.maximum(0, n0)) + np.sqrt(p1 * n1))
        pivots = z.argmin(axis=0) if multiple else np.full(m, z.sum(axis=1).argmin())
        found.append(terms[order[pivots]])
        theirs = place[np.searchsorted(terms, np.broadcast_to(ours[number], m))]
        gaps.append((z[theirs, range(m)] - z[pivots, range(m)]) / weights.sum(axis=0))
        at = (pivots, range(m))
        absent = 0.5 * np.log((p0[at] + eps) / (n0[at] + eps))
        present = 0.5 * np.log((p1[at] + eps) / (n1[at] + eps))
        said = np.where(presence[:, pivots].toarray() > 0, present, absent)
        weights = weights * np.exp(np.where(phi, -said, said))
        weights /= weights.sum(axis=0) if multiple else weights.sum()
    return np.array(found), np.array(gaps)


def compare(train, make, rounds):
    model = make(rounds=rounds)
    model.fit(train)
    slow, gaps = naive(train, rounds, model.multiple, model.committee.pivots)
    same = np.broadcast_to(model.committee.pivots, slow.shape) == slow
    print(f"{make.__name__}: {same.sum():,} of {same.size:,} pivots are those of the naive products")
    for round_, label in np.argwhere(~same).tolist():
        print(
            f"  round {round_ + 1}, label {model.labels[label]}: Z differs by {gaps[round_, label]:.1e} of the weight"
        )
    assert same.all() or make is MPBoost


if __name__ == "__main__":
    from conftest import data_folder, read_rcv1

    folder = data_folder()
    if folder is None:
        sys.exit("no real data: set TELEX_DATA to the folder of collections, or put it at ../shared/data")
    learnt, _ = split(read_rcv1(folder))
    for kind in (AdaBoostMH, MPBoost):
        compare(learnt, kind, 100)

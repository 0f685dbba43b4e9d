"""A projected set is the best of all closed sets, whatever the tree, the labels known and the order of both."""

import itertools
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import projection as slow
from oracles.trees import allowed_sets, trees

from telex.learners import BatchBuilder, Names, _trees
from telex.learners.base import InputError, Predictions
from telex.learners.trees import Projection, Tree

WHOLE = st.integers(-8, 8).map(float)
ANY = st.floats(-100, 100, width=32)


def predicted(labels, scores, inside, known=None):
    """Predictions over these labels, of which the first ``known[k]`` are known at the k-th ask."""
    builder = BatchBuilder()
    for _ in scores:
        builder.add({}, None)
    scores = np.array(scores, np.float32).reshape(len(scores), len(labels))
    inside = np.array(inside, np.bool_).reshape(scores.shape)
    made = Predictions.of_all(scores, inside, builder.take(), Names(labels), 0)
    if known is not None:
        made.known[:] = known
    return made


def sets(tree, predictions, cuts=None):
    found = Projection(tree).of(predictions, predictions.scores, cuts)
    return [
        {predictions.labels[c] for c in np.flatnonzero(row[:known]).tolist()}
        for row, known in zip(found, predictions.known.tolist(), strict=True)
    ]


@st.composite
def cases(draw, values=WHOLE, most=10):
    """A tree, labels in any order with some that it lacks, and documents with sets of any kind."""
    tree = Tree.of(draw(trees(most)))
    labels = draw(st.permutations([*tree.labels, "other", "more"]))[: draw(st.integers(1, len(tree) + 2))]
    row = st.lists(values, min_size=len(labels), max_size=len(labels))
    rows = draw(st.lists(row, min_size=1, max_size=4))
    flags = st.lists(st.booleans(), min_size=len(labels), max_size=len(labels))
    inside = [[s > 0 for s in one] if draw(st.booleans()) else draw(flags) for one in rows]
    known = [draw(st.integers(0, len(labels))) for _ in rows]
    cuts = np.array([draw(row) for _ in rows], np.float32) if draw(st.booleans()) else None
    return tree, labels, rows, inside, known, cuts


@settings(max_examples=150)
@given(cases())
def test_it_is_the_best_of_all_closed_sets(case):
    tree, labels, rows, inside, known, cuts = case
    found = sets(tree, predicted(labels, rows, inside, known), cuts)
    for k, count in enumerate(known):
        there = labels[:count]
        values = slow.distances(rows[k][:count], inside[k][:count], None if cuts is None else cuts[k, :count])
        by_label = dict(zip(there, values, strict=True))
        part = Tree.of(slow.known_parents(tree, there).items()) if there else Tree((), np.zeros(0, np.int32))
        closed = [set(itertools.compress(part.labels, one)) for one in allowed_sets(part)]
        best = max(sum(by_label[label] for label in one) for one in closed)
        smallest = set.intersection(*(one for one in closed if sum(by_label[label] for label in one) == best))
        assert found[k] == smallest == slow.nearest(tree, there, values)


@given(cases(ANY, most=12))
def test_closed_sets_stay_and_others_become_closed(case):
    tree, labels, rows, inside, known, cuts = case
    for k, found in enumerate(sets(tree, predicted(labels, rows, inside, known), cuts)):
        there = labels[: known[k]]
        parents = slow.known_parents(tree, there)
        own = {label for label, on in zip(there, inside[k], strict=False) if on}
        assert all(parents[label] is None or parents[label] in found for label in found)
        if all(parents[label] is None or parents[label] in own for label in own):
            assert found == own


@given(cases(ANY))
def test_each_document_alone_and_labels_that_come_later(case):
    tree, labels, rows, inside, known, cuts = case
    whole, table, projection = sets(tree, predicted(labels, rows, inside, known), cuts), Names(), Projection(tree)
    for k in np.argsort(known).tolist():
        for label in labels[: known[k]]:
            table.id(label)
        one = predicted(labels[: known[k]], [rows[k][: known[k]]], [inside[k][: known[k]]])
        one = Predictions.of_all(one.scores, one.relevant, BatchBuilder().take(), table, 0)
        own = Predictions(one.scores, one.relevant, np.array([known[k]], np.int32), np.zeros(1, np.int32),
                          one.columns, table, one.keys, 0, np.zeros(1, np.int64))  # fmt: skip
        found = projection.of(own, own.scores, None if cuts is None else cuts[k : k + 1, : known[k]].copy())
        assert {labels[c] for c in np.flatnonzero(found[0]).tolist()} == whole[k]


def test_labels_that_are_paths():
    labels = ["a/b/c", "d/e", "a"]
    found = sets(Tree.of_paths("/"), predicted(labels, [[3, 1, -2], [1, -1, -2]], [[1, 1, 0], [1, 0, 0]]))
    assert found == [{"a/b/c", "a", "d/e"}, set()]


def test_infinite_scores_and_nan():
    tree = Tree.of([("b", "a"), ("c", "b")])
    scores = [[-np.inf, 1, 2], [np.nan, np.inf, 2], [1, -np.inf, np.inf], [np.inf, -np.inf, -1], [-1, np.inf, 1]]
    found = sets(tree, predicted(["a", "b", "c"], scores, np.array(scores) > 0))
    assert found == [set(), set(), {"a"}, {"a"}, {"a", "b", "c"}]


def test_several_threads_with_tables_of_their_own():
    tree, wrong = Tree.of([(f"n{i}", f"n{i // 2}") for i in range(1, 40)]), []
    projection = Projection(tree)

    def work(seed):
        draw = np.random.default_rng(seed)
        labels = draw.permutation([f"n{i}" for i in range(40)]).tolist()
        scores = draw.normal(size=(20, 40))
        one = predicted(labels, scores, scores > 0)
        expected = Projection(tree).of(one, one.scores)
        wrong.extend(n for n in range(50) if (projection.of(one, one.scores) != expected).any())

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


ARRAYS = {
    "scores": np.zeros((2, 3), np.float32),
    "relevant": np.zeros((2, 3), np.uint8),
    "known": np.full(2, 3, np.int32),
    "cuts": np.zeros((0, 0), np.float32),
    "nodes": np.arange(3, dtype=np.int32),
    "parents": np.array([-1, 0, 1], np.int32),
    "projected": np.zeros((2, 3), np.uint8),
}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("relevant", np.zeros((2, 2), np.uint8)),
        ("known", np.array([3, 4], np.int32)),
        ("known", np.array([3, -1], np.int32)),
        ("known", np.full(1, 3, np.int32)),
        ("cuts", np.zeros((1, 3), np.float32)),
        ("nodes", np.array([0, 1], np.int32)),
        ("nodes", np.array([0, 1, 3], np.int32)),
        ("parents", np.array([-1, 1, 1], np.int32)),
        ("projected", np.zeros((1, 3), np.uint8)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, wrong):
    _trees.project(**ARRAYS)
    with pytest.raises(InputError):
        _trees.project(**{**ARRAYS, name: wrong})

"""Losses along a tree by their definitions, whatever the documents, sets and labels that the tree lacks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.trees import trees

from telex.learners import BatchBuilder
from telex.learners.base import Names, Predictions
from telex.learners.losses import judge
from telex.learners.trees import SCALINGS, Tree, node_weights, tree_losses


def judged(labels, predicted, true):
    """Sets that were predicted, beside the true ones."""
    builder = BatchBuilder()
    for one in true:
        builder.add({}, sorted(one))
    batch, names = builder.take(), Names(labels)
    relevant = np.array([[label in one for label in labels] for one in predicted], np.bool_).reshape(
        len(predicted), len(labels)
    )
    return judge(Predictions.of_all(relevant.astype(np.float32), relevant, batch, names, 0), batch)


def ancestors(tree, label):
    return tree.path(label)[1:]


def weight(tree, label, scaling):
    weights = node_weights(tree, scaling)
    return weights[tree.place[label]] if label in tree else weights[tree.parents < 0].min()


@given(trees(most=8), st.data())
def test_by_their_definitions(edges, data):
    tree = Tree.of(edges)
    labels = [*tree.labels, "other", "more"]
    sets = st.lists(st.sets(st.sampled_from(labels)), min_size=3, max_size=3)
    predicted, true = data.draw(sets), data.draw(sets)
    found = {name: loss.of(judged(labels, predicted, true)) for name, loss in tree_losses(tree).items()}
    for k, (p, t) in enumerate(zip(predicted, true, strict=True)):
        wrong = p ^ t
        for scaling in SCALINGS:
            end = "" if scaling == "sibling" else f"_{scaling}"
            first = [one for one in wrong if not wrong & set(ancestors(tree, one))]
            below_right = [one for one in wrong if not wrong & set(ancestors(tree, one)[:1])]
            assert found[f"l_h{end}"][k] == pytest.approx(sum(weight(tree, one, scaling) for one in first))
            assert found[f"l_htilde{end}"][k] == pytest.approx(sum(weight(tree, one, scaling) for one in below_right))
        closed_p, closed_t = set(tree.closed(p)), set(tree.closed(t))
        both = len(closed_p) + len(closed_t)
        assert found["hierarchical_f1"][k] == pytest.approx(2 * len(closed_p & closed_t) / both if both else 1.0)
        assert found["invalid"][k] == (not tree.is_closed(p))


def test_labels_that_come_later_change_nothing():
    tree = Tree.of([("b", "a"), ("c", "a")])
    losses = tree_losses(tree)
    early = judged(["a", "b", "z"], [{"b"}, {"a", "z"}], [{"a", "b"}, {"c"}])
    before = {name: loss.of(early).tolist() for name, loss in losses.items()}
    late = judged(["a", "b", "z", "y", "x"], [{"b"}, {"a", "z"}, {"x", "c"}], [{"a", "b"}, {"c"}, {"y"}])
    assert {name: loss.of(late).tolist()[:2] for name, loss in losses.items()} == before
    assert {name: loss.of(late).tolist()[:2] for name, loss in tree_losses(tree).items()} == before


def test_without_documents():
    nothing = judged(["a"], [], [])
    assert all(len(loss.of(nothing)) == 0 for loss in tree_losses(Tree.of([("a", None)])).values())

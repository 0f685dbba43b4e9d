"""H-M3 reaches the optimum that a solver over all labellings finds, and predicts the best labelling."""

import copy
import pickle

import numpy as np
import pytest
from oracles.hm3 import Problem, best_with_and_without
from oracles.trees import allowed_sets

from telex.learners import BatchBuilder
from telex.learners.base import InputError, UsageError
from telex.learners.trees import HM3, Tree

TREES = {
    "forest": [("a", None), ("b", "a"), ("c", "a"), ("d", None)],
    "chain": [("a", None), ("b", "a"), ("c", "b"), ("d", "c")],
    "flat": [("a", None), ("b", None), ("c", None)],
}


def problem(shape, seed, n=8, features=5, **options):
    """A small problem: dense rows, and true sets at random among those that the tree allows."""
    draw, tree = np.random.default_rng(seed), Tree.of(TREES[shape])
    sets = list(allowed_sets(tree))
    truths = [sets[i] for i in draw.integers(len(sets), size=n)]
    for node in range(len(tree)):  # each label has a document, so that the whole tree is in use
        truths[node % n] = tuple(tree.labels[k] in tree.path(tree.labels[node]) for k in range(len(tree)))
    rows = draw.normal(size=(n, features)).astype(np.float32)
    below_right = options.pop("loss") == "htilde"
    return Problem(tree, rows, truths, below_right=below_right, **options)


def batch_of(rows, truths, tree):
    builder = BatchBuilder()
    for row, truth in zip(rows, truths, strict=True):
        labels = [label for label, on in zip(tree.labels, truth, strict=True) if on]
        builder.add({f"f{k}": float(value) for k, value in enumerate(row)}, labels)
    return builder.take()


def fitted(one, **options):
    model = HM3(**{"gap": 2e-3, "passes": 500, **options})
    model.use_tree(one.tree)
    model.fit(batch_of(one.rows, one.truths, one.tree))
    return model


@pytest.mark.parametrize("shape", TREES)
@pytest.mark.parametrize("loss", ["delta", "htilde"])
@pytest.mark.parametrize(("scaling", "strength"), [("uniform", 1.0), ("sibling", 0.3), ("subtree", 5.0)])
def test_the_optimum(shape, loss, scaling, strength):
    one = problem(shape, 3, loss=loss, scaling=scaling, C=strength)
    model = fitted(one, loss=loss, scaling=scaling, C=strength)
    assert list(model.labels) == list(one.tree.labels)
    dual, _, primal = model.curve[-1]
    optimum = one.optimum()
    weights = model.save()["weights"].astype(float)
    assert one.primal(weights) == pytest.approx(primal, rel=1e-5)
    assert dual * (1 - 1e-6) <= optimum <= primal * (1 + 1e-6)


@pytest.mark.parametrize("shape", TREES)
def test_scores_are_what_a_label_is_worth(shape):
    one = problem(shape, 5, loss="delta", scaling="uniform", C=1.0)
    model = fitted(one)
    asked = np.random.default_rng(9).normal(size=(6, one.rows.shape[1])).astype(np.float32)
    found = model.scores(batch_of(asked, [one.truths[0]] * 6, one.tree))
    weights = model.save()["weights"].astype(float)
    for k, row in enumerate(asked):
        values = row.astype(float) @ weights
        expected = [best_with_and_without(one.tree, values, node) for node in range(len(one.tree))]
        np.testing.assert_allclose(found.scores[k], expected, rtol=1e-4, atol=1e-5)
        assert one.tree.is_closed(found.set_of(k))
        assert found.relevant[k].tolist() == [value > 0 for value in expected]


def test_the_dual_never_falls():
    one = problem("forest", 1, n=30, loss="htilde", scaling="subtree", C=2.0)
    curve = fitted(one, loss="htilde", scaling="subtree", C=2.0).curve
    assert len(curve) > 5
    assert (np.diff(curve[:, 0]) > -1e-5 * curve[-1, 0]).all()


def test_the_same_bits_whatever_else_the_batch_has():
    one = problem("forest", 2, loss="delta", scaling="uniform", C=1.0)
    model = fitted(one)
    batch = batch_of(one.rows, one.truths, one.tree)
    whole = model.scores(batch)
    for k in range(len(batch)):
        assert model.scores(batch.rows(k, k + 1)).scores.tobytes() == whole.scores[k : k + 1].tobytes()


def test_a_model_that_is_stored_comes_back():
    one = problem("chain", 2, loss="delta", scaling="uniform", C=1.0)
    model = fitted(one)
    batch = batch_of(one.rows, one.truths, one.tree)
    again = HM3()
    again.load(model.save())
    for other in (again, pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.scores(batch).scores.tobytes() == model.scores(batch).scores.tobytes()
        assert list(other.labels) == list(model.labels)


def test_labels_that_no_tree_has_are_roots():
    builder = BatchBuilder()
    builder.add({"cup": 1.0}, ["sport"])
    builder.add({"gold": 1.0}, ["metal", "new"])
    batch, model = builder.take(), HM3()
    model.fit(batch)
    assert sorted(model.labels) == ["metal", "new", "sport"]
    assert [sorted(model.scores(batch).set_of(k)) for k in range(2)] == [["sport"], ["metal", "new"]]


def test_ancestors_come_with_their_labels():
    builder = BatchBuilder()
    builder.add({"oil": 1.0}, ["crude"])
    builder.add({"cup": 1.0}, ["sport"])
    batch, model = builder.take(), HM3()
    model.use_tree(Tree.of([("crude", "energy"), ("energy", "trade"), ("gas", "energy")]))
    model.fit(batch)
    assert list(model.labels) == ["trade", "energy", "crude", "sport"]  # no document has gas
    assert sorted(model.scores(batch).set_of(0)) == ["crude", "energy", "trade"]


@pytest.mark.parametrize(
    "documents", [[], [({}, [])], [({"a": 1.0}, [])], [({}, ["x"]), ({}, ["x"])], [({"a": 0.0}, ["x"])]]
)
def test_windows_without_much(documents):
    builder = BatchBuilder()
    for x, y in documents:
        builder.add(x, y)
    batch, model = builder.take(), HM3(bias=True)
    model.fit(batch)
    found = model.scores(batch)
    assert len(found) == len(documents)
    assert [found.set_of(k) for k in range(len(found))] == [list(y) for _, y in documents]


def test_unknown_features_have_no_effect():
    one = problem("flat", 2, loss="delta", scaling="uniform", C=1.0)
    model, builder = fitted(one, bias=True), BatchBuilder()
    builder.add({f"f{k}": 1.0 for k in range(5)}, [])
    builder.add({**{f"f{k}": 1.0 for k in range(5)}, "never met": 3.0}, [])
    found = model.scores(builder.take())
    assert found.scores[0].tobytes() == found.scores[1].tobytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loss": "l_h"}, "loss is 'l_h'; choose one of delta, htilde"),
        ({"scaling": "even"}, "scaling is 'even'; choose one of uniform, sibling, subtree"),
        ({"C": 0.0}, "C is 0.0; give a number above 0"),
        ({"gap": float("nan")}, "gap is nan"),
        ({"passes": 0}, "passes is 0"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(UsageError, match=message):
        HM3(**options)


@pytest.mark.parametrize("name", ["tree", "features", "weights"])
def test_a_saved_model_that_is_not_right_is_refused(name):
    one = problem("flat", 2, loss="delta", scaling="uniform", C=1.0)
    state = fitted(one).save()
    wrong = {"tree": {"labels": ["a"], "parents": [0]}, "features": np.zeros(3, np.int32), "weights": np.zeros((2, 2))}
    with pytest.raises(InputError, match="take another checkpoint"):
        HM3().load({**state, name: wrong[name]})
    with pytest.raises(InputError, match="take another checkpoint"):
        HM3().load({key: value for key, value in state.items() if key != name})

"""H-M3 reaches the optimum that a solver over all labellings finds, and predicts the best labelling."""

import copy
import pickle

import numpy as np
import pytest
from oracles.hm3 import best_with_and_without
from oracles.hm3_problems import TREES, batch_of, fitted, problem

from telex.learners import BatchBuilder
from telex.learners.base import InputError, UsageError
from telex.learners.trees import Tree
from telex.learners.trees.fitted import HM3, HRLS, HSVM, SVM, tree_model


@pytest.mark.parametrize("shape", TREES)
@pytest.mark.parametrize("loss", ["delta", "htilde"])
@pytest.mark.parametrize(("scaling", "strength"), [("uniform", 1.0), ("sibling", 0.3), ("subtree", 5.0)])
def test_the_optimum(shape, loss, scaling, strength):
    one = problem(shape, 3, loss=loss, scaling=scaling, C=strength)
    model = fitted(one, loss=loss, scaling=scaling, C=strength)
    assert list(model.labels) == list(one.tree.labels)
    dual, _, primal = model.curve[-1]
    optimum = one.optimum()
    weights = model.save()["model"]["state"].astype(float)
    assert one.primal(weights) == pytest.approx(primal, rel=1e-5)
    assert dual * (1 - 1e-6) <= optimum <= primal * (1 + 1e-6)


@pytest.mark.parametrize("shape", TREES)
def test_scores_are_what_a_label_is_worth(shape):
    one = problem(shape, 5, loss="delta", scaling="uniform", C=1.0)
    model = fitted(one)
    asked = np.random.default_rng(9).normal(size=(6, one.rows.shape[1])).astype(np.float32)
    found = model.scores(batch_of(asked, [one.truths[0]] * 6, one.tree))
    weights = model.save()["model"]["state"].astype(float)
    for k, row in enumerate(asked):
        values = row.astype(float) @ weights
        expected = [best_with_and_without(one.tree, values, node) for node in range(len(one.tree))]
        np.testing.assert_allclose(found.scores[k], expected, rtol=1e-4, atol=1e-5)
        assert one.tree.is_closed(found.set_of(k))
        assert found.relevant[k].tolist() == [value > 0 for value in expected]


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("shape", TREES)
def test_reasons_add_up_to_scores(shape, bias):
    one = problem(shape, 5, loss="htilde", scaling="sibling", C=1.0)
    model = fitted(one, bias=bias)
    batch = batch_of(one.rows, one.truths, one.tree)
    scores = model.scores(batch).scores
    for k in range(len(batch)):
        reasons = model.reasons(batch, k)
        assert reasons.features.tolist() == batch.features[batch.indptr[k] : batch.indptr[k + 1]].tolist()
        np.testing.assert_allclose(reasons.contributions.sum(0) + reasons.base, scores[k], rtol=1e-4, atol=1e-5)
    assert (model.reasons(batch, 0).base != 0).any() == bias
    assert fitted(one, form="kernel").reasons(batch, 0) is None


def test_a_feature_that_is_unknown_is_no_reason():
    one, builder = problem("chain", 5, loss="delta", scaling="uniform", C=1.0), BatchBuilder()
    model = fitted(one)
    builder.add({f"f{k}": 1.0 for k in range(5)}, [])
    builder.add({"f0": 1.0, "f2": 1.0, "unknown": 5.0}, [])
    reasons = model.reasons(builder.take(), 1)
    assert reasons.contributions.shape == (3, 4)
    assert (reasons.contributions[:2] != 0).any()
    assert not reasons.contributions[2].any()


@pytest.mark.parametrize("options", [{}, {"kernel": "rbf", "gamma": 0.3}])
def test_stages_are_shorter_fits(options):
    one = problem("forest", 7, n=40, loss="delta", scaling="uniform", C=5.0)
    batch = batch_of(one.rows, one.truths, one.tree)
    whole = fitted(one, **options)
    staged = HM3(gap=2e-3, passes=500, **options)
    staged.use_tree(one.tree)
    staged.keep_stages([1, 3, 8, 500])
    staged.fit(batch)
    assert staged.rounds == 500
    assert 8 < len(whole.curve) < 500
    assert staged.curve.tobytes() == whole.curve.tobytes()
    assert staged.scores(batch).scores.tobytes() == whole.scores(batch).scores.tobytes()
    assert staged.staged_scores(batch, 500).scores.tobytes() == whole.scores(batch).scores.tobytes()
    seen = set()
    for passes in (1, 3, 8):
        short = fitted(one, passes=passes, **options)
        assert len(short.curve) == passes
        np.testing.assert_array_equal(staged.staged_scores(batch, passes).scores, short.scores(batch).scores)
        seen.add(short.scores(batch).scores.tobytes())
    assert len(seen) == 3
    with pytest.raises(UsageError, match=r"after 2 passes was not kept; call keep_stages\(\[2\]\) before the fit"):
        staged.staged_scores(batch, 2)


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


@pytest.mark.parametrize("make", [HM3, HSVM, SVM, HRLS, lambda: HM3(kernel="rbf")])
def test_labels_that_are_paths_have_their_ancestors(make):
    builder = BatchBuilder()
    builder.add({"oil": 1.0}, ["economy/crude"])
    builder.add({"cup": 1.0}, ["sport"])
    batch, model = builder.take(), make()
    model.use_tree(Tree.of_paths("/"))
    model.fit(batch)
    assert sorted(model.labels) == ["economy", "economy/crude", "sport"]
    assert sorted(model.scores(batch).set_of(0)) == ["economy", "economy/crude"]


@pytest.mark.parametrize("make", [HM3, HSVM, SVM, HRLS, lambda: HM3(kernel="poly", degree=9), lambda: HM3(C=1e30)])
@pytest.mark.parametrize("large", [1e15, 3e38])
def test_models_of_huge_values_can_be_stored(make, large):
    builder = BatchBuilder()
    for k in range(4):
        builder.add({"a": large, "b": 1.0 + k, "c": large / (k + 1)}, ["x"] if k % 2 else [])
    batch, model, again = builder.take(), make(), make()
    model.fit(batch)
    again.load(model.save())
    assert again.scores(batch).scores.tobytes() == model.scores(batch).scores.tobytes()


def test_a_window_beyond_the_memory_is_refused(monkeypatch):
    asked = []
    check = tree_model._trees.check_memory
    with pytest.raises(MemoryError):
        check(1 << 60)
    monkeypatch.setattr(tree_model._trees, "check_memory", lambda more: asked.append(more) or check(more << 40))
    one = problem("flat", 2, loss="delta", scaling="uniform", C=1.0)
    with pytest.raises(MemoryError):
        fitted(one)
    documents, features = one.rows.shape
    assert asked == [3 * (24 * documents + 12 * features)]


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


@pytest.mark.parametrize("name", ["tree", "features", "model", "curve", "marginals"])
def test_a_saved_model_that_is_not_right_is_refused(name):
    one = problem("flat", 2, loss="delta", scaling="uniform", C=1.0)
    state = fitted(one).save()
    wrong = {
        "tree": {"labels": ["a"], "parents": [0]}, "features": np.zeros(3, np.int32), "curve": np.zeros(3),
        "model": {"state": np.zeros((2, 2))}, "marginals": {**state["marginals"], "strength": -1.0},
    }  # fmt: skip
    with pytest.raises(InputError, match="take another checkpoint"):
        HM3().load({**state, name: wrong[name]})
    with pytest.raises(InputError, match="take another checkpoint"):
        HM3().load({key: value for key, value in state.items() if key != name})

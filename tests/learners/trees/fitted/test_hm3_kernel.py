"""H-M3 with a kernel reaches the optimum too, and with a linear kernel predicts what the weights predict."""

import numpy as np
import pytest
from oracles.hm3 import bells, best_with_and_without, powers
from oracles.hm3_problems import TREES, batch_of, fitted, problem

from telex.learners import BatchBuilder
from telex.learners.base import InputError, UsageError
from telex.learners.trees.fitted import HM3

KERNELS = {
    "poly": ({"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 0.25}, lambda a, b: powers(a, b, 3, 0.5, 0.25)),
    "rbf": ({"kernel": "rbf", "gamma": 0.3}, lambda a, b: bells(a, b, 0.3)),
}


@pytest.mark.parametrize("shape", TREES)
@pytest.mark.parametrize("loss", ["delta", "htilde"])
@pytest.mark.parametrize("name", KERNELS)
def test_the_optimum(shape, loss, name):
    options, kernel = KERNELS[name]
    one = problem(shape, 4, loss=loss, scaling="sibling", C=0.7, kernel=kernel)
    model = fitted(one, loss=loss, scaling="sibling", C=0.7, **options)
    dual, _, primal = model.curve[-1]
    assert dual * (1 - 1e-5) <= one.optimum() <= primal * (1 + 1e-5)
    assert primal - dual <= 2.1e-3 * primal


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("shape", TREES)
def test_both_forms_agree(shape, bias):
    one = problem(shape, 6, n=30, loss="htilde", scaling="subtree", C=1.0)
    options = {"loss": "htilde", "scaling": "subtree", "gap": 1e-5, "passes": 5000, "bias": bias}
    linear, kernel = (fitted(one, form=form, **options) for form in ("linear", "kernel"))
    asked = np.random.default_rng(1).normal(size=(40, one.rows.shape[1])).astype(np.float32)
    batch = batch_of(asked, [one.truths[0]] * 40, one.tree)
    found, other = linear.scores(batch), kernel.scores(batch)
    np.testing.assert_allclose(found.scores, other.scores, atol=0.02)
    sure = (np.abs(found.scores) > 0.04).all(1)
    assert sure.sum() > 20
    np.testing.assert_array_equal(found.relevant[sure], other.relevant[sure])
    assert linear.curve[-1, 0] == pytest.approx(kernel.curve[-1, 0], rel=1e-4)


@pytest.mark.parametrize("name", KERNELS)
def test_scores_follow_from_similar_documents(name):
    options, kernel = KERNELS[name]
    one = problem("forest", 5, loss="delta", scaling="uniform", C=1.0)
    model = fitted(one, **options)
    asked = np.random.default_rng(9).normal(size=(6, one.rows.shape[1])).astype(np.float32)
    found = model.scores(batch_of(asked, [one.truths[0]] * 6, one.tree))
    saved = model.save()["model"]
    documents = np.zeros((len(saved["state"]), one.rows.shape[1]))
    for feature in range(len(saved["starts"]) - 1):
        span = slice(saved["starts"][feature], saved["starts"][feature + 1])
        documents[saved["rows"][span], feature] = saved["values"][span]
    values = kernel(asked.astype(float), documents) @ saved["state"].astype(float)
    for k, own in enumerate(values):
        expected = [best_with_and_without(one.tree, own, node) for node in range(len(one.tree))]
        np.testing.assert_allclose(found.scores[k], expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", KERNELS)
def test_the_same_bits_whatever_else_the_batch_has(name):
    one = problem("forest", 2, n=20, loss="delta", scaling="uniform", C=1.0)
    model = fitted(one, **KERNELS[name][0])
    batch = batch_of(one.rows, one.truths, one.tree)
    whole = model.scores(batch)
    for k in range(len(batch)):
        assert model.scores(batch.rows(k, k + 1)).scores.tobytes() == whole.scores[k : k + 1].tobytes()


def test_a_model_that_is_stored_comes_back():
    options = {**KERNELS["rbf"][0], "bias": True}
    one = problem("chain", 2, loss="delta", scaling="uniform", C=1.0)
    model, again = fitted(one, **options), HM3(**options)
    again.load(model.save())
    batch = batch_of(one.rows, one.truths, one.tree)
    assert again.scores(batch).scores.tobytes() == model.scores(batch).scores.tobytes()


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("state", np.full((3, 9), np.nan, np.float32)),
        ("starts", np.array([0, 99], np.int64)),
        ("rows", np.array([7], np.int32)),
        ("values", np.zeros(3, np.float64)),
    ],
)
def test_a_saved_model_that_is_not_right_is_refused(name, broken):
    options = KERNELS["rbf"][0]
    state = fitted(problem("flat", 2, loss="delta", scaling="uniform", C=1.0), **options).save()
    with pytest.raises(InputError, match="take another checkpoint"):
        HM3(**options).load({**state, "model": {**state["model"], name: broken}})
    with pytest.raises(InputError, match="take another checkpoint"):
        HM3().load(state)  # which has weights


def test_documents_without_features_are_similar_to_each_other():
    builder = BatchBuilder()
    for x, y in [({}, ["quiet"]), ({"cup": 1.0}, ["sport"]), ({}, ["quiet"])]:
        builder.add(x, y)
    batch, model = builder.take(), HM3(kernel="rbf")
    model.fit(batch)
    assert [model.scores(batch).set_of(k) for k in range(3)] == [["quiet"], ["sport"], ["quiet"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": "cubic"}, "kernel is 'cubic'; choose one of linear, poly, rbf"),
        ({"form": "dual"}, "form is 'dual'; choose one of auto, linear, kernel"),
        ({"form": "linear", "kernel": "rbf"}, "the linear form has no kernel rbf; leave form out"),
        ({"degree": 0}, "degree is 0; give a whole number from 1 to 100"),
        ({"degree": 2.5}, "degree is 2.5; give a whole number from 1 to 100"),
        ({"gamma": -1.0}, "gamma is -1.0"),
        ({"coef0": -1.0}, "coef0 is -1.0; give 0 or a number above it"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(UsageError, match=message):
        HM3(**options)

"""SVM, H-SVM and H-RLS: the weights of other solvers, and predictions that follow the tree."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.svm import LinearSVC

from telex.learners import BatchBuilder
from telex.learners.base import InputError, UsageError
from telex.learners.trees import Tree
from telex.learners.trees.fitted import HRLS, HSVM, SVM

EDGES = [("a", None), ("b", "a"), ("c", "a"), ("d", None), ("e", "b")]
TREE = Tree.of(EDGES)


def rows_and_sets(seed, n=60, features=12):
    """Rows at random, and closed sets that have something to do with them."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(n, features)).astype(np.float32)
    values = rows @ draw.normal(size=(features, len(TREE))) + draw.normal(size=(n, len(TREE)))
    on = values > 0
    for level in TREE.levels[1:]:
        on[:, level] &= on[:, TREE.parents[level]]
    return rows, on


def batch_of(rows, on):
    builder = BatchBuilder()
    for row, one in zip(rows, on, strict=True):
        labels = [label for label, there in zip(TREE.labels, one, strict=True) if there]
        builder.add({f"f{k:02}": float(value) for k, value in enumerate(row)}, labels)
    return builder.take()


def fitted(model, rows, on):
    model.use_tree(TREE)
    model.fit(batch_of(rows, on))
    return model


def below(on, node):
    """The documents on which a node is fitted."""
    parent = TREE.parents[node]
    return np.ones(len(on), bool) if parent < 0 else on[:, parent]


@pytest.mark.parametrize("kind", [SVM, HSVM])
@pytest.mark.parametrize("bias", [False, True])
def test_machines_are_those_of_liblinear(kind, bias):
    rows, on = rows_and_sets(1)
    weights = fitted(kind(tolerance=1e-6, bias=bias), rows, on).save()["weights"]
    for node in range(len(TREE)):
        own = below(on, node) if kind is HSVM else slice(None)
        other = LinearSVC(loss="hinge", C=1.0, tol=1e-8, fit_intercept=bias, max_iter=1_000_000, random_state=0)
        other.fit(rows[own], on[own, node])
        expected = np.append(other.coef_[0], other.intercept_) if bias else other.coef_[0]
        np.testing.assert_allclose(weights[:, node], expected, atol=2e-3)


@pytest.mark.parametrize("strength", [0.1, 1.0, 30.0])
def test_least_squares_are_those_of_ridge_regression(strength):
    rows, on = rows_and_sets(2)
    weights = fitted(HRLS(strength), rows, on).save()["weights"]
    for node in range(len(TREE)):
        own = below(on, node)
        other = Ridge(alpha=strength, fit_intercept=False).fit(rows[own], np.where(on[own, node], 1.0, -1.0))
        np.testing.assert_allclose(weights[:, node], other.coef_, atol=1e-4)


@pytest.mark.parametrize("make", [HSVM, HRLS])
def test_top_down_a_node_needs_its_parent(make):
    rows, on = rows_and_sets(3)
    model = fitted(make(), rows, on)
    asked, _ = rows_and_sets(4)
    batch = batch_of(asked, np.zeros((len(asked), len(TREE)), bool))
    found, weights = model.scores(batch), model.save()["weights"]
    own = asked @ weights
    for k in range(len(asked)):
        assert TREE.is_closed(found.set_of(k))
        for node, label in enumerate(TREE.labels):
            path = [TREE.place[one] for one in TREE.path(label)]
            assert found.scores[k, node] == pytest.approx(own[k, path].min(), abs=1e-5)
            assert found.relevant[k, node] == (found.scores[k, node] > 0)


@pytest.mark.parametrize("make", [SVM, HSVM, HRLS, lambda: HSVM(bias=True)])
def test_reasons_add_up_to_the_score(make):
    rows, on = rows_and_sets(5)
    model, batch = fitted(make(), rows, on), batch_of(rows, on)
    found = model.scores(batch)
    for k in range(5):
        reasons = model.reasons(batch, k)
        np.testing.assert_allclose(reasons.contributions.sum(0) + reasons.base, found.scores[k], atol=1e-5)


@pytest.mark.parametrize("make", [SVM, HSVM, HRLS])
def test_the_same_bits_whatever_else_the_batch_has(make):
    rows, on = rows_and_sets(6)
    model, batch = fitted(make(), rows, on), batch_of(rows, on)
    whole = model.scores(batch)
    for k in range(len(batch)):
        assert model.scores(batch.rows(k, k + 1)).scores.tobytes() == whole.scores[k : k + 1].tobytes()


@pytest.mark.parametrize("make", [SVM, HSVM, HRLS])
def test_a_model_that_is_stored_comes_back(make):
    rows, on = rows_and_sets(7)
    model, batch = fitted(make(), rows, on), batch_of(rows, on)
    again = make()
    again.load(model.save())
    for other in (again, pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.scores(batch).scores.tobytes() == model.scores(batch).scores.tobytes()


@pytest.mark.parametrize("make", [HSVM, HRLS])
def test_a_node_that_all_documents_of_its_parent_have_is_always_predicted(make):
    builder, model = BatchBuilder(), make()
    for text, labels in [("oil", ["a", "b"]), ("pipe", ["a", "b"]), ("cup", ["d"]), ("goal", ["d"])]:
        builder.add({text: 1.0}, labels)
    batch = builder.take()
    model.use_tree(TREE)
    model.fit(batch)
    assert [sorted(model.scores(batch).set_of(k)) for k in range(4)] == [["a", "b"], ["a", "b"], ["d"], ["d"]]


@pytest.mark.parametrize("make", [SVM, HSVM, HRLS])
@pytest.mark.parametrize("documents", [[], [({}, [])], [({"x": 1.0}, [])], [({}, ["a"]), ({}, [])]])
def test_windows_without_much(make, documents):
    builder, model = BatchBuilder(), make()
    for x, y in documents:
        builder.add(x, y)
    batch = builder.take()
    model.use_tree(TREE)
    model.fit(batch)
    assert [model.scores(batch).set_of(k) for k in range(len(batch))] == [[]] * len(batch)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SVM(C=0.0), "C is 0.0; give a number above 0"),
        (lambda: HRLS(-1.0), "strength is -1.0; give a number above 0"),
    ],
)
def test_wrong_options(make, message):
    with pytest.raises(UsageError, match=message):
        make()


@pytest.mark.parametrize("name", ["tree", "features", "weights", "constant"])
def test_a_saved_model_that_is_not_right_is_refused(name):
    rows, on = rows_and_sets(8)
    state = fitted(SVM(), rows, on).save()
    with pytest.raises(InputError, match="take another checkpoint"):
        SVM().load({**state, name: np.zeros((3, 2)) if name != "tree" else {"labels": ["a"], "parents": [3]}})
    with pytest.raises(InputError, match="take another checkpoint"):
        SVM().load({key: value for key, value in state.items() if key != name})

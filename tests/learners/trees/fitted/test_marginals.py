"""A fit that begins with the marginals of the last one: feasible, sooner at the end, and the same optimum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.hm3_problems import TREES, batch_of, problem
from oracles.trees import allowed_sets, trees

from telex.adapters.formats import open_source
from telex.learners import Batch, BatchBuilder, WarmStarts
from telex.learners.base import Events
from telex.learners.trees import Tree
from telex.learners.trees.fitted import HM3, TreeWindow
from telex.learners.trees.fitted.marginals import Marginals, true_marginals
from telex.stream import Refit


def numbered(batch, first):
    """The documents with their numbers in a stream."""
    batch.numbers[:] = np.arange(first, first + len(batch))
    return batch


def windows(shape, count=60, size=40, step=10):
    """Windows of a stream that overlap."""
    one = problem(shape, 3, n=count, loss="delta", scaling="uniform", C=1.0)
    for first in range(0, count - size + 1, step):
        stretch = slice(first, first + size)
        yield one.tree, numbered(batch_of(one.rows[stretch], one.truths[stretch], one.tree), first)


def fit(model, tree, batch):
    model.use_tree(tree)
    model.fit(batch)
    return model


@pytest.mark.parametrize("options", [{}, {"kernel": "rbf", "gamma": 0.2}, {"form": "kernel"}, {"loss": "htilde"}])
@pytest.mark.parametrize("shape", TREES)
def test_the_same_optimum(shape, options):
    warm = None
    for tree, batch in windows(shape):
        cold = fit(HM3(**options), tree, batch)
        warm = fit(HM3(**options) if warm is None else warm.copy_for_next_fit(np.zeros(0, np.int32)), tree, batch)
        assert warm.curve[-1, 0] <= cold.curve[-1, 2] * (1 + 1e-6)
        assert cold.curve[-1, 0] <= warm.curve[-1, 2] * (1 + 1e-6)


def test_it_is_sooner_at_its_end():
    news = Batch.concat([batch for batch in open_source("synthetic:n=520,seed=1") if isinstance(batch, Batch)])
    warm, passes = None, [0, 0]
    for first in range(0, 21, 5):
        batch = news.rows(first, first + 500)
        cold = fit(HM3(), Tree.of_paths("/"), batch)
        warm = fit(HM3() if warm is None else warm.copy_for_next_fit(np.zeros(0, np.int32)), Tree.of_paths("/"), batch)
        if first:
            passes[0] += len(cold.curve)
            passes[1] += len(warm.curve)
    assert passes[1] < 0.8 * passes[0]


def test_a_copy_for_the_next_fit_has_no_labels_yet():
    tree, batch = next(windows("forest"))
    model = fit(HM3(), tree, batch)
    new = model.copy_for_next_fit(np.zeros(0, np.int32))
    assert isinstance(model, WarmStarts)
    assert (len(new.labels), len(new.scores(batch))) == (0, len(batch))
    assert len(model.labels) == 4
    new.fit(batch)
    assert len(new.curve) < len(model.curve)
    again = fit(new, tree, batch)  # without a copy, a fit forgets everything
    assert again.scores(batch).scores.tobytes() == model.scores(batch).scores.tobytes()


def test_without_a_warm_start_each_fit_is_the_same():
    tree, batch = next(windows("chain"))
    model = fit(HM3(warm_start=False), tree, batch)
    assert len(model.save()["marginals"]["numbers"]) == 0
    again = fit(model.copy_for_next_fit(np.zeros(0, np.int32)), tree, batch)
    assert again.scores(batch).scores.tobytes() == model.scores(batch).scores.tobytes()


def moved(draw, window, strength):
    """Marginals of random mixtures of what the tree allows, for each document."""
    sets = list(allowed_sets(window.tree))
    mass = np.zeros((len(window.relevant), 3, len(window.tree)))
    for row in range(len(window.relevant)):
        shares = draw.dirichlet(np.ones(len(sets))) * strength
        for share, one in zip(shares, sets, strict=True):
            for node, parent in enumerate(window.tree.parents.tolist()):
                mass[row, 2 if parent >= 0 and not one[parent] else int(one[node]), node] += share
    return mass.reshape(len(window.relevant), -1).astype(np.float32)


@given(trees(most=6), st.integers(0, 10_000))
def test_marginals_stay_feasible_when_the_tree_changes(edges, seed):
    draw, tree = np.random.default_rng(seed), Tree.of(edges)

    def window_of(first):
        builder = BatchBuilder()
        for _ in range(5):
            builder.add({"a": 1.0}, [label for label in tree.labels if draw.random() < 0.3])
        return numbered(builder.take(), first)

    batch, later = window_of(0), window_of(2)
    window, next_window = TreeWindow.of(batch, tree), TreeWindow.of(later, tree)
    before = Marginals.of(batch.numbers, window, 2.0, moved(draw, window, 2.0))
    found = before.begin(later.numbers, next_window, 3.0).reshape(len(later), 3, len(next_window.tree)).astype(float)
    assert (found >= 0).all()
    np.testing.assert_allclose(found.sum(1), 3.0, rtol=1e-5)
    for node, parent in enumerate(next_window.tree.parents.tolist()):
        if parent >= 0:
            np.testing.assert_allclose(found[:, 2, node], found[:, [0, 2], parent].sum(1), atol=1e-5)
        else:
            assert not found[:, 2, node].any()
    known = {number: row for row, number in enumerate(batch.numbers.tolist())}
    truths = true_marginals(next_window, 3.0).reshape(found.shape)
    for row, number in enumerate(later.numbers.tolist()):
        if number not in known:
            np.testing.assert_array_equal(found[row], truths[row])
    again = Marginals.load(before.save(), window.tree)
    assert again.begin(later.numbers, next_window, 3.0).tobytes() == found.astype(np.float32).tobytes()


def test_another_tree_begins_anew():
    builder = BatchBuilder()
    builder.add({"a": 1.0}, ["x", "y"])
    batch = builder.take()
    apart, below = Tree.of([("x", None), ("y", None)]), Tree.of([("x", "y")])
    window = TreeWindow.of(batch, apart)
    before = Marginals.of(batch.numbers, window, 1.0, np.full((1, 6), 1 / 3, np.float32))
    other = TreeWindow.of(batch, below)
    assert before.begin(batch.numbers, other, 1.0).tolist() == true_marginals(other, 1.0).tolist()


def test_a_refit_that_is_stored_goes_on_as_if_it_had_not_been():
    tree, stream = next(windows("forest", count=120, size=120))

    def refit():
        model = Refit(HM3(), every=20, window=50)
        model.model.use_tree(tree)
        return model

    whole, first, second = refit(), refit(), refit()
    expected = whole.progress(Events(stream))
    first.progress(Events(stream.rows(0, 70)))
    second.load(first.save())
    found = second.progress(Events(stream.rows(70, 120)))
    assert np.array_equal(found.scores[:, :4], expected.scores[70:, :4])
    assert whole.state.refits == 6


def test_a_refit_in_the_background_begins_with_the_last_one():
    tree, stream = next(windows("forest", count=100, size=100))
    found = {}
    for mode in ("sync", "background"):
        model = Refit(HM3(), every=50, window=100, mode=mode)
        model.model.use_tree(tree)
        for first in (0, 50):
            model.progress(Events(stream.rows(first, first + 50)))
            model.settle()
        found[mode] = model.scores(stream).scores.tobytes()
        assert model.state.refits == 2
        model.close()
    assert found["sync"] == found["background"]

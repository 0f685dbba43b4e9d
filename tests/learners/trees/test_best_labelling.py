"""The best labelling is the best of all that a tree allows: all of them are tried."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.trees import allowed_sets, trees

from telex.learners.trees import Tree, best_labelling


@given(trees(), st.data())
def test_no_allowed_set_has_a_larger_sum(edges, data):
    tree = Tree.of(edges)
    whole = st.lists(st.integers(-4, 4), min_size=len(tree), max_size=len(tree))
    values = np.array(data.draw(st.lists(whole, min_size=1, max_size=3)), float)
    preferred = np.array([[bool(data.draw(st.booleans())) for _ in row] for row in values])
    found = best_labelling(tree, values, preferred)
    sets = list(allowed_sets(tree))
    for row, chosen in zip(values, found, strict=True):
        assert tuple(chosen.tolist()) in sets
        assert row[chosen].sum() == max(row[list(one)].sum() for one in sets)


def test_ties_follow_the_preference():
    tree = Tree.of([("a", None), ("c", None), ("b", "a")])
    values = np.zeros((1, 3))
    assert best_labelling(tree, values).tolist() == [[False, False, False]]
    assert best_labelling(tree, values, np.array([[True, False, True]])).tolist() == [[True, False, True]]
    assert best_labelling(tree, values, np.array([[False, True, True]])).tolist() == [[False, True, False]]

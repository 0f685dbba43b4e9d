"""What a mistake at each node counts."""

import numpy as np
import pytest
from hypothesis import given
from oracles.trees import trees

from telex.learners.base import UsageError
from telex.learners.trees import Tree, node_weights


@given(trees())
def test_weights_by_their_definitions(edges):
    tree = Tree.of(edges)
    parents = tree.parents.tolist()
    paths = [tree.path(label) for label in tree.labels]
    below = [[path for path in paths if label in path] for label in tree.labels]
    assert node_weights(tree, "uniform").tolist() == [1.0] * len(tree)
    np.testing.assert_allclose(node_weights(tree, "subtree"), [len(nodes) / len(tree) for nodes in below])
    sibling = []
    for parent in parents:
        sibling.append((1.0 if parent < 0 else sibling[parent]) / parents.count(parent))
    np.testing.assert_allclose(node_weights(tree, "sibling"), sibling)


def test_a_scaling_that_is_not_there():
    with pytest.raises(UsageError, match="no scaling 'even'; choose uniform, sibling or subtree"):
        node_weights(Tree.of([("a", None)]), "even")

"""Small problems for H-M3, each with its slow oracle."""

import numpy as np
from oracles.hm3 import Problem
from oracles.trees import allowed_sets

from telex.learners import BatchBuilder
from telex.learners.trees import Tree
from telex.learners.trees.fitted import HM3

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
    """Documents with a feature a column, and true sets."""
    builder = BatchBuilder()
    for row, truth in zip(rows, truths, strict=True):
        labels = [label for label, on in zip(tree.labels, truth, strict=True) if on]
        builder.add({f"f{k}": float(value) for k, value in enumerate(row)}, labels)
    return builder.take()


def fitted(one, **options):
    """H-M3, fitted on a problem."""
    model = HM3(**{"gap": 2e-3, "passes": 500, **options})
    model.use_tree(one.tree)
    model.fit(batch_of(one.rows, one.truths, one.tree))
    return model

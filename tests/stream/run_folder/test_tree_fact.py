"""A tree as a fact of run.json: it comes back, and what is no tree is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.trees import trees

from telex.learners.trees import Tree
from telex.stream.run_folder import fact_tree, tree_fact


@given(trees(), st.none() | st.text(min_size=1))
def test_it_comes_back_from_json(edges, separator):
    made = Tree.of(edges)
    tree = Tree(made.labels, made.parents, separator)
    found = fact_tree(json.loads(json.dumps(tree_fact(tree))))
    assert (found.labels, found.parents.tolist(), found.separator) == (tree.labels, tree.parents.tolist(), separator)


def test_labels_that_files_cannot_tell_apart_make_no_fact():
    assert tree_fact(Tree.of([(1, "a"), ("1", "b")])) is None
    assert tree_fact(None) is fact_tree(None) is None


@pytest.mark.parametrize(
    "fact",
    [[], "a", {"labels": ["a"]}, {"labels": [1], "parents": [-1]}, {"labels": ["a"], "parents": [-2]},
     {"labels": ["a"], "parents": [0.5]}, {"labels": ["a", "b"], "parents": [-1]}, {"labels": ["a"], "parents": [0]},
     {"labels": ["a", "b"], "parents": [1, -1]}, {"labels": ["a", "a"], "parents": [-1, 0]},
     {"labels": ["a"], "parents": [10**20]}, {"labels": [], "parents": [], "separator": ""}],
)  # fmt: skip
def test_a_fact_that_is_no_tree_is_refused(fact):
    with pytest.raises(ValueError, match=r"^(Expected|Object|Integer|in its tree)"):
        fact_tree(fact)

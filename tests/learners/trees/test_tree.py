"""A tree knows its labels, their parents and their order; what contradicts itself is refused in a sentence."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.trees import trees

from telex.learners.base import InputError
from telex.learners.trees import Tree


@given(trees())
def test_a_parent_comes_before_its_children(edges):
    tree = Tree.of(edges)
    assert sorted(tree.labels) == sorted(label for label, _ in edges)
    for place, (label, parent) in enumerate(zip(tree.labels, tree.parents.tolist(), strict=True)):
        assert parent < place == tree.place[label]
        assert dict(edges)[label] == (None if parent < 0 else tree.labels[parent])
        assert place in tree.levels[len(tree.path(label)) - 1]
    assert sorted(np.concatenate(tree.levels).tolist()) == list(range(len(tree)))


@given(trees(), st.sets(st.integers(0, 11)))
def test_closing_adds_ancestors_and_nothing_else(edges, chosen):
    tree, given_labels = Tree.of(edges), [f"n{i}" for i in chosen]
    closed = tree.closed(given_labels)
    assert closed[: len(given_labels)] == given_labels
    assert tree.is_closed(closed)
    assert set(closed) == {above for label in given_labels for above in tree.path(label)}
    assert tree.is_closed(given_labels) == (len(closed) == len(given_labels))


@given(trees())
def test_what_is_saved_comes_back(edges):
    tree = Tree.of(edges)
    for other in (Tree.load(tree.save()), pickle.loads(pickle.dumps(tree))):
        assert other.labels == tree.labels
        assert other.parents.tolist() == tree.parents.tolist()


def test_a_parent_needs_no_pair_of_its_own():
    assert Tree.of([("gas", "energy")]).labels == ("energy", "gas")


def test_labels_that_it_lacks_become_roots_at_the_end():
    tree = Tree.of([("gas", "energy")])
    more = tree.with_labels(["gas", "sport", "war", "sport"])
    assert more.labels == ("energy", "gas", "sport", "war")
    assert more.parents.tolist() == [-1, 0, -1, -1]
    assert tree.with_labels(["gas"]) is tree
    assert "sport" not in tree
    assert tree.closed(["sport"]) == ["sport"]


def test_labels_that_are_paths_bring_their_ancestors():
    tree = Tree.of_paths("/").with_labels(["a/b/c", "d", "a/x", 7, "/e"])
    assert tree.labels == ("a", "a/b", "a/b/c", "d", "a/x", 7, "/e")
    assert tree.parents.tolist() == [-1, 0, 1, -1, 0, -1, -1]
    assert Tree.load(tree.save()).with_labels(["d/z"]).path("d/z") == ["d/z", "d"]
    with pytest.raises(InputError, match="the separator of paths is empty; give one, such as /"):
        Tree.of_paths("")


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([], "has no label"),
        ([("a", "b"), ("a", "c")], "'a' has two parents in the tree, 'b' and 'c'; keep one"),
        ([("a", "b"), ("a", None)], "'a' has two parents in the tree, 'b' and None"),
        ([("a", "a")], "goes round in a circle: 'a' under 'a'; cut it open"),
        ([("x", None), ("a", "b"), ("b", "c"), ("c", "a")], "circle: 'a' under 'b' under 'c' under 'a'"),
        ([(f"n{i}", f"n{(i + 1) % 50}") for i in range(50)], "'n0' under 'n1' under 'n2' under ... under 'n0'"),
        ([("leaf", "a"), ("a", "b"), ("b", "a")], "circle: 'a' under 'b' under 'a'"),
    ],
)
def test_contradictions_are_refused(edges, message):
    with pytest.raises(InputError, match=message):
        Tree.of(edges)


@pytest.mark.parametrize(
    "state",
    [
        {"labels": ["a", "b"], "parents": [-1]},
        {"labels": ["a", "a"], "parents": [-1, 0]},
        {"labels": ["a", "b"], "parents": [1, -1]},
        {"labels": ["a"], "parents": [0]},
        {"labels": ["a"], "parents": [[-1]]},
        {"labels": ["a"], "parents": [-1], "separator": 3},
    ],
)
def test_a_saved_tree_that_is_not_right_is_refused(state):
    with pytest.raises(InputError, match="a saved tree is not right"):
        Tree.load(state)


def test_a_thousand_levels_and_no_more():
    def chain(levels):
        return Tree.of([(i, i - 1 if i else None) for i in range(levels)])

    assert len(chain(1_000).path(999)) == len(chain(1_000).levels) == 1_000
    with pytest.raises(InputError, match="100,000 levels, down to 99999, and at most 1,000 can be; check the parents"):
        chain(100_000)


def test_a_path_of_too_many_parts_is_a_root():
    deep, deeper = "/".join("a" * 1_000), "/".join("b" * 100_000)
    tree = Tree.of_paths("/").with_labels([deep, deeper])
    assert len(tree) == 1_001
    assert len(tree.path(deep)) == 1_000
    assert tree.path(deeper) == [deeper]


def test_a_label_twice_is_the_same_label():
    assert Tree.of([("gas", "energy"), ("gas", "energy"), ("energy", None)]).labels == ("energy", "gas")

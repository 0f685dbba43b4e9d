"""Batches whose label sets are closed upwards, over tables that grow."""

from hypothesis import given
from hypothesis import strategies as st
from oracles import strategies
from oracles.compare import batch_of
from oracles.kinds import TREE

from telex.learners import BatchBuilder, Names
from telex.learners.trees import Tree
from telex.learners.trees.closed_labels import ClosedLabels

PATHS = st.lists(st.sampled_from(["a", "a/b", "a/b/c", "a/d", "e", "e/f", "/", "a//b"]), unique=True, max_size=4)


def ancestors(tree, label):
    return [] if label is None else [*ancestors(tree, tree.parent(label)), label]


@given(documents=strategies.patchy, ahead=st.lists(st.sampled_from(strategies.LABELS), unique=True), data=st.data())
def test_every_label_comes_once_and_behind_its_parent(documents, ahead, data):
    nodes, builder = ClosedLabels(TREE), BatchBuilder(Names(), Names(ahead))
    cut = data.draw(st.integers(0, len(documents)))
    for part in (documents[:cut], documents[cut:]):
        whole = batch_of(part, builder)
        for batch in (whole, whole.rows(len(whole) // 2, len(whole))):
            closed = nodes.batch(batch)
            for k in range(len(batch)):
                expected = [one for label in batch.labels_of(k) for one in ancestors(TREE, label)]
                assert closed.labels_of(k) == list(dict.fromkeys(expected))
    parents, inner = nodes.edges()
    for label, parent, may in zip(nodes.table, parents.tolist(), inner.tolist(), strict=True):
        assert (None if parent < 0 else nodes.table[parent]) == TREE.parent(label)
        assert may == TREE.may_have_children(label)


@given(rows=st.lists(PATHS, max_size=6))
def test_paths(rows):
    tree = Tree.of_paths("/")
    closed = ClosedLabels(tree).batch(batch_of([({}, row) for row in rows]))
    for k, row in enumerate(rows):
        whole = tree.with_labels(row)
        assert set(closed.labels_of(k)) == set(whole.closed(row))
        assert all(whole.parent(label) == tree.parent(label) for label in closed.labels_of(k))

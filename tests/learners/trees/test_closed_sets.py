"""Closed sets have the labels, all their ancestors and nothing else, however the stream is cut."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from oracles.trees import trees

from telex.learners import BatchBuilder
from telex.learners.base import in_order
from telex.learners.trees import ClosedSets, Tree

PATHS = [f"{a}/{b}" for a in "abc" for b in "xyz"] + ["a", "b/x/1", "b/x/2/3"]


def stream_of(sets):
    builder = BatchBuilder()
    builder.add({}, ["before"])  # a slice need not begin at 0
    for one in sets:
        builder.add({}, one)
    return builder.take()


@given(trees(), st.booleans(), st.data())
def test_by_their_definition(edges, paths, data):
    tree = Tree.of_paths("/") if paths else Tree.of(edges)
    labels = PATHS if paths else [*tree.labels, "other", "more"]
    sets = data.draw(st.lists(st.none() | st.sets(st.sampled_from(labels)), min_size=1, max_size=8))
    cuts = sorted({0, len(sets), *data.draw(st.lists(st.integers(0, len(sets))))})
    whole, closing = stream_of(sets), ClosedSets(tree)
    grown = tree.with_labels(PATHS) if paths else tree
    documents = added = 0
    for start, stop in pairwise(cuts):
        batch, more_documents, more_labels = closing.close(whole.rows(start + 1, stop + 1))
        documents, added = documents + more_documents, added + more_labels
        assert batch.label_names is closing.names
        for row, one in enumerate(sets[start:stop]):
            assert batch.labelled[row] == (one is not None)
            assert batch.labels_of(row) == in_order(grown.closed(one or ()))
            assert sorted(closing.closed(sorted(one or ()))) == sorted(grown.closed(one or ()))
    given_sets = [one or () for one in sets]
    assert documents == sum(not grown.is_closed(one) for one in given_sets)
    assert added == sum(len(grown.closed(one)) - len(one) for one in given_sets)


def test_ids_do_not_depend_on_what_the_source_has_read_ahead():
    builder, tree = BatchBuilder(), Tree.of([("b", "a"), ("d", "c")])
    builder.add({}, ["d"])
    builder.add({}, ["b"])
    batch, ahead, behind = builder.take(), ClosedSets(tree), ClosedSets(tree)
    ahead.close(batch)
    behind.close(batch.rows(0, 1))
    assert list(behind.names) == ["d", "c"]
    behind.close(batch.rows(1, 2))
    assert list(behind.names) == list(ahead.names) == ["d", "c", "b", "a"]


def test_names_that_predictions_have_added_get_their_parents():
    closing = ClosedSets(Tree.of([("b", "a"), ("c", "b")]))
    builder = BatchBuilder()
    builder.add({}, ["a"])
    closing.close(builder.take()).batch.label_names.id("c")
    builder.add({}, ["c"])
    assert closing.close(builder.take()).batch.labels_of(0) == ["a", "b", "c"]

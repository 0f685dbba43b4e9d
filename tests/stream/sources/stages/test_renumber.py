"""Batches in the ids of other tables than those of their source."""

from dataclasses import replace

import numpy as np
import pytest

from telex.learners import Batch, BatchBuilder
from telex.learners.base import Forget, InputError, Names
from telex.stream.sources.stages.renumber import Renumbering


def said(batch):
    """The documents by name, and the ids of their features."""
    rows = []
    assert batch.counts is None or (batch.counts == batch.values + 1).all()
    for row in range(len(batch)):
        span = slice(int(batch.indptr[row]), int(batch.indptr[row + 1]))
        ids = batch.features[span].tolist()
        assert ids == sorted(ids)
        values = {batch.feature_names[i]: x for i, x in zip(ids, batch.values[span].tolist(), strict=True)}
        rows.append((values, sorted(ids), batch.labels_of(row)))
    return rows


def test_ids_are_those_of_one_stream_whatever_the_batches(zipf):
    before, whole, after = BatchBuilder(), BatchBuilder(), BatchBuilder()
    for number, (x, y) in enumerate(zipf[:120]):
        for builder in (whole, before if number < 50 else after):
            builder.add(x, y)
    expected = said(whole.take().rows(50, 120))
    first, second = before.take(), after.take()
    second = replace(second, counts=second.values + 1)
    for size in (1, 13, 70):
        tables = Renumbering(Names(first.feature_names), Names(first.label_names))
        found = [row for start in range(0, 70, size) for row in said(tables(second.rows(start, min(70, start + size))))]
        assert found == expected
        assert list(tables.feature_names) == list(whole.feature_names)
        assert list(tables.label_names) == list(whole.label_names)
    again = Renumbering.of(tables.save())
    assert said(again(second)) == expected


def test_what_is_new_is_left_out_of_tables_that_do_not_grow():
    source = BatchBuilder()
    source.add({"cup": 1.0, "gold": 2.0}, ["sport"])
    source.add({"cup": 1.0}, None)
    tables = Renumbering(Names(["gold"]), Names(), growing=False)
    batch = tables(source.take())
    assert (batch.indptr.tolist(), batch.features.tolist(), batch.values.tolist()) == ([0, 1, 1], [0], [2.0])
    assert list(tables.feature_names) == ["gold"]


def test_another_source_begins_anew_and_what_forgets_is_refused():
    one, other = BatchBuilder(), BatchBuilder()
    one.add({"cup": 1.0}, ["sport"])
    other.add({"gold": 1.0, "cup": 3.0}, ["trade", "sport"])
    tables = Renumbering(Names(), Names())
    first = one.take()
    for batch in (first, other.take(), first):
        assert [values for values, _, _ in said(tables(batch))] == [values for values, _, _ in said(batch)]
        assert [labels for _, _, labels in said(tables(batch))] == [labels for _, _, labels in said(batch)]
    forgetting = Batch.load(first.save(), first.feature_names, first.label_names)
    object.__setattr__(forgetting, "forget", Forget(np.zeros(1, np.int32), np.zeros(1, np.int32)))
    with pytest.raises(InputError, match="cannot be renumbered"):
        tables(forgetting)

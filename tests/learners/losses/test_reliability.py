"""Tenths of probabilities are those that plain arithmetic finds, and no cut of the stream changes them."""

from dataclasses import replace

import numpy as np
import pytest
from oracles.compare import batch_of
from oracles.streams import zipf

from telex.learners import BR, NB, Events
from telex.learners.base import InputError
from telex.learners.losses import judge, no_reliability, tenths
from telex.stream import Run
from telex.stream.curves import Curve

STREAM = zipf(13, documents=200, unlabelled=0.2)


def test_they_are_those_of_plain_arithmetic():
    batch = batch_of(STREAM)
    predictions = NB().progress(Events(batch))
    seen = [[] for _ in range(10)]
    for k in range(len(batch)):
        for c in range(predictions.known[k]) if batch.labelled[k] else ():
            p = float(predictions.probabilities[k, c])
            seen[min(9, int(p * 10))].append((p, predictions.labels[c] in batch.labels_of(k)))
    assert sum(map(bool, seen)) > 3
    for found, expected in zip(tenths(judge(predictions, batch).reliability), seen, strict=True):
        assert (found is None) == (not expected)
        if found is not None:
            assert found.size == len(expected)
            assert found.predicted == pytest.approx(np.mean([p for p, _ in expected]), abs=1e-6)
            assert found.observed == pytest.approx(np.mean([true for _, true in expected]))


def test_many_labels_are_counted_as_one_by_one():
    width = 2500  # those of the lowest tenth are summed some at a time
    batch = batch_of([({}, [f"l{c}" for c in range(0, width, 7)]), ({}, [f"l{c}" for c in range(width)])])
    predictions = BR().progress(Events(batch.rows(0, 0)))
    table, rng = batch.label_names, np.random.default_rng(3)
    some = (rng.random((2, width)) ** 4).astype(np.float32)
    some[:, :40] = np.repeat(np.array([0, 0.1, 0.09999999, 1], np.float32), 10)
    predictions = predictions.of_all(np.zeros_like(some), some > 1, batch, table, 0)
    found = judge(replace(predictions, probabilities=some), batch).reliability.reshape(3, 10)
    places = np.minimum((some * np.float32(10)).astype(int), 9)
    assert found[0].tolist() == np.bincount(places.ravel(), minlength=10).tolist()
    units = (some.astype(float) * 2**24).astype(np.int64)
    assert found[1].tolist() == [int(units[places == tenth].sum()) for tenth in range(10)]


def test_no_cut_changes_them_and_checkpoints_keep_them():
    whole, parts = Curve([], 10), Curve([], 10)
    batch = batch_of(STREAM)
    predictions = NB().progress(Events(batch))
    whole.add(judge(predictions, batch))
    model = NB()
    for start in range(0, 200, 30):
        some = batch.rows(start, min(200, start + 30))
        parts.add(judge(model.progress(Events(some)), some))
        kept, parts = parts.save(), Curve([], 10)
        parts.load(kept)
    assert parts.reliability.tolist() == whole.reliability.tolist() != no_reliability().tolist()
    del kept["reliability"]  # as in a run that began before it was counted
    parts.load(kept)
    parts.add(judge(predictions, batch))
    assert parts.reliability is None


def test_a_learner_without_probabilities_has_none():
    batch = batch_of(STREAM)
    assert judge(BR().progress(Events(batch)), batch).reliability is None
    run = Run([batch], {"br": BR(), "nb": NB()})
    for _ in run:
        pass
    assert set(run.summary()["reliability"]) == {"nb"}
    assert len(run.summary()["reliability"]["nb"]) == 10


def test_what_is_no_probability_is_refused():
    batch = batch_of(STREAM)
    predictions = NB().progress(Events(batch))
    wrong = replace(predictions, probabilities=predictions.probabilities + 1)
    with pytest.raises(InputError, match="not within 0 and 1"):
        judge(wrong, batch)

"""The order in which learners of a stream learn a training part."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners import AROW, NB, BatchBuilder, BoostingMH
from telex.learners.base import UsageError
from telex.stream.crossval import Corpus, cross_validate, stratified
from telex.stream.crossval.shuffled import in_epochs, neighbours, note_on_order

LABELS = ("gold", "wheat", "oil")


def corpus(order, times=None):
    """Documents of three labels, with the words of each, in this order of their labels."""
    rng, builder = np.random.default_rng(3), BatchBuilder()
    for place, label in enumerate(order):
        words = {f"{LABELS[label]}{rng.integers(4)}": 1.0, f"any{rng.integers(6)}": 1.0, "share": 1.0}
        builder.add(words, [LABELS[label]], id=f"d{place}", time=None if times is None else float(times[place]))
    return Corpus.read([builder.take()])


SORTED = np.repeat(np.arange(3), 40)


class Told:
    """A learner of a stream that only notes what it learns; copies note in the same place."""

    labels = ()

    def __init__(self):
        self.learnt = []

    def __deepcopy__(self, memo):
        return self

    def learn(self, batch):
        self.learnt.append(list(batch.ids))
        raise RuntimeError("enough")


@given(st.integers(0, 40), st.integers(1, 4), st.sampled_from(["once", "epoch", "no"]), st.integers(-5, 5))
def test_each_epoch_has_each_document_once(count, epochs, shuffle, seed):
    train = corpus(np.arange(count) % 3).batch if count else BatchBuilder().take()
    learnt = [list(batch.ids) for batch in in_epochs(train, epochs, shuffle, seed)]
    assert len(learnt) == epochs
    assert all(sorted(ids) == sorted(train.ids) for ids in learnt)
    if shuffle != "epoch":
        assert all(ids == learnt[0] for ids in learnt)
    if shuffle == "no":
        assert learnt[0] == list(train.ids)


def test_the_order_of_two_documents_does_not_depend_on_the_others():
    whole = corpus(np.arange(30) % 3).batch
    [some] = in_epochs(whole.take(np.arange(0, 30, 2, dtype=np.int32)), 1, "once", 7)
    [all_] = in_epochs(whole, 1, "once", 7)
    there = set(some.ids)
    assert [one for one in all_.ids if one in there] == list(some.ids)


@pytest.mark.parametrize(
    ("shuffle", "times", "expected"),
    [
        (None, None, "once"),
        (None, np.arange(120), "no"),
        (None, np.zeros(120), "once"),
        ("epoch", np.arange(120), "epoch"),
        ("no", None, "no"),
    ],
)
def test_the_order_is_shuffled_unless_it_is_that_of_time(shuffle, times, expected):
    documents, told, said = corpus(SORTED, times), Told(), []
    folds = stratified(documents.batch, 2)
    outcome = cross_validate(
        documents, {"told": told, "nb": NB()}, folds, shuffle=shuffle, seed=4, progress=said.append
    )
    assert outcome.shuffle == outcome.plain()["shuffle"] == expected
    [one] = in_epochs(documents.batch.take(folds[0].train), 1, expected, 4)
    assert told.learnt[0] == list(one.ids)
    notes = [text for text in said if "a label of the one before" in text]
    assert len(notes) == 1
    assert ("give --shuffle once" in notes[0]) == (expected == "no")


def test_sorted_documents_are_learnt_better_shuffled():
    documents = corpus(SORTED)
    folds = stratified(documents.batch, 3)
    found = {
        shuffle: cross_validate(documents, {"arow": AROW()}, folds, shuffle=shuffle).mean("arow", "test")["iserr"]
        for shuffle in ("no", "once")
    }
    assert found["once"] < found["no"]


def test_what_is_fitted_does_not_depend_on_shuffling():
    documents = corpus(SORTED)
    folds = stratified(documents.batch, 3)
    plain = [
        cross_validate(documents, {"b": BoostingMH(rounds=4)}, folds, shuffle=shuffle).plain()["learners"]
        for shuffle in ("no", "once", "epoch")
    ]
    assert plain[0] == plain[1] == plain[2]


def test_neighbours_against_a_plain_count():
    documents = corpus(np.random.default_rng(8).integers(0, 3, 200))
    labels = [set(documents.batch.labels_of(row)) for row in range(200)]
    share, chance = neighbours(documents.batch)
    assert share == sum(bool(one & two) for one, two in pairwise(labels)) / 199
    assert abs(share - chance) < 0.15
    assert note_on_order(documents, "no") == ""


def test_an_unknown_way_is_refused():
    documents = corpus(SORTED)
    with pytest.raises(UsageError, match="'twice' is no way to shuffle; choose once, epoch or no"):
        cross_validate(documents, {"nb": NB()}, stratified(documents.batch, 2), shuffle="twice")

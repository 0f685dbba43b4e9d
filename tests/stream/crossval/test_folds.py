"""Which documents train and which test."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from telex.learners import BatchBuilder
from telex.learners.base import UsageError
from telex.stream.crossval import Corpus, folds

SINGLE = st.lists(st.sampled_from("abcde"), min_size=10, max_size=80)
SEVERAL = st.lists(st.lists(st.sampled_from("abcde"), max_size=3, unique=True), min_size=10, max_size=80)


def batch_of(labels, times=None):
    builder = BatchBuilder()
    for i, one in enumerate(labels):
        builder.add({"x": 1.0}, one, id=f"d{i}", time=float("nan") if times is None else times[i])
    return builder.take()


def spread(found, which):
    """How many documents of `which` each fold tests: the fewest and the most."""
    counts = [int(np.isin(fold.test, which).sum()) for fold in found]
    return min(counts), max(counts)


@given(labels=SEVERAL, k=st.integers(2, 10), seed=st.integers(0, 5))
def test_what_is_alike_is_spread_to_within_one(labels, k, seed):
    batch = batch_of(labels)
    found = folds.stratified(batch, k, seed)
    everything = np.arange(len(labels))
    counts = {label: sum(label in one for one in labels) for label in "abcde"}
    rarest = [min(one, key=lambda c: (counts[c], c), default=None) for one in labels]
    groups = [everything, *(np.flatnonzero([sorted(one) == sorted(kind) for one in labels]) for kind in labels)]
    groups += [np.flatnonzero([one == label for one in rarest]) for label in set(rarest)]
    for group in groups:
        fewest, most = spread(found, group)
        assert most - fewest <= 1
    assert sorted(np.concatenate([fold.test for fold in found]).tolist()) == everything.tolist()
    for fold in found:
        assert sorted([*fold.train.tolist(), *fold.test.tolist()]) == everything.tolist()


@given(labels=SINGLE, k=st.integers(2, 6), seed=st.integers(0, 5))
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_scikit_learn_deals_as_many_of_each_class(labels, k, seed):
    """As many folds get the larger share of a class there as here; which folds those are is a matter of order."""
    model_selection = pytest.importorskip("sklearn.model_selection")
    assume(max(labels.count(c) for c in labels) >= k)  # it refuses others
    splitter = model_selection.StratifiedKFold(k, shuffle=True, random_state=0)
    theirs = [test for _, test in splitter.split(np.zeros(len(labels)), labels)]
    ours = [fold.test for fold in folds.stratified(batch_of([[c] for c in labels]), k, seed)]
    for label in sorted(set(labels)):
        which = np.flatnonzero([c == label for c in labels])
        counts = [sorted(int(np.isin(test, which).sum()) for test in tests) for tests in (ours, theirs)]
        assert counts[0] == counts[1]
    assert sorted(map(len, ours)) == sorted(map(len, theirs))


def test_the_seed_decides_who_goes_where():
    batch = batch_of([["a"]] * 30)
    first, same, other = ([fold.test.tolist() for fold in folds.stratified(batch, 3, seed)] for seed in (1, 1, 2))
    assert first == same != other


def test_too_many_folds_or_too_few():
    for k in (0, 1, 4):
        with pytest.raises(UsageError, match=f"3 documents cannot make {k} folds; give a number from 2 to 3"):
            folds.stratified(batch_of([["a"]] * 3), k)


def test_folds_that_are_given():
    batch = batch_of([["a"]] * 4)
    found = folds.folds_by_id(batch, {"d0": "10", "d1": "9", "d2": "10", "d3": "9", "another": "1"})
    assert [(fold.name, fold.test.tolist()) for fold in found] == [("9", [1, 3]), ("10", [0, 2])]
    with pytest.raises(UsageError, match="the document 'd3' has no fold"):
        folds.folds_by_id(batch, dict.fromkeys(("d0", "d1", "d2"), "1"))
    with pytest.raises(UsageError, match="all documents are in one fold"):
        folds.folds_by_id(batch, dict.fromkeys(("d0", "d1", "d2", "d3"), "1"))


@pytest.mark.parametrize(
    ("text", "train"),
    [("3", 3), ("60%", 6), ("0.29", 2), ("12.5%", 1), ("id:d6", 7), ("1970-01-01", 4), ("1970-01-01T12:00", 3)],
)
def test_the_beginning_trains(text, train):
    documents = Corpus.read([batch_of([["a"]] * 10, times=[k * 6 * 3600.0 for k in range(10)])])
    fold = folds.train_first(documents, text)
    assert fold.train.tolist() == list(range(train))
    assert fold.test.tolist() == list(range(train, 10))


@pytest.mark.parametrize("text", ["10", "11", "0%", "100%", "2031-01-01", "id:none"])
def test_a_beginning_that_leaves_nothing(text):
    documents = Corpus.read([batch_of([["a"]] * 10, times=[0.0] * 10)])
    with pytest.raises(UsageError, match=r"give another|give an earlier end"):
        folds.train_first(documents, text)


@pytest.mark.parametrize("text", ["soon", "0", "-3", "60%%", "1.2.3"])
def test_what_says_nowhere(text):
    with pytest.raises(UsageError, match="says nowhere in a stream"):
        folds.train_first(Corpus.read([batch_of([["a"]] * 10)]), text)

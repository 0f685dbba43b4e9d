import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import BatchBuilder, UsageError
from telex.stream._seen import fingerprints
from telex.stream.sources.stages.repeated_texts import Repeats, row_fingerprints


@given(
    st.lists(st.integers(0, 6), max_size=40), st.integers(1, 8), st.sampled_from(["keep", "skip"]), st.integers(1, 9)
)
def test_the_last_ones_are_remembered_whatever_the_cuts(prints, window, policy, size):
    repeats = Repeats(policy, window)
    repeats.begin()
    kept = []
    for first in range(0, len(prints), size):
        part = np.array(prints[first : first + size], np.uint64)
        kept += [first + row for start, stop in repeats.stretches(part, len(kept)) for row in range(start, stop)]
    memory, repeated = [], []
    for i, value in enumerate(prints):
        if value and value in memory:
            repeated.append(i)
        elif value:
            memory = [*memory, value][-window:]
    assert repeats.count == len(repeated)
    assert kept == [i for i in range(len(prints)) if policy == "keep" or i not in repeated]


def test_only_what_is_asked_for_is_counted():
    repeats = Repeats()
    for counting in (False, True, False):
        repeats.begin(counting=counting)
        list(repeats.stretches(np.array([5, 5], np.uint64), 0))
    assert repeats.count == 1


def test_another_policy_is_refused():
    with pytest.raises(UsageError, match="duplicates=drop: give one of keep, skip"):
        Repeats("drop")


def test_rows_with_the_same_features_have_the_same_fingerprint():
    builder = BatchBuilder()
    documents = [
        {"a": 1.0, "b": 2.0},
        {"b": 2.0, "a": 1.0},
        {"a": 2.0, "b": 1.0},
        {"a": 1.0},
        {},
        {"b": 1.0},
        {"a": 0.0},
    ]
    for features in documents:
        builder.add(features, [])
    batch = builder.take()
    prints = row_fingerprints(batch).tolist()
    assert prints[0] == prints[1]
    assert prints[4] == 0
    assert len(set(prints)) == 6
    assert row_fingerprints(batch.rows(2, 5)).tolist() == prints[2:5]


def plain_fingerprint(row):
    """Feature by feature, as stored positions have it."""
    all_bits, print_ = 2**64 - 1, 0
    for feature, value in row:
        print_ = (print_ << 29 | print_ >> 35) & all_bits
        print_ = ((print_ ^ feature << 32 ^ int(np.float32(value).view(np.uint32))) * 0x9E3779B97F4A7C15) & all_bits
        print_ ^= print_ >> 32
    return print_ or bool(row)


@given(st.lists(st.lists(st.tuples(st.integers(0, 2**31 - 1), st.floats(width=32)), max_size=9), max_size=14))
def test_a_fingerprint_does_not_depend_on_the_rows_around(rows):
    pairs = [pair for row in rows for pair in row]
    prints = np.empty(len(rows), np.uint64)
    fingerprints(
        np.cumsum([0, *map(len, rows)]),
        np.array([feature for feature, _ in pairs], np.int32),
        np.array([value for _, value in pairs], np.float32),
        prints,
    )
    assert prints.tolist() == [plain_fingerprint(row) for row in rows]

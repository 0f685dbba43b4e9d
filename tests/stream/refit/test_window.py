"""The last documents of a stream."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners import BatchBuilder, Forget, Names
from telex.learners.base import InputError, UsageError
from telex.stream import Window

NAN = float("nan")


def stream_of(documents, forget=()):
    """One batch of (features by number, labels or None, time); `forget` are (row, feature)."""
    builder = BatchBuilder(Names(range(12)))
    for i, (features, labels, time) in enumerate(documents):
        builder.add({f: i + f / 16 for f in features}, labels, id=f"d{i}", time=time)
    batch = builder.take()
    if forget:
        rows, features = zip(*sorted(forget), strict=True)
        object.__setattr__(batch, "forget", Forget(np.array(rows, np.int32), np.array(features, np.int32)))
    return batch


def read(batch):
    """A batch as a list of documents."""
    assert batch.labelled.all()
    found = []
    for row in range(len(batch)):
        span = slice(batch.indptr[row], batch.indptr[row + 1])
        x = dict(zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True))
        time = float(batch.times[row])
        stamp = None if math.isnan(time) else time
        found.append((batch.ids[row], int(batch.numbers[row]), x, batch.labels_of(row), stamp))
    return found


def expected(documents, forget, size, seconds):
    """The same, read slowly."""
    kept, newest = [], -math.inf
    for i, (features, labels, time) in enumerate(documents):
        for row, feature in forget:
            if row == i:
                for one in kept:
                    one[2].pop(feature, None)
        if labels is None:
            continue
        if not math.isnan(time):
            newest = max(newest, time)
        x = {f: float(np.float32(i + f / 16)) for f in sorted(set(features))}
        given = None if math.isnan(time) else time
        kept.append([f"d{i}", i, x, sorted(set(labels)), given, newest if math.isnan(time) else time])
    if seconds < math.inf and newest > -math.inf:
        kept = [one for one in kept[-size:] if one[5] > newest - seconds]
    return [tuple(one[:5]) for one in kept[-size:]]


documents = st.lists(
    st.tuples(
        st.lists(st.integers(0, 11), max_size=5),
        st.one_of(st.none(), st.lists(st.sampled_from("abcd"), max_size=3)),
        st.one_of(st.just(NAN), st.integers(0, 50).map(float)),
    ),
    max_size=30,
)


@given(
    documents,
    st.lists(st.tuples(st.integers(0, 29), st.integers(0, 11)), max_size=12),
    st.integers(1, 12),
    st.sampled_from([math.inf, 7.0, 30.0]),
    st.integers(1, 9),
)
def test_it_is_the_last_of_them(stream, forget, size, seconds, step):
    forget = [(row, feature) for row, feature in forget if row < len(stream)]
    batch, window = stream_of(stream, forget), Window(size, seconds)
    for start in range(0, len(batch), step):
        window.append(batch.rows(start, min(start + step, len(batch))))
    assert read(window.take()) == expected(stream, forget, size, seconds)
    assert len(window) <= size
    assert window.appended == sum(labels is not None for _, labels, _ in stream)
    seen = dict.fromkeys(c for _, labels, _ in stream if labels for c in sorted(set(labels)))
    assert list(window.labels) == list(seen)


def test_labels_known_after_each():
    batch = stream_of([((), ["b", "a"], NAN), ((), [], NAN), ((), ["a", "c"], NAN), ((), ["b"], NAN)])
    window = Window(2)
    assert window.append(batch, np.array([0], np.int32)).tolist() == [2]
    assert window.append(batch, np.array([1, 2, 3], np.int32)).tolist() == [2, 3, 3]


def test_rows_in_any_order():
    window = Window(3)
    window.append(stream_of([((1,), ["a"], NAN), ((2,), ["b"], NAN), ((3,), None, NAN)]), np.array([2, 0], np.int32))
    assert [one[0] for one in read(window.take())] == ["d2", "d0"]


def test_what_was_taken_stays():
    batch, window = stream_of([((i % 12,), ["a"], NAN) for i in range(64)]), Window(4)
    window.append(batch.rows(0, 4))
    taken = window.take()
    before = read(taken)
    for start in range(4, 64, 4):
        window.append(batch.rows(start, start + 4))
    assert read(taken) == before


def test_memory_is_bounded():
    batch, window = stream_of([((1, 2, 3), ["a"], NAN)] * 64), Window(10)
    for _ in range(5):
        window.append(batch)
    held = window.memory_bytes
    for _ in range(200):
        window.append(batch)
    assert window.memory_bytes == held
    assert window.appended == 205 * 64


def test_a_window_of_nothing_is_refused():
    for size, seconds in ((0, 1.0), (1, 0.0), (1, NAN)):
        with pytest.raises(UsageError, match="at least one document"):
            Window(size, seconds)


def test_features_of_two_tables_are_refused():
    window = Window(4)
    window.append(stream_of([((1,), ["a"], NAN)]))
    other = BatchBuilder(Names("xyz"))
    other.add({"x": 1.0}, ["a"])
    with pytest.raises(InputError, match="ids of one table"):
        window.append(other.take())
    window.append(stream_of([((2,), ["a"], NAN)]))
    assert len(window) == 2


@given(documents, st.integers(0, 30), st.integers(1, 12), st.sampled_from([math.inf, 7.0, 30.0]))
def test_saved_and_loaded_it_continues(stream, cut, size, seconds):
    forget = [(row, row % 12) for row in range(0, len(stream), 4)]
    batch, whole, first, second = stream_of(stream, forget), *(Window(size, seconds) for _ in range(3))
    whole.append(batch)
    first.append(batch.rows(0, min(cut, len(batch))))
    second.load(first.save())
    saved = first.save()
    rest = batch.rows(min(cut, len(batch)), len(batch))
    first.append(rest)
    assert second.save()["names"].keys() == saved["names"].keys()
    assert all(np.array_equal(second.save()[name], saved[name], equal_nan=True) for name in ("stamps", "features"))
    second.append(dataclasses.replace(rest, feature_names=Names(rest.feature_names)))
    assert read(second.take()) == read(whole.take())
    assert (second.appended, list(second.labels)) == (whole.appended, list(whole.labels))

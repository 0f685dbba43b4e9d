import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import BatchBuilder
from telex.stream._seen import Seen
from telex.stream.sources import DeadLetter
from telex.stream.sources.stages.duplicate_ids import DuplicateIds
from telex.testing import ListArchive


def stream(names, rows=3):
    builder = BatchBuilder()
    for i, name in enumerate(names):
        if name is None:
            if len(builder):
                yield builder.take()
            yield DeadLetter(b"", "x", 1, 0, "decode", "broken")
            continue
        builder.add({"n": float(i)}, ["a"], id=name)
        if len(builder) == rows:
            yield builder.take()
    if len(builder):
        yield builder.take()


def plain(items):
    number = 0
    for item in items:
        if isinstance(item, DeadLetter):
            yield item.reason
            continue
        assert len(item) > 0
        assert item.numbers.tolist() == list(range(number, number + len(item)))
        number += len(item)
        yield from zip(item.ids, item.values[item.indptr[:-1]], strict=True)


def expected(names, window):
    kept = []
    for i, name in enumerate(names):
        if name is None:
            yield "broken"
        elif name in kept[-window:]:
            yield f'duplicate id "{name}"'
        else:
            kept.append(name)
            yield name, float(i)


names = st.lists(st.one_of(st.integers(0, 12).map(str), st.none()), max_size=60)


@given(names, st.integers(1, 15), st.integers(1, 9))
def test_the_second_time_is_a_dead_letter_whatever_the_batches(names, window, rows):
    items = list(plain(DuplicateIds(window)(stream(names, rows))))
    assert items == list(expected(names, window))


def test_each_pass_begins_anew():
    items, stage = list(stream(["a", "b", "a"])), DuplicateIds()
    assert list(plain(stage(items))) == list(plain(stage(items))) == [("a", 0.0), ("b", 1.0), 'duplicate id "a"']


def test_the_dead_letter_holds_the_id():
    source = list(stream(['é"', 'é"']))
    [_, letter] = DuplicateIds()(source)
    assert json.loads(letter.raw) == {"id": 'é"'}
    assert letter == DeadLetter(letter.raw, "stream", None, None, "join", 'duplicate id "é\\""')


def test_positions_are_not_looked_at():
    class Positions(ListArchive):
        ids_are_positions = True

    items = list(stream(["a", "a"]))
    assert list(DuplicateIds(archive=Positions(items))(items)) == items


def test_a_letter_names_the_archive():
    class Named(ListArchive):
        title = "wire.dat"

    archive = Named(stream(["a", "a"]))
    _, letter = DuplicateIds(archive=archive)(archive)
    assert letter.path == "wire.dat"


@pytest.mark.parametrize(("names", "window"), [(30_000, 20_000), (300_000, 80_000)])
def test_a_long_stream_is_compared_with_the_window_only(names, window):
    rng = np.random.default_rng(4)
    ids = rng.integers(0, names, 100_000)
    seen, last, found = Seen(window), {}, []
    kept = 0
    for i, name in enumerate(ids.tolist()):
        if name in last and kept - last[name] < window:
            found.append(i)
        else:
            kept += 1
            last[name] = kept
    data = np.frombuffer("".join(f"{i:06}" for i in ids).encode(), np.uint8)
    assert seen.repeated_texts(data, np.arange(0, len(data) + 1, 6)) == found
    assert len(seen.hashes()) == min(kept, window)


def test_offsets_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        Seen(5).repeated_texts(np.zeros(3, np.uint8), np.array([0, 4]))

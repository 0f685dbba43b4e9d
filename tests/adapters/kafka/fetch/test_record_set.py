"""Records as columns, and the stand-in for a broker that yields them."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.structs import TopicPartition

from telex.adapters.kafka.fake import FakeFetcher, poll_result
from telex.adapters.kafka.fetch.events import FetchProblem
from telex.adapters.kafka.fetch.record_batches import record_sets_of
from telex.adapters.kafka.fetch.record_set import RecordSet
from telex.learners.base import StoppedError

FIELD = st.none() | st.binary(max_size=4)
HEADERS = st.lists(st.tuples(st.text(max_size=2), FIELD), max_size=2)


@given(st.lists(st.tuples(st.integers(0, 2**62), st.integers(-1, 2**62), FIELD, FIELD, HEADERS), max_size=6))
def test_a_part_has_what_the_records_had(rows):
    part = RecordSet.of(("wire", 3), rows)
    records = [
        SimpleNamespace(
            offset=offset, timestamp=timestamp, key=key, value=value, headers=headers,
            serialized_key_size=-1 if key is None else len(key),
            serialized_value_size=-1 if value is None else len(value),
        )
        for offset, timestamp, key, value, headers in rows
    ]  # fmt: skip
    for one in (
        part,
        pickle.loads(pickle.dumps(part)),
        *(record_sets_of(TopicPartition("wire", 3), records) if rows else []),
    ):
        assert one.partition == ("wire", 3)
        assert one.offsets.tolist() == [row[0] for row in rows]
        assert one.timestamps.tolist() == [row[1] for row in rows]
        assert one.keys_of() == [row[2] for row in rows]
        assert one.values_of() == [row[3] for row in rows]
        assert one.headers == {i: tuple(row[4]) for i, row in enumerate(rows) if row[4]}
        assert one.size == part.size >= 64 * len(rows)


def test_a_stand_in_tells_its_script_and_keeps_what_it_was_asked():
    fetching = FakeFetcher([poll_result({("wire", 0): []}), FetchProblem("a sentence"), StoppedError("gone")])
    assert fetching.begin({("wire", 0): 4}).state.partitions == (("wire", 0),)
    assert fetching.take(1.0) == FetchProblem("a sentence")
    with pytest.raises(StoppedError, match="gone"):
        fetching.take(1.0)
    assert fetching.take(1.0) is None
    fetching.free({("wire", 0): 3})
    fetching.free({("wire", 0): 4})
    fetching.commit({("wire", 0): 4}, "1")
    fetching.close()
    assert (fetching.place, fetching.freed) == ({("wire", 0): 4}, {("wire", 0): 7})
    assert (fetching.committed, fetching.closed) == ([({("wire", 0): 4}, "1")], True)


def test_a_script_begins_with_partitions():
    with pytest.raises(TypeError, match="must begin with a poll result"):
        FakeFetcher([]).begin({})

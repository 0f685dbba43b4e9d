"""Records as columns, and what is decoded of many at once, against what is decoded of each by itself.

Covers decoder too.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters._records import lines
from telex.adapters.kafka.consume import RecordLetter
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.consume.held_records import HeldRecords, TopicRecord
from telex.adapters.kafka.fetch import RecordSet

TABLE = [("wire", 0), ("answers", 0), ("wire", 1)]
STAMP = st.integers(-1, 5) | st.sampled_from([840499200123, 2**53 + 1, 2**62 + 1])
FIELD = st.none() | st.binary(max_size=3)
HEADERS = st.just(()) | st.lists(st.tuples(st.text(max_size=2), FIELD), max_size=2).map(tuple)
TEXT = st.text(st.sampled_from('ab é\n"\\\U0001f600'), max_size=8)
PLAIN = st.fixed_dictionaries(
    {"id": st.integers(0, 9).map(str), "text": TEXT},
    optional={"time": st.sampled_from([7, "1996-08-20", None]), "labels": st.lists(st.sampled_from("abc"), max_size=2)},
).map(lambda one: json.dumps(one).encode())
ODD = st.sampled_from(
    [b"", b"\n", b'{"text": "no id"}', b'{"id": 1,\n"text": "two lines"}', b"{", b'{"id": "", "text": ""}', b"\xff",
     b'{"id": "a", "text": "\xff"}', b'{"id": "a", "text": "b"}\n{"id": "c", "text": "d"}']
)  # fmt: skip
ANSWER = st.sampled_from([b'{"labels": ["a"], "id": 3}', b'{"labels": []}', b'{"labels": [""]}', b"no"])


@st.composite
def taken(draw, values, parts=4):
    """Draw parts of partitions, and an order in which some of their records are taken, by pieces."""
    rows = {one: [] for one in TABLE}
    cut = []
    for _ in range(draw(st.integers(1, parts))):
        index = draw(st.integers(0, len(TABLE) - 1))
        value = ANSWER if index == 1 else values
        some = draw(st.lists(st.tuples(STAMP, FIELD, value, HEADERS), min_size=1, max_size=5))
        begin = len(rows[TABLE[index]])
        some = [(2 * (begin + i), *row) for i, row in enumerate(some)]
        rows[TABLE[index]] += some
        cut.append((index, some))
    order = draw(st.permutations([i for i, one in enumerate(TABLE) for _ in rows[one]]))
    cuts = sorted(draw(st.lists(st.integers(0, len(order)), max_size=3)))
    return rows, cut, [order[a:b] for a, b in zip([0, *cuts], [*cuts, len(order)], strict=True)]


def holding_of(parts):
    holding = HeldRecords(TABLE)
    for index, some in parts:
        holding.add(RecordSet.of(TABLE[index], some))
    return holding


@given(taken(st.none() | st.binary(max_size=4)))
@settings(max_examples=200)
def test_records_are_those_that_came_in_the_order_in_which_they_are_taken(drawn):
    rows, parts, pieces = drawn
    holding, left = holding_of(parts), {one: list(some) for one, some in rows.items()}
    gone = []
    for piece in pieces:
        block, empty = holding.take(np.array(piece, np.int32))
        gone += [part.partition for part in empty]
        wanted = [(TABLE[index], *left[TABLE[index]].pop(0)) for index in piece]
        assert len(block) == len(wanted)
        assert block.timestamps.tolist() == [row[2] for row in wanted]
        assert (block.value_sizes < 0).tolist() == [row[4] is None for row in wanted]
        assert block.of_topic("wire").tolist() == [row[0][0] == "wire" for row in wanted]
        valued = block.select(block.value_sizes >= 0)
        wanted = [row for row in wanted if row[4] is not None]
        records = [TopicRecord(one, at, s / 1000 if s >= 0 else math.nan, *rest) for one, at, s, *rest in wanted]
        assert repr(valued.records()) == repr(records)
        assert repr(valued.times().tolist()) == repr([record.time for record in records])
        values = [record.value for record in records]
        assert valued.lines() == (None if b"\n" in b"".join(values) else b"".join(one + b"\n" for one in values))
    assert sorted(gone) == sorted(TABLE[index] for index, _ in parts)


def told(items):
    """The items in a form that can be compared."""
    found = []
    for item in items:
        if isinstance(item, RecordLetter):
            found.append(item)
            continue
        stories, answers = item.documents, item.answers
        times, columns = stories.times.tolist(), (stories.ids, stories.titles, stories.texts, stories.labels)
        found.append((times, *map(list, columns), answers.rows.tolist(), list(answers.ids), list(answers.labels)))
    return repr(found)


@pytest.mark.parametrize("labels", ["answers", None])
@pytest.mark.parametrize("values", [PLAIN, PLAIN | ODD], ids=["plain", "odd"])
def test_what_is_made_of_many_is_what_is_made_of_each(values, labels):
    @given(taken(values))
    @settings(max_examples=150)
    def each(drawn):
        _, parts, pieces = drawn
        holding, at_once, one_by_one = holding_of(parts), RecordDecoder(labels), RecordDecoder(labels)
        for piece in pieces:
            block, _ = holding.take(np.array(piece, np.int32))
            assert told(at_once.of(block)) == told(one_by_one._one_by_one(enumerate(block.records())))

    each()


def test_plain_documents_are_decoded_at_once(monkeypatch):
    monkeypatch.setattr(RecordDecoder, "_one_by_one", None)
    holding = HeldRecords(TABLE)
    holding.add(
        RecordSet.of(
            ("wire", 0), [(0, 1000, None, b'{"id": 1, "text": "a"}'), (1, 2000, b"k", b'{"id": 2, "text": ""}')]
        )
    )
    holding.add(RecordSet.of(("answers", 0), [(0, 1000, b"1", b'{"labels": ["x"]}'), (1, 1, b"2", b"broken")]))
    block, _ = holding.take(np.array([0, 1, 1, 0]))
    first, letter, second = RecordDecoder("answers").of(block)
    assert (list(first.documents.ids), first.answers.ids, first.documents.times.tolist()) == (["1"], ["1"], [1.0])
    assert (letter.raw, letter.offset) == (b"broken", 1)
    assert list(second.documents.ids) == ["2"]


@pytest.mark.parametrize(
    ("which", "begin", "size"),
    [(1, 0, 1), (-1, 0, 1), (0, 4, 0), (0, 0, 4), (0, 3, 1), (0, -1, 1), (0, 0, -1), (0, 2, 2**62)],
)
def test_what_lies_outside_is_refused(which, begin, size):
    with pytest.raises(ValueError, match="outside"):
        lines([b"abc"], *(np.array([0, one]) for one in (which, begin, size)))


def test_columns_are_of_one_length():
    with pytest.raises(ValueError, match="one length"):
        lines([b"abc"], np.zeros(2, np.int64), np.zeros(1, np.int64), np.zeros(2, np.int64))

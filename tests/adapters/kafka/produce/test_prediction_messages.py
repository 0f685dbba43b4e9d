"""Predictions written natively, beside the same written by msgspec: the same bytes."""

from __future__ import annotations

import math
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters import _messages
from telex.adapters.kafka.consume import OriginColumns
from telex.adapters.kafka.produce import prediction_messages
from telex.adapters.kafka.produce.prediction_messages import PredictedStep, PredictionWriter
from telex.adapters.kafka.topics import TopicLimits
from telex.learners.base import Names, Predictions
from telex.stream.sources import RecordPlace, Revisions

MOMENT = "2026-01-02T03:04:05.678Z"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LABELS = st.one_of(
    st.lists(TEXTS, unique=True, max_size=9),
    st.lists(st.integers(-(1 << 60), 1 << 60), unique=True, max_size=9),
    st.lists(st.one_of(TEXTS, st.integers(0, 5), st.tuples(st.integers(0, 3))), unique=True, max_size=9),
)
SCORES = st.one_of(st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, -math.inf]), st.floats(width=32))
TIMES = st.one_of(
    st.floats(-6.3e10, 2.6e11), st.integers(-(1 << 36), 1 << 38).map(float), st.just(math.nan), st.floats(0, 2e9)
)


@st.composite
def steps(draw):
    count, labels = draw(st.integers(0, 5)), draw(LABELS)
    width, names = len(labels) + draw(st.integers(0, 2)), ["mmp", 'b"r'][: draw(st.integers(1, 2))]

    def column(values, dtype=np.int64):
        return np.array(draw(st.lists(values, min_size=count, max_size=count)), dtype)

    made = {}
    for name in names:
        scores = np.array(draw(st.lists(SCORES, min_size=count * width, max_size=count * width)), np.float32)
        relevant = draw(st.lists(st.booleans(), min_size=count * width, max_size=count * width))
        table, rows = Names(labels), np.arange(count, dtype=np.int32)
        made[name] = Predictions(
            scores.reshape(count, width).astype(draw(st.sampled_from([np.float32, np.float64]))),
            np.array(relevant, np.bool_).reshape(count, width), column(st.integers(0, len(labels)), np.int32), rows,
            np.arange(len(labels), dtype=np.int32), table, table.hashes(), draw(st.integers(0, 2**64 - 1)),
            column(st.integers(0, 1 << 40)),
        )  # fmt: skip
    topics = draw(st.lists(TEXTS, min_size=1, max_size=3))
    pairs = st.lists(st.tuples(TEXTS, st.binary(max_size=300)), max_size=3)
    carried = draw(st.dictionaries(st.integers(0, max(0, count - 1)), pairs, max_size=count))
    origins = OriginColumns(
        topics, column(st.integers(0, len(topics) - 1), np.int32), column(st.integers(0, 99), np.int32),
        column(st.integers(0, 1 << 50)), column(st.sampled_from([-1, 0, 5, 1 << 40, 1 << 60])), headers=carried,
    )  # fmt: skip
    documents = SimpleNamespace(
        ids=draw(st.lists(TEXTS, min_size=count, max_size=count)), times=column(TIMES, np.float64)
    )
    wanted = [(k, one) for k in range(count) for one in range(len(names)) if draw(st.booleans())]
    rows, whose = np.array(wanted, np.int32).reshape(-1, 2).T
    newer = [row for row in range(count) if draw(st.booleans())]
    older = [RecordPlace(draw(TEXTS), draw(st.integers(0, 99)), draw(st.integers(0, 1 << 50))) for _ in newer]
    revised, positions = Revisions(np.array(newer, np.int32), older), column(st.integers(0, 1 << 40))
    return PredictedStep(documents, rows.copy(), whose.copy(), names, made, positions, origins, revised, draw(pairs))


@given(steps(), st.sampled_from([0, 1, 3, 20]), st.sampled_from([300, 420, 520, 1 << 20]))
@settings(max_examples=150, deadline=None)
def test_they_are_the_bytes_that_msgspec_writes(step, top, longest):
    writer = PredictionWriter(TopicLimits("out", longest=longest), top)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prediction_messages, "now", lambda: MOMENT)
        found, left_out = writer.messages(step)
    slow, slowly_left_out = writer._one_by_one(step, MOMENT)
    assert found.data.tobytes() == slow.data.tobytes()
    assert found.ends.tolist() == slow.ends.tolist()
    assert left_out == slowly_left_out


@given(st.lists(st.one_of(st.floats(), st.floats(width=32), st.floats(-10, 10), st.integers(-9, 9).map(float))))
def test_numbers_are_as_msgspec_writes_them(numbers):
    count = len(numbers)
    data, ends = _messages.predicted_labels(
        np.array(numbers, np.float64)[:, None], np.zeros((count, 1), np.bool_), np.ones(count, np.int32),
        np.arange(count), np.zeros(1, np.uint64), seed=0, top=1, names=np.frombuffer(b"1", np.uint8),
        name_ends=np.array([1]), ranks=np.zeros(1, np.int32),
    )  # fmt: skip
    pieces = [data[begin:end].tobytes() for begin, end in zip(ends[::2], ends[1::2], strict=True)]
    assert pieces == [msgspec.json.encode([[1, number]]) for number in numbers]


def test_a_label_is_encoded_once():
    texts, names = prediction_messages.LabelTexts(), Names(["a"])
    texts.of(names, 1)
    names.id("b")
    data, ends = texts.of(names, 2)
    assert (data.tobytes(), ends.tolist()) == (b'"a""b"', [3, 6])
    assert texts.of(names, 1)[0] is data
    assert texts.of(Names(["c"]), 1)[0].tobytes() == b'"c"'


def test_labels_have_their_places_as_texts_and_no_others():
    texts, names = prediction_messages.LabelTexts(), Names(["b", "a"])
    texts.of(names, 2)
    assert texts.ranks(None, 2).tolist() == [1, 0]
    names.id("aa")
    texts.of(names, 3)
    assert texts.ranks(None, 3).tolist() == [2, 0, 1]
    names.id(7)
    texts.of(names, 4)
    assert texts._ranks is None

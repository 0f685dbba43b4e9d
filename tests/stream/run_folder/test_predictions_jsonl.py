"""Predictions as JSON lines: what they say, and that they are read back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from oracles.streams import zipf

from telex.learners import BR, Events, Last
from telex.learners.base import BatchBuilder, UsageError
from telex.stream import PredictionsFile, Run
from telex.stream.run_folder import read_predictions

STREAM = zipf(13, documents=80, unlabelled=0.2)


def test_lines(tmp_path, source_of):
    path = tmp_path / "p.jsonl"
    learner = BR()
    list(Run(source_of(STREAM, [9, 30]), {"br": BR(), "last": Last()}, sinks=[PredictionsFile(path, top=2)]))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(line["id"], line["learner"]) for line in lines] == [
        (f"d{i}", name) for i in range(len(STREAM)) for name in ("br", "last")
    ]
    predictions = learner.progress(Events(source_of(STREAM)[0]))
    for k, line in enumerate(lines[::2]):
        answer = STREAM[k][1]
        assert line.get("true") == (None if answer is None else sorted(set(answer)))
        assert line["labels"] == sorted(predictions.set_of(k))
        assert [tuple(pair) for pair in line["top"]] == predictions.ranking(k, 2)
    assert set(lines[0]) <= {"id", "learner", "labels", "top", "true"}


def test_names_that_are_no_texts(tmp_path, source_of):
    path = tmp_path / "p.jsonl"
    list(Run(source_of([({1: 1.0}, [3, 4])] * 2), {"br": BR()}, sinks=[PredictionsFile(path)]))
    line = json.loads(path.read_text().splitlines()[1])
    assert line["true"] == line["labels"] == [3, 4]


def test_wrong_use(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        PredictionsFile(tmp_path)
    with pytest.raises(UsageError, match="at least 0"):
        PredictionsFile(tmp_path / "p", top=-1)


LABELS = st.none() | st.lists(st.text(max_size=3) | st.integers(0, 9), max_size=2, unique=True)


@given(st.lists(LABELS, min_size=1, max_size=8), st.text(min_size=1, max_size=3), st.data())
def test_predictions_come_back(tmp_path_factory, answers, learner, data):
    path = tmp_path_factory.mktemp("predictions") / "p.jsonl"
    builder = BatchBuilder()
    for i, labels in enumerate(answers):
        builder.add({"a": 1.0}, labels, id=f"d{i}")
    list(Run([builder.take()], {learner: BR()}, sinks=[PredictionsFile(path, top=2)]))
    found = list(read_predictions(path))
    assert [(one.id, one.learner) for one in found] == [(f"d{i}", learner) for i in range(len(answers))]
    for one, labels, line in zip(found, answers, path.read_bytes().splitlines(), strict=True):
        assert (one.true is UNSET) if labels is None else (set(one.true) == set(labels))
        assert [[label, score] for label, score in one.top] == json.loads(line)["top"]
        assert one.labels == json.loads(line)["labels"]
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)), label="cut")
    path.write_bytes(content[:cut])
    assert list(read_predictions(path)) == found[: content[:cut].count(b"\n")]

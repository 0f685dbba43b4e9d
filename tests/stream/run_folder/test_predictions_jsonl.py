"""Predictions as JSON lines."""

import json

import pytest
from oracles.streams import zipf

from telex.learners import BR, Events, Last
from telex.learners.base import UsageError
from telex.stream import PredictionsFile, Run

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

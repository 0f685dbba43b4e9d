"""The bias: in rows, in stored runs and in models."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners import BR, BatchBuilder
from telex.learners.base import Forget, InputError, UsageError
from telex.stream import Run, RunFolder
from telex.stream.checkpoints import open_snapshot
from telex.stream.crossval import Corpus
from telex.stream.predict import Model
from telex.stream.sources import Answers, Arrivals, Features, Story, StoryBuilder
from telex.stream.sources.stages.bias import AddBias, Bias

rows = st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(-4, 4).map(float), max_size=5), max_size=8)


def built(documents):
    builder = BatchBuilder()
    for features in documents:
        builder.add(features, ["x"] if "a" in features else [])
    return builder.take()


def told(batch):
    names = batch.feature_names
    return [
        [(names[f], float(x)) for f, x in zip(batch.features[a:b].tolist(), batch.values[a:b], strict=True)]
        for a, b in zip(batch.indptr[:-1], batch.indptr[1:], strict=True)
    ]


@given(rows, st.integers(1, 4))
def test_each_row_begins_with_the_bias_however_it_is_cut(documents, size):
    batch, bias = built(documents), Bias()
    parts = [bias(batch.rows(start, min(start + size, len(batch)))) for start in range(0, len(batch), size)]
    expected = [[("bias", 1.0), *row] for row in told(batch)]
    assert [row for part in parts for row in told(part)] == expected == told(Bias()(batch))
    assert list(bias.feature_names)[1:] == list(batch.feature_names) * bool(parts)


def test_a_feature_that_takes_the_place_of_another():
    batch, bias = built([{"a": 1.0, "b": 2.0}, {"b": 3.0}]), Bias()
    bias(batch)
    batch.feature_names.replace(1, "c")
    gone = dataclasses.replace(batch, forget=Forget(np.array([1], np.int32), np.array([1], np.int32)))
    made = bias(gone)
    assert (made.forget.rows.tolist(), made.forget.features.tolist()) == ([1], [2])
    assert list(made.feature_names) == ["bias", "a", "c"]


def test_answers_pass():
    answers = Answers(np.array([1], np.int32), ["0"], [["x"]])
    [found] = AddBias()([Arrivals(built([{"a": 1.0}]), answers)])
    assert found.answers is answers
    assert found.documents.features.tolist() == [0, 1]


def test_a_feature_of_that_name_is_refused():
    with pytest.raises(InputError, match="a feature is called 'bias' already; rename it, or leave out the bias"):
        Bias()(built([{"bias": 1.0}]))


# -- stored

DOCUMENTS = [{"a": 1.0, "b": 2.0} if i % 3 else {"b": 1.0, "c": float(i)} for i in range(20)]


def ran(folder, source, before=None):
    kept = RunFolder(folder)
    run = Run(source, {"br": BR()}, sinks=[kept], checkpoints=kept.checkpoints)
    if before is not None:
        run.begin_from(open_snapshot(before))
    for _ in run:
        pass
    return run


@pytest.mark.parametrize("text", ["", "products=true"])
def test_a_model_has_the_bias_of_its_run(tmp_path, text):
    run = ran(tmp_path / "run", Features([built(DOCUMENTS)], text, bias=True))
    model = Model.open(tmp_path / "run", learners={"br": BR()})
    made = model.frozen_features.batch(built([{"c": 3.0, "new": 1.0, "b": 2.0}]))
    names = [model.frozen_features.name(f) for f in made.features.tolist()]
    assert names == [name for name, _ in told(made)[0]]
    assert names[0] == "bias"
    assert run.summary()["features"] == (10 if text else 4)
    assert model.predict({"a": 1.0, "b": 2.0}).features == (5 if text else 2)
    assert model.predict({"a": 1.0, "b": 2.0}).labels == ["x"]


def test_texts_may_have_it_too(tmp_path):
    stories = StoryBuilder()
    for i, text in enumerate(["gold falls", "cup final", "gold rises"]):
        stories.add(Story(str(i), text, labels=["x"] * (i % 2)))
    ran(tmp_path / "run", Features([stories.take()], "vocabulary=bounded,size=3", bias=True))
    frozen = Model.open(tmp_path / "run", learners={"br": BR()}).frozen_features
    names = [name for name, _ in told(frozen.text("gold final"))[0]]
    assert names[0] == "bias"
    assert "gold" in names


@pytest.mark.parametrize("text", ["", "products=true"])
def test_a_run_that_begins_from_another_has_its_bias(tmp_path, text):
    whole = ran(tmp_path / "whole", Features([built(DOCUMENTS)], text, bias=True))
    ran(tmp_path / "first", Features([built(DOCUMENTS[:9])], text, bias=True))
    second = ran(tmp_path / "second", Features([built(DOCUMENTS[9:])], text, bias=True), tmp_path / "first")
    assert second.summary()["features"] == whole.summary()["features"]
    probe = {"a": 1.0, "b": 5.0, "c": 2.0}
    scores = [Model.open(tmp_path / name, learners={"br": BR()}).predict(probe) for name in ("whole", "second")]
    assert scores[0].top == scores[1].top
    with pytest.raises(UsageError, match="the features of that run have a bias; give bias here too"):
        ran(tmp_path / "third", Features([built(DOCUMENTS)], text), tmp_path / "first")
    ran(tmp_path / "without", Features([built(DOCUMENTS)], text))
    with pytest.raises(UsageError, match="the features of that run have no bias; give no bias here too"):
        ran(tmp_path / "fourth", Features([built(DOCUMENTS)], text, bias=True), tmp_path / "without")


def test_crossval_has_it():
    corpus = Corpus.read([built(DOCUMENTS)], bias=True)
    batch = corpus.features(np.arange(5, dtype=np.int32))
    assert {row[0] for row in told(batch)} == {("bias", 1.0)}

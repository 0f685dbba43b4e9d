"""The stage that scales features: what it learns, and what a run, its checkpoints and its models make of it."""

import dataclasses

import numpy as np
import pytest

from telex.adapters.formats import open_source
from telex.learners import BR, BatchBuilder
from telex.learners.base import UsageError
from telex.stream import Checkpoints, Run, RunFolder
from telex.stream.checkpoints import open_snapshot
from telex.stream.crossval import Corpus
from telex.stream.predict import Model
from telex.stream.sources import Answers, Arrivals, Features, boundary
from telex.stream.sources.stages import scale
from telex.stream.sources.stages.scaler import Scaler
from telex.testing import ListArchive

RANDOM = np.random.default_rng(5)
TABLE = RANDOM.normal(2, 3, (30, 4)).astype(np.float32)


def built(table=TABLE):
    builder = BatchBuilder()
    for i, row in enumerate(table.tolist()):
        builder.add({f"f{j}": x for j, x in enumerate(row) if x}, ["high"] if row[0] > 2 else [], id=f"d{i}")
    return builder.take()


def archive_of(*batches, dense=True, scaling="standard"):
    found = ListArchive(batches)
    found.dense, found.scaling = dense, scaling
    return found


def values(source):
    return np.concatenate([batch.values[batch.indptr[0] : batch.indptr[-1]] for batch in source]).reshape(-1, 4)


def test_an_archive_says_what_suits_it_and_the_user_decides():
    expected = {"auto": "standard", "unit": "unit", "none": "none"}
    assert {asked: Features(archive_of(), features=asked).scaling for asked in expected} == expected
    assert Features([built()]).scaling == "none"
    assert Features(archive_of(scaling=None)).scaling == "auto"
    with pytest.raises(UsageError, match="features=auto2: give one of"):
        Features(archive_of(), features="auto2")


def test_it_is_explained_unless_features_stay_as_they_are():
    def lines(**how):
        return [line.summary for line in Features(archive_of(), **how).stage_lines() if line.name == "scale"]

    assert lines(features="none") == []
    assert lines() == ["divide by the deviation so far, centred, by default"]
    assert lines(features="unit") == ["divide each row by its length"]


def test_answers_and_empty_batches_pass():
    batch = built()
    answers = Answers(np.array([1, 30], np.int32), ["d0", "d2"], [["high"], []])
    stage = scale.Scale(archive_of(), "auto")
    stage.begin(first=True)
    [nothing, scaled] = stage([batch.rows(0, 0), Arrivals(batch, answers)])
    assert len(nothing) == 0
    assert scaled.answers is answers
    np.testing.assert_array_equal(scaled.documents.values, Scaler("standard", dense=True)(batch).values)


@pytest.mark.parametrize("cut", [7, 12, 30])
@pytest.mark.parametrize("part", ["n:12", "id:d11"])
def test_the_test_part_and_later_passes_are_not_learnt(cut, part):
    batch = built()
    source = Features(archive_of(batch.rows(0, cut), batch.rows(cut, 30)))
    source.prepare(boundary(part))
    scaler = Scaler("standard", dense=True)
    np.testing.assert_array_equal(values(source).ravel(), scaler(batch, 12).values)
    np.testing.assert_array_equal(values(source).ravel(), scaler(batch, 0).values)


def test_very_wide_rows_come_in_pieces(monkeypatch):
    monkeypatch.setattr(scale, "_AT_ONCE", 20)
    pieces = list(Features(archive_of(built())))
    assert [len(piece) for piece in pieces] == [5] * 6
    np.testing.assert_array_equal(values(pieces).ravel(), Scaler("standard", dense=True)(built()).values)


def test_products_are_those_of_scaled_features():
    [batch] = Features(archive_of(built()), "products=true")
    plain = Scaler("standard", dense=True)(built()).values.reshape(-1, 4)
    found = batch.values.reshape(30, -1)
    names = [batch.feature_names[f] for f in batch.features[: found.shape[1]]]
    np.testing.assert_array_equal(found[:, names.index("f0*f2")], plain[:, 0] * plain[:, 2])


# -- stored


def ran(folder, source, **settings):
    kept = RunFolder(folder)
    run = Run(source, {"br": BR()}, sinks=[kept], checkpoints=kept.checkpoints, **settings)
    for _ in run:
        pass
    return run


@pytest.mark.parametrize("method", ["unit", "standard", "maxabs"])
def test_a_model_scales_as_its_run(tmp_path, method):
    ran(tmp_path / "run", Features(archive_of(built()), features=method))
    model, scaler = Model.open(tmp_path / "run", learners={"br": BR()}), Scaler(method, dense=True)
    scaler(built())
    other = built(TABLE[:5] * 3)
    batch = model.frozen_features.batch(other)
    np.testing.assert_array_equal(batch.values, scaler(other, 0).values)
    assert model.predict({"f0": 30.0}, top=1).features == (4 if method == "standard" else 1)


def test_a_run_that_begins_from_another_goes_on_scaling(tmp_path):
    batch = built()
    ran(tmp_path / "whole", Features(archive_of(batch)))
    ran(tmp_path / "first", Features(archive_of(batch.rows(0, 13))))
    first = Checkpoints(tmp_path / "first" / "checkpoints").newest()[1]
    for features in ("auto", "standard"):
        source, folder = Features(archive_of(built(TABLE[13:])), features=features), RunFolder(tmp_path / features)
        run = Run(source, {"br": BR()}, sinks=[folder], checkpoints=folder.checkpoints)
        run.begin_from(open_snapshot(tmp_path / "first"))
        list(run)
        assert scaling(tmp_path / features) == scaling(tmp_path / "whole")
    assert first["reading"]["source"]["scaling"]["documents"] == 13
    with pytest.raises(UsageError, match="the features were scaled by standard, and now by unit; leave it out"):
        Run(Features(archive_of(batch), features="unit"), {"br": BR()}).begin_from(open_snapshot(tmp_path / "first"))


def scaling(folder):
    state = Checkpoints(folder / "checkpoints").newest()[1]["reading"]["source"]["scaling"]
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in state.items()}


def test_a_position_of_a_version_that_did_not_scale_resumes_unscaled():
    source = Features(archive_of(built()))
    source.prepare(None, positions=True)
    state = next(item for item in source if not hasattr(item, "values")).state
    old = {name: value for name, value in state.items() if not name.startswith("scaling")}
    again = Features(archive_of(built(), built()))
    again.seek(old)
    assert again.scaling == "none"
    explicit = Features(archive_of(built()), features="standard")
    with pytest.raises(UsageError, match="scaled by none, and now by standard"):
        explicit.seek(old)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"method": "minmax"}, "there is no scaling 'minmax'"),
        ({"counts": np.array([31] * 4)}, "more values than there were rows"),
        ({"means": np.zeros((2, 2))}, "incompatible"),
        ({"means": None}, ""),
    ],
)
def test_a_broken_state_is_refused_in_a_sentence(change, why):
    stage = scale.Scale(archive_of(), "auto")
    scaler = Scaler("standard", dense=True)
    scaler(built())
    with pytest.raises(UsageError, match=rf"does not tell how features were scaled \(.*{why}.*; use another one"):
        stage.begin_from({"scaling": {**scaler.save(), **change}})
    stage.begin_from({"scaling": scaler.save()})
    assert stage.method == "standard"


def test_crossval_learns_the_scaling_in_the_training_part_alone():
    train = np.array([0, 1, 2, 5, 6, 9], np.int32)
    corpus = Corpus.read(archive_of(built()))
    assert (corpus.scaling, corpus.dense) == ("standard", True)
    scaled = corpus.features(train).values.reshape(-1, 4)
    part = TABLE[train].astype(np.float64)
    np.testing.assert_allclose(scaled, (TABLE - part.mean(axis=0)) / part.std(axis=0) / 2, rtol=1e-5)
    assert Corpus.read(archive_of(built()), features="none").features(train).values.tolist() == TABLE.ravel().tolist()
    assert dataclasses.replace(corpus, scaling="unit").features(train).values[0] < 1


# -- what the formats say


SUITS = {
    "a.svm": ("war 1:3 2:4\n", "unit"),
    "dense.arff": ("@relation 'x: -C 1'\n@attribute war {0,1}\n@attribute a numeric\n@data\n\n% \n1,3\n", "standard"),
    "sparse.arff": ("@relation 'x: -C 1'\n@attribute war {0,1}\n@attribute a numeric\n@data\n{0 1, 1 3}\n", "unit"),
    "a.jsonl": ('{"id": 1, "features": {"a": 3, "b": 4}, "labels": ["war"]}\n', "unit"),
    "texts.jsonl": ('{"id": 1, "text": "Gold falls", "labels": ["war"]}\n', "none"),
    "lyrl.dat": ("2286  1:0.6 2:0.8\n", "none"),
    "news.csv": ("text,labels\nGold falls,war\n", "none"),
}


@pytest.mark.parametrize("name", SUITS)
def test_each_format_has_its_default(tmp_path, name):
    text, expected = SUITS[name]
    (tmp_path / name).write_text(text)
    source = open_source(tmp_path / name)
    assert source.scaling in {expected, "auto"}
    [batch] = source
    assert source.scaling == expected
    if expected == "unit":
        assert np.linalg.norm(batch.values) == pytest.approx(1)
    [unscaled] = open_source(tmp_path / name, features="none")
    assert expected != "none" or unscaled.values.tolist() == batch.values.tolist()

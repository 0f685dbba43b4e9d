"""A run's checkpoint as something that predicts.

thresholds.py is tested with the command that gives them, in tests/adapters/cli/commands/test_predict.py.
"""

import shutil

import numpy as np
import pytest

from telex.adapters.formats import open_source
from telex.learners import MMP, NB, BatchBuilder
from telex.learners.base import InputError, UsageError
from telex.stream import Run, RunFolder
from telex.stream.checkpoints import Checkpoints, Snapshot, open_snapshot
from telex.stream.checkpoints.writer import CheckpointError, write
from telex.stream.predict import Thresholds
from telex.stream.predict.model import Model, Sides
from telex.stream.sources import Features, Story, StoryBuilder


def made():
    return {"mmp": MMP(), "nb": NB()}


def ran(path, source, learners=None):
    """Let a run go and keep it in a folder."""
    folder = RunFolder(path)
    run = Run(source, learners or made(), sinks=[folder], checkpoints=folder.checkpoints)
    for _ in run:
        pass
    return run


@pytest.fixture
def texts(tmp_path):
    ran(tmp_path / "texts", open_source("synthetic:n=150,seed=3,topics=5"))
    return tmp_path / "texts"


@pytest.fixture
def vectors(tmp_path, zipf):
    builder = BatchBuilder()
    for features, labels in zipf[:200]:
        builder.add(features, labels)
    run = ran(tmp_path / "vectors", Features([builder.take()]))
    return tmp_path / "vectors", run, zipf


def test_a_text(texts):
    model = Model.open(texts, learners=made())
    assert model.learners == ("mmp", "nb")
    assert model.learner in model.learners
    document = next(iter(open_source("synthetic:n=150,seed=3,topics=5"))).rows(7, 8)
    terms = " ".join(str(document.feature_names[i]) for i in document.features)
    found = model.predict(terms, "nb", top=3, reasons=2)
    assert (found.id, found.title, found.learner, len(found.top)) == ("", "", "nb", 3)
    assert found.labels
    assert set(found.labels) <= set(model.labels)
    assert list(found.scores.values()) == sorted(found.scores.values(), reverse=True)
    assert found.scores.keys() == found.reasons.keys() == set(found.labels)
    sides = found.reasons[found.labels[0]]
    assert isinstance(sides, Sides)
    assert all(len(side) <= 2 for side in sides)
    assert {term for side in sides for term, _ in side} <= set(terms.split())
    assert model.predict(terms, "nb", top=3, reasons=2) == found
    assert model.predict(terms, "nb", title="Gold").title == "Gold"
    assert model.predict(terms, "nb", reasons=0).reasons == {}
    assert model.predict(terms, "nb", thresholds=Thresholds(least=np.inf)).labels == []


def test_features_and_batches_of_any_table(vectors):
    path, run, stream = vectors
    model = Model.open(path, learners=made())
    x, _ = stream[250]
    [known] = [model.predict(x, "nb")]
    builder = BatchBuilder()
    builder.feature_names.ids(["other", *sorted(x, reverse=True)])
    builder.add(x, ["a label of its own"], id="d250")
    found = model.predict(builder.take(), "nb")
    assert (found.id, found.scores, found.top) == ("d250", known.scores, known.top)
    assert dict(run.learners["nb"].scores_one(x)) == dict(model.predict(x, "nb", top=99).top)
    assert list(model.labels) == list(run.learners["nb"].labels)


def test_documents_after_each_other_are_numbered_on(vectors):
    path, run, stream = vectors
    builder, model = (
        BatchBuilder(run.state.tables.feature_names, run.state.tables.label_names, 200),
        Model.open(path, learners=made()),
    )
    for x, _ in stream[200:240]:
        builder.add(x, None)
    batch = builder.take()
    for name, own in run.learners.items():
        predictions = own.scores(batch)
        for cuts in ([batch], [batch.rows(0, 1), batch.rows(1, 33), batch.rows(33, 40)]):
            found = list(model.predict_all(cuts, name, top=4))
            assert [one.top for one in found] == [predictions.ranking(k, 4) for k in range(40)]
            assert [set(one.labels) for one in found] == [set(predictions.set_of(k)) for k in range(40)]
            assert [one.id for one in found] == [str(i) for i in range(200, 240)]


def test_stories(texts):
    stories = StoryBuilder()
    for name in "ab":
        stories.add(Story(name, "unheardof", f"title {name}"))
    found = list(Model.open(texts, learners=made()).predict_all([stories.take()]))
    assert [(one.id, one.title) for one in found] == [("a", "title a"), ("b", "title b")]


def test_what_cannot_be_asked(texts, vectors, tmp_path):
    words, vector = Model.open(texts, learners=made()), Model.open(vectors[0], learners=made())
    with pytest.raises(UsageError, match="learnt from features, not from texts"):
        vector.predict("gold falls")
    with pytest.raises(UsageError, match=r"no learner 'nbb' in this run \(did you mean 'nb'\?\)"):
        words.predict("gold falls", "nbb")
    with pytest.raises(InputError, match=r"predict takes one document, .*; try predict_all"):
        words.predict(BatchBuilder().take())
    with pytest.raises(UsageError, match="does not name the learners"):
        Model.open(texts)
    with pytest.raises(UsageError, match=r"the learner mmp of .* differs"):
        Model.open(texts, learners={**made(), "mmp": MMP(loss="avgp")})
    with pytest.raises(UsageError, match=r"the learner nb of .* differs"):
        Model.open(texts, learners={"mmp": MMP()})
    with pytest.raises(UsageError, match="there is no folder"):
        Model.open(tmp_path / "nowhere")


def test_a_checkpoint_by_itself_and_one_that_was_copied(texts, tmp_path):
    _, path = sorted((texts / "checkpoints").iterdir())
    copy = shutil.copytree(path, tmp_path / "copy")
    first = Model.open(texts, learners=made()).predict("gold")
    for place in (path, copy):
        assert Model.open(place, learners=made()).predict("gold") == first


def test_learners_are_read_when_they_are_asked_also_after_the_run_has_moved_on(texts):
    before = Model.open(texts, learners=made()).predict("gold", "nb")
    model = Model.open(texts, learners=made())
    shutil.rmtree(texts / "checkpoints")
    assert model.predict("gold", "nb") == before


def test_where_the_newest_is_removed_while_it_is_read_the_next_is_taken(texts, monkeypatch):
    checkpoints = Checkpoints(texts / "checkpoints")
    _, number = checkpoints.numbers()
    old, new = checkpoints.path(number), checkpoints.path(number + 1)
    begun = Snapshot.__init__

    def late(self, folder):
        if folder == old:
            old.rename(new)
        begun(self, folder)

    monkeypatch.setattr(Snapshot, "__init__", late)
    assert open_snapshot(texts).folder == new
    new.rename(old)
    with pytest.raises(UsageError, match="is no checkpoint"):
        open_snapshot(texts, number)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.pop("watching"),
        lambda state: state["settings"].update(learners=7),
        lambda state: state.update(reading={"counts": ["x"], "source": None}),
        lambda state: state["reading"]["source"].update(text={"tokens": "letters", "colour": "red"}),
        lambda state: state["reading"]["source"]["words"].update(df=np.zeros(2)),
        lambda state: state["learners"]["mmp"].update(labels={"list": ["a", "a"]}),
        lambda state: state["learners"].update(mmp=dict.fromkeys(state["learners"]["mmp"])),
        lambda state: state["parts"][0].update(curves={}),
    ],
)
def test_a_checkpoint_that_somebody_made_is_refused_in_a_sentence(texts, tmp_path, change):
    checkpoint = open_snapshot(texts)
    state = checkpoint.part()
    change(state)
    write(tmp_path / "000001", checkpoint.facts, state)
    with pytest.raises((CheckpointError, UsageError), match=r"; | is broken"):
        Model.open(tmp_path / "000001", learners=made()).predict("gold", "mmp")


class Silent(NB):
    """A learner that gives no reasons."""

    reasons = None


def test_learners_without_reasons_give_none(tmp_path):
    ran(tmp_path / "run", open_source("synthetic:n=150,seed=3,topics=5"), {"s": Silent(), "nb": NB()})
    model = Model.open(tmp_path / "run", learners={"s": Silent(), "nb": NB()})
    silent, speaking = (model.predict("gold", name, thresholds=Thresholds(least=-5)) for name in ("s", "nb"))
    assert silent.labels == speaking.labels != []
    assert (silent.reasons, speaking.reasons.keys()) == ({}, set(speaking.labels))


def test_documents_apart_are_predicted_as_each_alone(texts):
    """Also where scores are equal, as for words that no label has."""
    model = Model.open(texts, learners=made())
    document = next(iter(open_source("synthetic:n=150,seed=3,topics=5")))
    known = [str(document.feature_names[i]) for i in document.features[:60]]
    sent = [" ".join(known[i : i + 4]) for i in range(0, 60, 3)] + ["unmet", "", "unmet"]
    builder = StoryBuilder()
    for number, text in enumerate(sent):
        builder.add(Story(str(number), text))
    stories = builder.take()
    for name in ("mmp", "nb"):
        for text, one in zip(sent, model.predict_all([stories], name, apart=True), strict=True):
            alone = model.predict(text, name)
            assert (one.top, one.labels, one.scores, one.reasons) == (
                alone.top,
                alone.labels,
                alone.scores,
                alone.reasons,
            )

"""Learners that fail: each is set aside alone, and the others learn as if it had not been there."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import BR, MMP, NB, PerDocument, Prior
from telex.learners.base import BatchBuilder, InputError, Span, StoppedError, UsageError
from telex.stream import Checkpoints, Lateness, Run, RunFolder
from telex.stream.crossval import Corpus, cross_validate, stratified
from telex.stream.predict import Model
from telex.stream.run_folder import comparisons, read_curves, read_losses
from telex.testing import RecordingSink

STREAM = zipf(5, documents=150, unlabelled=0.1)


class Failing(PerDocument):
    """Fails at one of its calls of ``ask`` or ``answer``."""

    def __init__(self, at, in_ask=False):
        self.at, self.in_ask = at, in_ask
        self.seen = {}
        self.answers = 0

    def ask(self, x):
        if self.in_ask and self.answers >= self.at:
            raise ZeroDivisionError("nothing to divide by")
        return {label: float(count) for label, count in self.seen.items()}

    def answer(self, x, y):
        self.answers += 1
        if not self.in_ask and self.answers > self.at:
            raise RuntimeError("enough is enough")
        for label in y:
            self.seen[label] = self.seen.get(label, 0) + 1


class Wrong(NB):
    """Predicts too few documents, from the second call on."""

    calls = 0

    def progress(self, events):
        made = super().progress(events)
        self.calls += 1
        return self.spoil(made) if self.calls > 1 else made

    def spoil(self, made):
        return None


class OutOfMemory(NB):
    """Runs out of memory when it is saved."""

    def save(self):
        raise MemoryError("not a byte is left")


def batches(size=20):
    builder, found = BatchBuilder(), []
    for i, (x, y) in enumerate(STREAM):
        builder.add(x, y, id=f"d{i}", time=3600.0 * i)
        if i % size == size - 1:
            found.append(builder.take())
    return [*found, builder.take()]


def made(**failing):
    return {**failing, "mmp": MMP(penalty="random"), "nb": NB()}


def through(learners, folder=None, size=20, **options):
    sink = RunFolder(folder) if folder else RecordingSink()
    run = Run(batches(size), learners, sinks=[sink], **options)
    for _ in run:
        pass
    return run


def same_curves(run, alone, folder, other):
    for name in alone.learners:
        for column, values in alone.curves[name].items():
            np.testing.assert_array_equal(values, run.curves[name][column])
        np.testing.assert_equal(run.labels(name), alone.labels(name))
        assert run.learners[name].arrays().keys() == alone.learners[name].arrays().keys()
        for key, array in alone.learners[name].arrays().items():
            np.testing.assert_array_equal(array, run.learners[name].arrays()[key])
    for file in ("curves.csv", "labels.csv"):
        lines = [line for line in (folder / file).read_text().splitlines() if not line.startswith("f,")]
        assert lines == (other / file).read_text().splitlines()


@settings(max_examples=12, deadline=None)
@given(
    at=st.integers(0, 160),
    in_ask=st.booleans(),
    size=st.integers(1, 60),
    place=st.integers(0, 2),
    lateness=st.sampled_from([None, Lateness(Span(documents=9), limit=4), Lateness(Span(seconds=30_000.0))]),
    test_after=st.sampled_from([None, "n:80"]),
    epochs=st.sampled_from([1, 2]),
    champion=st.sampled_from([None, "window=20,margin=0", "learner=f"]),
)
def test_the_others_learn_as_if_it_had_not_been_there(
    tmp_path_factory, at, in_ask, size, place, lateness, test_after, epochs, champion
):
    folder, other = tmp_path_factory.mktemp("run") / "run", tmp_path_factory.mktemp("alone") / "run"
    learners = list(made().items())
    learners.insert(place, ("f", Failing(at, in_ask)))
    options = {"lateness": lateness, "test_after": test_after, "epochs": epochs, "points": 7}
    run = through(dict(learners), folder, size, champion=champion, drift="ADWIN", **options)
    alone = through(made(), other, size, drift="ADWIN", **options)
    same_curves(run, alone, folder, other)
    failed = run.summary().get("set_aside", {})
    assert set(failed) == set(run.set_aside) <= {"f"}
    if failed and champion:
        assert run.summary()["champion"] != "f"


@settings(max_examples=8, deadline=None)
@given(at=st.integers(0, 120), size=st.integers(1, 40), stops=st.lists(st.integers(1, 140), max_size=3))
def test_a_killed_and_resumed_run_keeps_it_set_aside(tmp_path_factory, at, size, stops):
    folder, other = tmp_path_factory.mktemp("run") / "run", tmp_path_factory.mktemp("whole") / "run"

    def begin(path, resume):
        sink = RunFolder(path, resume=resume)
        learners = made(f=Failing(at))
        run = Run(batches(size), learners, sinks=[sink], checkpoints=sink.checkpoints, checkpoint_every=10, points=5)
        if resume:
            run.resume()
        return run

    documents = 0
    for stop in sorted(stops):
        run = begin(folder, documents >= 10)
        for point in run:
            documents = point.documents
            if documents >= stop:
                break
        run.close()
        documents = documents if Checkpoints(folder / "checkpoints").numbers() else 0
        if not documents:
            for file in [*folder.rglob("*")][::-1]:
                file.rmdir() if file.is_dir() else file.unlink()
    run, whole = begin(folder, bool(documents)), begin(other, False)
    for one in (run, whole):
        for _ in one:
            pass
    assert (folder / "curves.csv").read_text() == (other / "curves.csv").read_text()
    assert events_of(folder, "learner set aside") == events_of(other, "learner set aside")
    assert set(run.set_aside) == set(whole.set_aside)
    same_curves(run, through(made(), other.parent / "alone", points=5), folder, other.parent / "alone")


def events_of(folder, kind):
    lines = (folder / "events.jsonl").read_text().splitlines()
    return [event for line in lines if (event := json.loads(line))["event"] == kind]


def test_its_event_its_curve_and_its_losses(tmp_path):
    run = through(made(f=Failing(60)), tmp_path / "run", champion="learner=f", points=10)
    (event,) = events_of(tmp_path / "run", "learner set aside")
    first = event["document"]
    assert [sum(y is not None for _, y in STREAM[:end]) for end in (first - 1, first)] == [60, 61]
    assert (event["documents"], event["id"]) == (1, f"d{first - 1}")
    assert (event["learner"], event["error"], event["message"]) == ("f", "RuntimeError", "enough is enough")
    assert run.summary()["set_aside"]["f"]["document"] == first
    (switch,) = events_of(tmp_path / "run", "champion")
    assert (switch["from"], switch["document"], switch["reason"]) == ("f", first, "f is set aside")
    curves = read_curves(tmp_path / "run")
    known = ~np.isnan(curves.learners["f"]["micro_f1"])
    assert curves.documents[known].max() < first
    assert len(curves.documents) == len(curves.learners["nb"]["iserr"]) == 15
    losses = read_losses(tmp_path / "run")
    assert losses.documents()[~np.isnan(losses.values("hamming", "f"))].max() < first
    pairs = {(pair.a, pair.b): pair.n for pair in comparisons(tmp_path / "run", ["hamming"])["train"]}
    assert pairs["f", "nb"] < pairs["mmp", "nb"]


@pytest.mark.parametrize("late", [None, Lateness(Span(documents=5))])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda made: None,
        lambda made: replace(made, rows=made.rows[:1]),
        lambda made: replace(made, scores=made.scores[:, :1]),
        lambda made: replace(made, known=made.known + 100),
    ],
)
def test_predictions_of_a_wrong_shape(spoil, late, tmp_path):
    wrong = Wrong()
    wrong.spoil = spoil
    run = through(made(f=wrong), tmp_path / "run", lateness=late, test_after="n:100")
    alone = through(made(), tmp_path / "alone", lateness=late, test_after="n:100")
    assert list(run.set_aside) == ["f"]
    same_curves(run, alone, tmp_path / "run", tmp_path / "alone")


def test_rows_that_are_not_those_asked(tmp_path):
    wrong = Wrong()
    wrong.spoil = lambda made: replace(made, rows=made.rows * 0)
    run = through(made(f=wrong), tmp_path / "run")
    assert "answered documents could be judged" in run.set_aside["f"].message
    same_curves(run, through(made(), tmp_path / "alone"), tmp_path / "run", tmp_path / "alone")


def test_one_that_cannot_be_saved(tmp_path):
    sink = RunFolder(tmp_path / "run")
    run = Run(batches(), made(f=OutOfMemory()), sinks=[sink], checkpoints=sink.checkpoints, checkpoint_every=30)
    for _ in run:
        pass
    assert run.set_aside["f"].error == "MemoryError"
    (event,) = events_of(tmp_path / "run", "learner set aside")
    assert event["message"] == "not a byte is left"


def test_one_that_cannot_be_loaded(tmp_path):
    class Tired(NB):
        def load(self, state):
            raise MemoryError("too large")

    def begin(learner, resume):
        sink = RunFolder(tmp_path / "run", resume=resume)
        return Run(
            batches(), made(f=learner), sinks=[sink], checkpoints=sink.checkpoints, checkpoint_every=30, points=10
        )

    run = begin(Tired(), False)
    for point in run:
        if point.documents >= 70:
            break
    run.close()
    resumed = begin(Tired(), True)
    resumed.resume()
    for _ in resumed:
        pass
    assert resumed.set_aside["f"].message == "too large"
    assert events_of(tmp_path / "run", "learner set aside")[0]["learner"] == "f"
    again = begin(Tired(), True)
    again.resume()
    assert list(again.set_aside) == ["f"]
    again.close()


@pytest.mark.parametrize("late", [None, Lateness(Span(documents=5))])
@pytest.mark.parametrize("size", [1, 7, 50])
def test_a_document_with_more_labels_than_it_takes(size, late):
    class Small(MMP):
        most_labels = 20

    assert len({label for _, y in STREAM[:100] for label in y or ()}) < 20
    builder, found = BatchBuilder(), []
    for i, (x, y) in enumerate(STREAM):
        builder.add(x, [f"l{k}" for k in range(30)] if i == 110 else y, id=f"d{i}", time=float(i))
        if i % size == size - 1:
            found.append(builder.take())
    run = Run([*found, builder.take()], {"small": Small(), "nb": NB()}, lateness=late)
    list(run)
    failure = run.set_aside["small"]
    assert (failure.id, failure.documents, failure.document) == ("d110", 1, 116 if late else 111)
    assert failure.message.startswith("Small takes at most 20 labels, not ")


def test_a_test_part_on_which_one_fails():
    run = through(made(f=Failing(60, in_ask=True)), test_after="n:65")
    failure = run.set_aside["f"]
    assert (failure.part, failure.document, failure.documents, failure.id) == ("test", 66, 1, "d65")
    assert "f" not in run.summary()["test"]
    assert run.summary()["learners"]["f"]["docs"] == 60


def test_a_run_that_stops_at_failures_ends_with_a_sentence_and_the_error_as_its_cause():
    with pytest.raises(StoppedError, match="the learner f failed: RuntimeError: enough is enough; ") as caught:
        through(made(f=Failing(60)), learner_failure="stop")
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(UsageError, match="choose one of set-aside, stop"):
        through(made(), learner_failure="go on")


def test_a_run_without_learners_ends():
    with pytest.raises(StoppedError, match=r"no learner is left: f failed at document 61 \(d60\)"):
        through({"f": Failing(55), "prior": Prior()})
    sink = RecordingSink()
    with pytest.raises(StoppedError, match="no learner is left"):
        list(Run(batches(), {"f": Failing(55), "g": Failing(20)}, sinks=[sink]))
    assert [event["learner"] for event in sink.events if event["event"] == "learner set aside"] == ["g", "f"]
    assert sink.calls[-1].name == "close"


def test_its_object_is_let_go_and_its_place_refuses(tmp_path):
    run = through(made(f=Failing(60)))
    assert list(run.learners["f"].labels)
    with pytest.raises(StoppedError, match=r"f failed at document 66 \(d65\) .* use another learner of the run"):
        run.learners["f"].scores(batches()[0])


def test_a_checkpoint_predicts_without_it(tmp_path):
    sink = RunFolder(tmp_path / "run")
    run = Run(batches(), made(f=Failing(60)), sinks=[sink], checkpoints=sink.checkpoints, checkpoint_every=30)
    for _ in run:
        pass
    model = Model.open(tmp_path / "run", learners=made(f=Failing(60)))
    assert model.learners == ("mmp", "nb")
    with pytest.raises(UsageError, match=r"the learner f failed at document .*RuntimeError: enough is enough"):
        model.predict({"w1": 1.0}, "f")
    with pytest.raises(UsageError, match="has set the learner f aside, which failed; begin with its others"):
        Run(batches(), made(f=Failing(60))).begin_from(model.checkpoint)


def test_a_fold_on_which_one_fails():
    corpus = Corpus.read(batches())

    class Refusing(MMP):
        def learn(self, batch):
            raise InputError("too many labels")

    outcome = cross_validate(corpus, {"f": Refusing(), "nb": NB()}, stratified(corpus.batch, 3))
    assert outcome.failed == {"f": "f failed on fold 1 (InputError: too many labels)"}
    assert list(outcome.plain()["learners"]) == ["nb"]
    assert outcome.plain()["failed"] == outcome.failed


def test_drift_detectors_stop_with_it():
    run = through(made(f=Failing(60), br=BR()), drift="DDM")
    assert set(run.summary()["drifts"]) == {"f", "mmp", "nb", "br"}

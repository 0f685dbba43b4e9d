"""What follows from losses, whatever the stretches: events, champions, refits."""

import json
from itertools import pairwise

import pytest
from batch_models.following import batch_of
from batch_models.models import Centroids
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import MMP, NB, Prior
from telex.learners.base import UsageError, span
from telex.stream import PredictionsFile, Refit, Run, Sink
from telex.stream.delayed_labels import Lateness
from telex.testing import RecordingSink


class Events(RecordingSink):
    """Keeps what does not hang on the clock."""

    def event(self, event):
        super().event({name: value for name, value in event.items() if name != "seconds"})


def changing(count=600):
    """A stream whose labels are exchanged in the middle."""
    swap = {"CCAT": "war", "war": "CCAT", "GCAT": "M14", "M14": "GCAT"}
    stream = zipf(5, documents=count, features=30, labels=6, unlabelled=0.1)
    half = count // 2
    return stream[:half] + [(x, y and [swap.get(label, label) for label in y]) for x, y in stream[half:]]


def watched(source, late=None, **options):
    events = Events()
    learners = {"mmp": MMP(), "nb": NB(), "prior": Prior()}
    run = Run(source, learners, sinks=[events], lateness=late, **options)
    list(run)
    return events, run


OPTIONS = {
    "drift": "PageHinkley:threshold=8,min_instances=20,loss=hamming",
    "champion": "window=40,margin=0.05,least=10",
}


@given(sizes=st.lists(st.integers(1, 90), max_size=12), points=st.sampled_from(["geometric", 7, 1000]))
@settings(max_examples=5, deadline=None)
@pytest.mark.parametrize("delay", [None, "25"])
def test_events_and_champions_are_the_same_however_the_stream_is_cut(source_of, delay, sizes, points):
    late = delay and Lateness(after=span("labels-after", delay))
    stream = changing()
    whole, _ = watched(source_of(stream), late, **OPTIONS)
    cut, _ = watched(source_of(stream, sizes), late, points=points, **OPTIONS)
    assert whole.events == cut.events
    assert whole.champions == cut.champions
    assert {event["event"] for event in whole.events} == {"drift", "champion"}
    assert [event["document"] for event in whole.events] == sorted(event["document"] for event in whole.events)
    assert len(whole.champions) == len(stream)


def test_predictions_are_the_champions(source_of, tmp_path):
    learners = {"mmp": MMP(), "nb": NB(), "prior": Prior()}
    events, file = Events(), PredictionsFile(tmp_path / "p")
    run = Run(source_of(changing()), learners, sinks=[events, file], champion=OPTIONS["champion"])
    list(run)
    lines = [json.loads(line) for line in (tmp_path / "p").read_text().splitlines()]
    assert [line["learner"] for line in lines] == [list(learners)[number] for number in events.champions]
    assert run.summary()["champion"] == lines[-1]["learner"]


def test_a_drift_has_a_model_fitted_anew_at_the_next_boundary(source_of):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed; try pip install '.[sklearn]'")
    from telex.adapters.sklearn.family import SklearnModel  # noqa: PLC0415

    def go(sizes):
        events = Events()
        learner = Refit(SklearnModel("RidgeClassifier"), every="drift", after=50, window=100)
        run = Run(source_of(changing(), sizes), {"refit": learner}, sinks=[events], drift=OPTIONS["drift"])
        list(run)
        return events.events, run.summary()["learners"]

    events, figures = go(())
    assert (events, figures) == go((100, 3, 70))
    drifts = [event["document"] for event in events if event["event"] == "drift" and event["worse"]]
    refits = [event["document"] for event in events if event["event"] == "refit"]
    assert drifts
    assert set(drifts) <= set(refits)
    assert len(refits) > 1


def test_refits_of_a_learner_that_has_learnt_before_know_where_they_are():
    batch = batch_of(zipf(3, documents=190))

    def go(*cuts):
        learner, events = Refit(Centroids(), every=40, window=60), Events()
        list(Run([batch.rows(0, 90)], {"refit": learner}))
        parts = [batch.rows(*both) for both in pairwise((90, *cuts, 190))]
        list(Run(parts, {"refit": learner}, points=1000, sinks=[events]))
        return events.events

    where = {"event": "refit", "window": 60, "learner": "refit"}
    assert go() == go(97, 140) == [where | {"document": n, "answered": n} for n in (30, 70)]


def test_a_refit_on_drift_that_nobody_looks_for_is_refused(source_of):
    learners = {"mmp": MMP(), "model": Refit(Centroids(), every="drift")}
    with pytest.raises(UsageError, match=r"the learner model is refitted on drift.*give --drift ADWIN"):
        Run(source_of(changing()), learners)
    Run(source_of(changing()), learners, drift="ADWIN").close()


def test_what_is_saved_does_not_continue_with_the_run(source_of):
    """A checkpoint is written while the run continues."""
    saved = []

    class Saving(Sink):
        def event(self, event):
            saved.append((run.state.monitors.save(), json.dumps(run.state.monitors.save()["drifts"])))

    run = Run(source_of(changing()), {"mmp": MMP(), "nb": NB()}, sinks=[Saving()], drift=OPTIONS["drift"])
    list(run)
    assert len({then for _, then in saved}) > 2
    assert [json.dumps(state["drifts"]) for state, _ in saved] == [then for _, then in saved]

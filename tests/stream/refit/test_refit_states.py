"""A batch learner that follows a stream, saved and loaded on its way; its events; refits on drift.

provenance.py is tested here: a fitted model comes back by its state, or by a new fit.
"""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from batch_models.following import batch_of, met_anew, through_json, told, without_clock
from batch_models.models import Centroids, Failing, Keeping, Waiting
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import streams

from telex.learners import BatchBuilder, Events
from telex.learners.base import UsageError
from telex.stream import Refit


def steps_of(delay, batch):
    """Every row asked, and answered `delay` asks later where it is labelled."""
    steps = []
    for row in range(len(batch) + delay):
        if row < len(batch):
            steps.append(row)
        if row >= delay and batch.labelled[row - delay]:
            steps.append(~(row - delay))
    return np.array(steps, np.int32)


SETTINGS = [
    {"every": 20, "window": 30},
    {"every": 13, "window": 1000, "after": 4},
    {"every": "13h", "window": "30h"},
    {"every": "20h", "window": 33, "after": 10, "most": 12},
    {"every": "drift", "after": 25, "window": 40},
]


@pytest.mark.parametrize("model", [Centroids(), Keeping(), Failing({39, 77})], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("given_settings", SETTINGS, ids=str)
@settings(max_examples=6)
@given(cuts=st.lists(st.integers(0, 120), min_size=1, max_size=4), forget=st.booleans(), asked=st.integers(0, 120))
def test_it_continues_as_if_undisturbed(model, given_settings, cuts, forget, asked):
    batch = batch_of(streams.zipf(3, documents=120, unlabelled=0.2), forget=forget, hours=True)
    whole, cut = Refit(model, **given_settings), Refit(model, **given_settings)
    expected, said = [], []
    expected += told(whole.progress(Events(batch.rows(0, asked))))
    whole.ask_for_refit()
    expected += told(whole.progress(Events(batch.rows(asked, 120))))
    whole.progress(Events(batch.rows(120, 120)))
    places = sorted({0, asked, 120, *cuts})
    for start, end in pairwise([0, *places]):
        said += told(cut.progress(Events(batch.rows(start, end))))
        if end == asked:
            cut.ask_for_refit()
        if end in cuts:
            state, cut = through_json(cut.save()), Refit(model, **given_settings)
            cut.load(state)
            batch = met_anew(batch)
    cut.progress(Events(batch.rows(120, 120)))
    assert said == expected
    events = without_clock(cut.take_events())
    assert events == without_clock(whole.take_events())
    clock = {"seconds": 0, "window_bytes": 0}
    assert dataclasses.replace(whole.state, **clock) == dataclasses.replace(cut.state, **clock)
    assert list(whole.labels) == list(cut.labels)
    assert any(event["event"] == "refit" for event in events)


@settings(max_examples=12)
@given(delay=st.integers(1, 40), cut=st.integers(0, 200), forget=st.booleans())
def test_also_between_an_ask_and_its_answer(delay, cut, forget):
    batch = batch_of(streams.zipf(4, documents=100, unlabelled=0.2), forget=forget)
    steps = steps_of(delay, batch)
    whole, first = Refit(Centroids(), every=15, window=25), Refit(Centroids(), every=15, window=25)
    said = []
    if forget:  # once a call, so that a batch that is handed over again must not forget again
        still = dataclasses.replace(batch, forget=None)
        expected = told(whole.progress(Events(batch, steps[:cut]))) + told(whole.progress(Events(still, steps[cut:])))
        said += told(first.progress(Events(batch, steps[:cut])))
        batch = still
    else:
        expected = told(whole.progress(Events(batch, steps)))
        said += told(first.progress(Events(batch, steps[:cut])))
    second = Refit(Centroids(), every=15, window=25)
    second.load(through_json(first.save()))
    assert said + told(second.progress(Events(met_anew(batch), steps[cut:]))) == expected


def test_a_model_that_keeps_itself_keeps_no_documents():
    batch = batch_of(streams.zipf(5, documents=60))
    keeping, fitting = Refit(Keeping(), every=30), Refit(Centroids(), every=30)
    for one in (keeping, fitting):
        one.progress(Events(batch))
    assert set(keeping.save()["model"]) == {"state"}
    assert set(fitting.save()["model"]) == {"fitted_on", "labels"}
    fits = Keeping.fits
    other = Refit(Keeping(), every=30)
    other.load(through_json(keeping.save()))
    assert Keeping.fits == fits
    assert told(other.scores(batch)) == told(keeping.scores(batch))


def test_a_label_that_came_after_the_fit_is_no_name_of_its_window():
    builder = BatchBuilder()
    for label in ("a", "b", "c", "d"):
        builder.add({"x": 1.0}, [label])
    model = Refit(Centroids(), every=3, window=2)
    model.progress(Events(builder.take()))
    provenance = model._controller.current.provenance
    other = Refit(Centroids(), every=3, window=2)
    other.load(through_json(model.save()))
    assert list(provenance.batch.ids) == list(other._controller.current.provenance.batch.ids) == ["1", "2"]
    assert list(other._controller.current.provenance.batch.label_names) == ["a", "b", "c"]
    assert list(other.labels) == ["a", "b", "c", "d"]


def test_events_are_the_same_whatever_the_batches():
    batch, told_of = batch_of(streams.zipf(3, documents=120, unlabelled=0.2), hours=True), []
    for size in (1, 17, 120):
        model = Refit(Failing({39, 77}), every=20, window=30)
        events = []
        for start in range(0, 120, size):
            model.progress(Events(batch.rows(start, min(start + size, 120))))
            events += model.take_events()
        assert all(event["seconds"] > 0 for event in events if event["event"] == "refit")
        told_of.append(without_clock(events))
        assert model.take_events() == []
    assert told_of[0] == told_of[1] == told_of[2]
    assert [one["document"] for one in told_of[0]] == [20, 40, 60, 80]
    assert [one["window"] for one in told_of[0]] == [20, 30, 30, 30]


def test_a_failure_is_an_event_with_its_reason():
    batch = batch_of(streams.zipf(5, documents=60))
    model = Refit(Failing({29}), every=30)
    model.progress(Events(batch))
    failed, came = model.take_events()
    assert failed == {
        "event": "refit failed",
        "document": 30,
        "window": 30,
        "reason": "ArithmeticError: no such window",
    }
    assert set(came) == {"event", "document", "window", "seconds"}
    assert (came["event"], came["document"], came["window"]) == ("refit", 60, 60)


def test_events_that_nobody_takes_are_forgotten_in_the_end():
    model = Refit(Failing(range(1200)), every=1, window=1)
    model.progress(Events(batch_of(streams.zipf(5, documents=1200))))
    events = model.take_events()
    assert (len(events), events[0]["document"], events[-1]["document"]) == (1000, 201, 1200)


# -- refits on drift


def test_on_drift_it_refits_when_it_is_asked_to():
    batch = batch_of(streams.zipf(5, documents=300))
    model = Refit(Centroids(), every="drift", after=50)
    assert model.reacts_to_drift
    assert not Refit(Centroids(), every=50).reacts_to_drift
    model.progress(Events(batch.rows(0, 200)))
    model.ask_for_refit()
    model.progress(Events(batch.rows(200, 300)))
    assert [event["document"] for event in model.take_events()] == [50, 200]


def test_on_drift_the_first_refit_is_after_a_thousand():
    model = Refit(Centroids(), every="drift")
    batch = batch_of(streams.zipf(5, documents=999))
    model.progress(Events(batch))
    assert model.state.refits == 0
    model.progress(Events(batch.rows(0, 2)))
    assert [event["document"] for event in model.take_events()] == [1000]


def test_on_drift_a_first_refit_that_fails_is_tried_again():
    model = Refit(Failing({49, 99}), every="drift", after=50)
    model.progress(Events(batch_of(streams.zipf(5, documents=300))))
    assert [(one["event"], one["document"]) for one in model.take_events()] == [
        ("refit failed", 50),
        ("refit failed", 100),
        ("refit", 150),
    ]


def test_what_drift_is_not():
    with pytest.raises(UsageError, match="every is 'drifts'"):
        Refit(Centroids(), every="drifts")
    with pytest.raises(UsageError, match="after is 'drift'"):
        Refit(Centroids(), every="drift", after="drift")


# -- in the background


def test_a_refit_under_way_is_asked_for_again(pipes):
    begun, go = pipes
    batch = batch_of(streams.zipf(5, documents=90))
    model = Refit(Waiting(begun, go), every=60, mode="background")
    model.progress(Events(batch.rows(0, 70)))
    begun.read_text()
    state = through_json(model.save())
    model.close()
    other = Refit(Centroids(), every=60, mode="background")
    other.load(state)
    assert not other.state.running
    other.progress(Events(met_anew(batch).rows(70, 71)))
    other.settle()
    [event] = other.take_events()
    assert (event["event"], event["document"], event["window"]) == ("refit", 70, 70)
    # and the model that came is stored like any other
    third = Refit(Centroids(), every=60, mode="background")
    third.load(through_json(other.save()))
    assert told(third.scores(batch)) == told(other.scores(batch))
    for one in (other, third):
        one.close()


# -- states of strangers


def saved():
    model = Refit(Centroids(), every=10, window=20)
    model.progress(Events(batch_of(streams.zipf(5, documents=35), forget=True)))
    return model.save()


def changed(state, path, value):
    *way, last = path
    state = dict(state)
    inner = state
    for key in way:
        inner[key] = dict(inner[key])
        inner = inner[key]
    inner[last] = value(inner[last]) if callable(value) else value
    return state


WRONG = [
    (("window",), None),
    (("window", "appended"), 3),
    (("window", "appended"), "x"),
    (("window", "features"), lambda a: -a - 1),
    (("window", "features"), lambda a: a[:-1]),
    (("window", "features"), lambda a: a.astype(np.int64)),
    (("window", "values"), lambda a: a.tolist()),
    (("window", "labels"), lambda a: a + 1000),
    (("window", "sizes"), lambda a: a + 1),
    (("window", "sizes"), lambda a: np.full(len(a), 1 << 62)),
    (("window", "times"), lambda a: a[:-1]),
    (("window", "names"), {"data": np.zeros(0, np.uint8)}),
    (("window", "forgotten"), None),
    (("cadence",), {}),
    (("cadence", "count"), None),
    (("model",), {}),
    (("model", "labels"), 10_000),
    (("model", "fitted_on", "indptr"), lambda a: a[::-1].copy()),
    (("model", "fitted_on", "indptr"), lambda a: a + 1000),
    (("model", "fitted_on", "indptr"), lambda a: a.tolist()),
    (("model", "fitted_on", "labels"), lambda a: a + 1000),
    (("model", "fitted_on", "features"), lambda a: -a - 1),
    (("model", "fitted_on", "labelled"), lambda a: a[:0]),
    (("model", "fitted_on"), {}),
    (("gone",), [1]),
    (("gone",), None),
    (("asked",), "many"),
    (("reasons",), [["x"]]),
    (("events",), [[1, 2]]),
    (("events",), None),
]


@pytest.mark.parametrize(("path", "value"), WRONG, ids=lambda one: ".".join(one) if isinstance(one, tuple) else "")
def test_states_that_cannot_be(path, value):
    with pytest.raises(UsageError, match="take another checkpoint"):
        Refit(Centroids(), every=10, window=20).load(changed(saved(), path, value))


def test_a_window_of_more_documents_than_it_can_hold():
    with pytest.raises(UsageError, match="the documents saved with a window do not fit it"):
        Refit(Centroids(), every=10, window=10).load(saved())


def test_a_model_that_cannot_be_fitted_again():
    with pytest.raises(UsageError, match=r"could not be fitted again .*\(ArithmeticError: no such window\)"):
        Refit(Failing({29}), every=10, window=20).load(saved())

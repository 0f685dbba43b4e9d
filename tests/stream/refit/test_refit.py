"""A batch learner that follows a stream.

controller.py, current_model.py, outcome.py and status.py have no user but Refit, and are tested by it.
"""

import dataclasses
import math
import os

import numpy as np
import pytest
from batch_models.following import batch_of
from batch_models.following import told_by_row as told
from batch_models.models import Centroids, Elsewhere, Failing, Speechless, Stubborn, Waiting
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import streams

from telex.adapters.sklearn.family import SklearnModel
from telex.learners import MMP, BatchBuilder, BatchLearner, Events, Learner, MPBoost, Names
from telex.learners.base import InputError, UsageError
from telex.stream import Refit, Run


def followed(model, batch, cuts):
    said, start = [], 0
    for end in [*sorted(cuts), len(batch)]:
        part = batch.rows(start, end)
        said += [(start + row, found) for row, found in told(model.progress(Events(part)))]
        start = end
    return said


SETTINGS = [
    {"every": 40, "window": 60},
    {"every": 25, "window": 1000, "after": 7},
    {"every": "13h", "window": "30h"},
    {"every": "50h", "window": 33, "after": 10, "most": 12},
    {"every": 1, "window": 5, "after": 215},
]


@pytest.mark.parametrize("given_settings", SETTINGS, ids=str)
@settings(max_examples=8)
@given(cuts=st.lists(st.integers(0, 300), max_size=6), forget=st.booleans())
def test_batches_do_not_matter(given_settings, cuts, forget):
    batch = batch_of(streams.zipf(3, unlabelled=0.2), forget=forget, hours=True)
    whole, cut = Refit(Centroids(), **given_settings), Refit(Centroids(), **given_settings)
    assert followed(whole, batch, []) == followed(cut, batch, cuts)
    assert list(whole.labels) == list(cut.labels)
    assert dataclasses.replace(whole.state, seconds=0, window_bytes=0) == dataclasses.replace(
        cut.state, seconds=0, window_bytes=0
    )
    assert whole.state.refits > 0
    still = dataclasses.replace(batch, forget=None)
    assert told(whole.scores(still)) == told(cut.scores(still))


@given(st.permutations(range(24)), st.lists(st.integers(0, 24), max_size=6))
def test_neither_does_one_step_a_call(order, unasked):
    """Asks and answers in any order, in one call and in as many as there are steps."""
    batch = batch_of(streams.zipf(5, documents=24))
    steps = [r if i % 2 else ~r for i, r in enumerate(order)] + [~r for r in order[:8]]
    whole, single = Refit(Centroids(), every=3, window=7), Refit(Centroids(), every=3, window=7)
    together = told(whole.progress(Events(batch, np.array(steps, np.int32))))
    apart = [one for s in steps for one in told(single.progress(Events(batch, np.array([s], np.int32))))]
    assert together == apart


@pytest.mark.parametrize("forget", [False, True])
def test_it_is_fitting_by_hand(forget):
    """A slow reading: documents one by one, the window a list, features that left taken out of old documents."""
    stream = streams.zipf(3, unlabelled=0.2)
    batch = batch_of(stream, forget=forget)
    said = dict(followed(Refit(Centroids(), every=40, window=60), batch, []))
    leaving = {}
    if forget:
        for row, feature in zip(batch.forget.rows.tolist(), batch.forget.features.tolist(), strict=True):
            leaving.setdefault(row, set()).add(f"t{feature}")
    window, answers, means, gone, known = [], 0, None, set(), []
    for row, (features, y) in enumerate(stream):
        for feature in leaving.get(row, ()):
            gone.add(feature)
            for one, _ in window:
                one.pop(feature, None)
        x = {f: float(np.float32(features[f])) for f in sorted(features, key=batch.feature_names.get)}
        seen = {f: v for f, v in x.items() if f not in gone}
        scores = {
            c: np.float32(sum(v * mean.get(f, 0.0) for f, v in seen.items())) for c, mean in (means or {}).items()
        }
        low = min(scores.values()) - np.float32(1) if scores else np.float32(0)
        expected = {c: (float(scores.get(c, low)), bool(scores.get(c, low) > 0.5)) for c in known}
        assert said[row] == expected
        if y is None:
            continue
        window = [*window, (dict(x), sorted(y))][-60:]
        known += [c for c in sorted(y) if c not in known]
        answers += 1
        if answers % 40 == 0:
            sums = {}
            for one, labels in window:
                for c in labels:
                    count, total = sums.get(c, (0, {}))
                    for f, v in one.items():
                        total[f] = total.get(f, 0.0) + v
                    sums[c] = (count + 1, total)
            means = {c: {f: v / count for f, v in total.items()} for c, (count, total) in sums.items()}
            gone = set()
    assert answers >= 200


def test_before_the_first_model_known_labels_have_score_0():
    builder = BatchBuilder()
    for labels in (["a"], ["b"], []):
        builder.add({"x": 1.0}, labels)
    model = Refit(Centroids(), every=100)
    said = told(model.progress(Events(builder.take())))
    assert said == [(0, {}), (1, {"a": (0.0, False)}), (2, {"a": (0.0, False), "b": (0.0, False)})]
    assert model.state.staleness is None
    assert model.state.refits == 0


def test_names_of_features_do_not_matter():
    """They may change hands while their documents are in the window, earlier or later as the stream is cut."""
    batch = batch_of(streams.zipf(3))
    renamed = dataclasses.replace(batch, feature_names=Names(reversed(list(batch.feature_names))))
    one, other = (Refit(MPBoost(rounds=9), every=40, window=60) for _ in range(2))
    assert told(one.progress(Events(batch))) == told(other.progress(Events(renamed)))


def test_a_label_that_left_the_window_is_ranked_last():
    builder = BatchBuilder()
    for label in ["old", "old", "new", "new", "late"]:
        builder.add({"x": 1.0}, [label])
    builder.add({"x": 1.0}, None)
    model = Refit(Centroids(), every=2, window=2)
    predictions = model.progress(Events(builder.take()))
    assert predictions.ranking(5)[0] == ("new", 1.0)
    assert {score for label, score in predictions.ranking(5)[1:]} == {0.0}
    assert predictions.set_of(5) == ["new"]
    assert (model.state.refits, model.state.staleness) == (2, 1)


def test_it_is_ranked_last_however_large_scores_are():
    builder = BatchBuilder()
    for i in range(4):
        builder.add({"cup": 1e-6} if i % 2 else {"tariff": 1e-6}, ["sport"] if i % 2 else ["trade"])
    builder.add({"cup": 1.0}, ["new"])
    for term in ("cup", "tariff"):
        builder.add({term: 1e6}, ["new"])
    model = Refit(SklearnModel("RidgeClassifier", alpha=1e-9), every=4, window=4)
    found = model.progress(Events(builder.take()))
    for row in (5, 6):
        assert abs(found.scores[row]).max() > 1e9
        assert found.ranking(row)[-1][0] == "new"


def test_it_runs_beside_the_others(patchy):
    model = Refit(Centroids(), every=30, window=100)
    assert isinstance(model, Learner)
    assert isinstance(model.model, BatchLearner)
    assert not isinstance(MMP(), BatchLearner)
    curves = []
    for size in (1, 17, 300):
        batch, model = batch_of(patchy, forget=True), Refit(Centroids(), every=30, window=100)
        parts = [batch.rows(i, min(i + size, len(batch))) for i in range(0, len(batch), size)]
        curves.append([p.learners["refit"] for p in Run(parts, {"refit": model, "mmp": MMP()})])
    assert curves[0] == curves[1] == curves[2]
    assert curves[0][-1]["oneerr"] < 1


def test_learning_is_answering_without_asking(patchy):
    batch = batch_of(patchy, forget=True)
    one, other = Refit(Centroids(), every=30), Refit(Centroids(), every=30)
    one.progress(Events(batch))
    other.learn(batch)
    still = dataclasses.replace(batch, forget=None)
    assert told(one.scores(still)) == told(other.scores(still))


def test_scores_change_nothing(zipf):
    batch = batch_of(zipf)
    model = Refit(Centroids(), every=30)
    model.progress(Events(batch.rows(0, 100)))
    first, state = told(model.scores(batch)), model.state
    assert told(model.scores(batch.rows(0, 7)), model.labels) == first[:7]
    assert model.state == state
    with pytest.raises(InputError, match="scores changes no learner"):
        model.scores(batch_of(zipf, forget=True))


def test_asking_for_a_refit():
    batch = batch_of(streams.zipf(5, documents=20))
    model = Refit(Centroids(), every=1000)
    model.ask_for_refit()
    model.progress(Events(batch.rows(0, 8)))
    assert (model.state.refits, model.state.staleness) == (1, 7)
    model.ask_for_refit()
    model.progress(Events(batch.rows(8, 12)))
    assert (model.state.refits, model.state.staleness) == (2, 4)


def test_the_last_good_model_stays_when_a_refit_fails(zipf):
    batch = batch_of(zipf)
    model, good = Refit(Failing({59, 89}), every=30), Refit(Centroids(), every=30)
    for start, end in ((0, 60), (60, 90)):
        model.progress(Events(batch.rows(start, end)))
    good.progress(Events(batch.rows(0, 30)))
    state = model.state
    assert (state.refits, state.failures, state.staleness) == (1, 2, 60)
    assert state.reasons == {"ArithmeticError: no such window": 2}
    ask = batch.rows(90, 120)
    assert [scores for _, scores in told(model.scores(ask))] == [
        {c: found[c] if c in found else next(iter(low)) for c in model.labels}
        for _, found in told(good.scores(ask))
        for low in [{(float(np.float32(min(s for s, _ in found.values())) - np.float32(1)), False)}]
    ]
    model.progress(Events(ask))
    assert (model.state.refits, model.state.staleness) == (2, 0)


@pytest.mark.parametrize(
    ("model", "reason"),
    [(Speechless(), "RuntimeError: no words"), (Elsewhere(), "the model has labels that its window did not have")],
)
def test_what_is_no_model_is_a_failure(model, reason, zipf):
    refit = Refit(model, every=100)
    refit.progress(Events(batch_of(zipf)))
    assert refit.state.reasons == {reason: 3}
    assert refit.state.refits == 0


def test_reasons_do_not_grow_with_the_stream():
    class Moody(Centroids):
        def fit(self, batch):
            raise ValueError(f"not at {batch.numbers[-1]}")

    model = Refit(Moody(), every=1)
    model.progress(Events(batch_of(streams.zipf(5, documents=80))))
    assert model.state.failures == 80
    assert len(model.state.reasons) == 51
    assert model.state.reasons["others"] == 30


def test_a_stream_without_times_never_reaches_an_hour(zipf):
    model = Refit(Centroids(), every="1h")
    model.progress(Events(batch_of(zipf)))
    assert model.state.refits == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"every": "often"}, "every is 'often'; give a number of documents or a time"),
        ({"window": 0}, "window is '0'; give"),
        ({"after": "2w"}, "after is '2w'; give"),
        ({"timeout": "soon"}, "timeout is 'soon'; give a time"),
        ({"timeout": "10m"}, "timeout is for refits in the background; give mode=background too"),
        ({"mode": "async"}, "choose one of sync, background"),
        ({"most": 0, "window": "2h"}, "at least one document"),
    ],
)
def test_wrong_settings(wrong, message):
    with pytest.raises(UsageError, match=message):
        Refit(Centroids(), **wrong)


def test_only_batch_learners_are_refitted():
    with pytest.raises(UsageError, match="MMP learns one by one and cannot be refitted; try refit:model="):
        Refit(MMP())


def test_a_step_outside_the_batch(zipf):
    with pytest.raises(InputError, match="a step names a row outside"):
        Refit(Centroids()).progress(Events(batch_of(zipf).rows(0, 5), np.array([5], np.int32)))


def test_memory_is_reported(zipf):
    model = Refit(Centroids(), every=1000, window=20)
    model.progress(Events(batch_of(zipf)))
    assert model.state.window_documents == 20
    assert model.state.window_bytes >= 20 * 8 * 8
    assert not model.state.running


# -- in the background


def test_the_stream_continues_while_a_model_is_fitted(zipf, pipes):
    begun, go = pipes
    batch = batch_of(zipf, forget=True)
    model, own = Refit(Waiting(*pipes), every=100, mode="background"), Refit(Centroids(), every=100, window=100)
    model.progress(Events(batch.rows(0, 100)))
    process, documents = map(int, begun.read_text().split())
    assert (process != os.getpid(), documents) == (True, 100)
    assert model.state.running
    # two more are due meanwhile, and wait
    said = told(model.progress(Events(batch.rows(100, 300))))
    assert {score for _, found in said for score, _ in found.values()} == {0.0}
    assert (model.state.refits, model.state.staleness) == (0, None)
    go.write_text("")
    model.settle()
    assert (model.state.refits, model.state.failures, model.state.staleness) == (1, 0, 200)
    # what was forgotten while it was fitted is unknown to it
    own.progress(Events(batch.rows(0, 100)))
    own.progress(Events(batch.rows(100, 300), np.array([], np.int32)))
    still = dataclasses.replace(batch, forget=None).rows(250, 300)
    mine, theirs = told(model.scores(still)), told(own.scores(still))
    assert [{c: found[c] for c in own.labels} for _, found in mine] == [found for _, found in theirs]
    # the next one is due at once, on the newest window
    model.progress(Events(batch.rows(0, 0)))
    assert begun.read_text().split() == [str(process), "300"]
    go.write_text("")
    model.settle()
    assert (model.state.refits, model.state.staleness) == (2, 0)
    model.close()


def test_a_model_is_taken_at_a_boundary_within_a_call(zipf, pipes):
    begun, go = pipes
    batch = batch_of(zipf)
    model = Refit(Waiting(*pipes), every=1000, after=10, mode="background")
    model.progress(Events(batch.rows(0, 10)))
    begun.read_text()
    go.write_text("")
    model._controller.fitter._worker.connection.poll(None)  # it is there, and nothing has looked
    assert model.state.running
    said = told(model.progress(Events(batch.rows(10, 300))))
    assert {score for score, _ in said[0][1].values()} != {0.0}
    assert (model.state.refits, model.state.staleness) == (1, 290)
    model.close()


def test_the_same_models_as_in_place(zipf):
    batch = batch_of(zipf, forget=True, hours=True)
    sync, background = (Refit(Centroids(), every=40, window="90h", mode=mode) for mode in ("sync", "background"))
    for start in range(0, 300, 20):
        part = batch.rows(start, start + 20)
        assert told(sync.progress(Events(part))) == told(background.progress(Events(part)))
        background.settle()
    assert background.state.refits == sync.state.refits == 7
    background.close()


def test_a_process_that_dies_is_a_failure_and_the_next_one_fits(zipf):
    batch = batch_of(zipf)
    model = Refit(Failing({99}, "die"), every=50, mode="background")
    for start in range(0, 200, 50):
        model.progress(Events(batch.rows(start, start + 50)))
        model.settle()
    assert (model.state.refits, model.state.failures, model.state.staleness) == (3, 1, 0)
    [reason] = model.state.reasons
    assert reason.startswith("the fitting process ended (exit code -9)")
    model.close()


def test_errors_come_back_by_name(zipf):
    model = Refit(Failing({99}), every=50, mode="background")
    for start in (0, 50):
        model.progress(Events(batch_of(zipf).rows(start, start + 50)))
        model.settle()
    assert (model.state.refits, model.state.reasons) == (1, {"ArithmeticError: no such window": 1})
    model.close()


def test_a_refit_that_takes_too_long_is_ended(zipf, pipes):
    begun, go = pipes
    batch = batch_of(zipf)
    model = Refit(Waiting(*pipes), every=50, mode="background", timeout="1h")
    model.progress(Events(batch.rows(0, 50)))
    process = int(begun.read_text().split()[0])
    model._controller.fitter._began -= 3600
    model.progress(Events(batch.rows(50, 60)))
    assert model.state.reasons == {"took longer than 3600 seconds": 1}
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    model.progress(Events(batch.rows(60, 100)))
    assert int(begun.read_text().split()[0]) != process
    go.write_text("")
    model.settle()
    assert (model.state.refits, model.state.staleness) == (1, 0)
    model.close()


def test_waiting_ends_with_the_time_too(zipf, pipes):
    model = Refit(Waiting(*pipes), every=50, mode="background", timeout=1e-9)
    model.progress(Events(batch_of(zipf).rows(0, 50)))
    model.settle()
    assert model.state.failures == 1
    assert not model.state.running


def test_models_that_do_not_pickle(zipf):
    unpicklable = Centroids()
    unpicklable.trap = lambda: 0
    with pytest.raises(UsageError, match="fitted in the background must be picklable; try mode=sync"):
        Refit(unpicklable, mode="background")
    model = Refit(Stubborn(), every=50, mode="background")
    model.progress(Events(batch_of(zipf).rows(0, 50)))
    model.settle()
    [reason] = model.state.reasons
    assert reason.startswith("ValueError: invalid literal")
    model.close()


def test_the_time_that_a_fit_took_is_reported(zipf):
    model = Refit(Centroids(), every=100)
    assert model.state.seconds is None
    model.progress(Events(batch_of(zipf)))
    assert 0 < model.state.seconds < math.inf

"""Detectors watch losses: drift.py, drift_settings.py and drift_watch.py work on one document one after the other."""

import copy
import itertools
import math
import pickle
import random
import warnings

import numpy as np
import pytest
import river.drift
import river.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.learners.base import UsageError
from telex.learners.losses import LOSSES, Loss
from telex.stream import river_codec as plain
from telex.stream.monitor.drift import Drift, drift_settings

EVERY = (
    "ADWIN", "ADWIN:clock=1,delta=0.1", "PageHinkley:threshold=5", "page-hinkley:mode=down,threshold=5",
    SLOW := "KSWIN:window_size=20,stat_size=8,alpha=0.1", "DDM", "EDDM", "FHDDM:sliding_window_size=30",
    "FHDDM:short_window_size=20", "HDDM_A", "HDDM_A:two_sided_test=true", "HDDM_W", "HDDM_W:two_sided_test=true",
    "dummy-drift-detector:t_0=50", "dummy_drift_detector:trigger_method=random,t_0=50,w=20",
)  # fmt: skip
LENGTH = 400


def wire(seed, rates=(0.2, 0.7, 0.1, 0.5), undefined=0.05, length=LENGTH):
    """Losses of 0 or 1 whose rate changes, some of them undefined."""
    draw = random.Random(seed)
    each = length // len(rates)
    losses = [float(draw.random() < rate) for rate in rates for _ in range(each)]
    return np.array([math.nan if draw.random() < undefined else loss for loss in losses])


def whole(text, values, losses=tuple(LOSSES)):
    return Drift(drift_settings(text), ["it"], losses).add("it", np.arange(1, len(values) + 1), values)


def change(text, before, after):
    """A detector's alarms on losses of one rate, and as many of another; and how many those are."""
    draw, each = random.Random(3), 100 if text.startswith("KSWIN") else 1000
    rates = [before] * each + [after] * each
    return whole(text, np.array([float(draw.random() < rate) for rate in rates])), each


@pytest.mark.parametrize("text", EVERY)
def test_cuts_do_not_matter(text):
    length, examples = (80, 5) if text == SLOW else (LENGTH, 15)

    @settings(max_examples=examples)
    @given(st.integers(0, 20), st.lists(st.integers(0, length), max_size=6))
    def check(seed, cuts):
        values, documents = wire(seed, length=length), np.cumsum(np.random.default_rng(seed).integers(0, 3, length))
        if drift_settings(text).detector in {"ADWIN", "PageHinkley", "KSWIN"}:
            values = 0.6 * values + 0.4 * np.random.default_rng(seed).random(length)  # sums that are rounded
        one, other = (Drift(drift_settings(text), ["it", "other"], ["iserr"]) for _ in range(2))
        found = []
        for start, end in itertools.pairwise([0, *sorted(cuts), length]):
            found += one.add("it", documents[start:end], values[start:end])
        assert found == other.add("it", documents, values)

    check()


@pytest.mark.parametrize("text", EVERY)
def test_alarms_are_those_of_the_detector_itself(text):
    values = wire(1)
    made = drift_settings(text)
    detector, expected = made.make(), []
    for i, value in enumerate(values):
        if not math.isnan(value):
            # despite its documentation it looks for falls: as in its paper, its ones are hits
            detector.update(1 - value if made.detector == "FHDDM" else value)
            if detector.drift_detected:
                expected.append(i + 1)
    assert expected, "a stream on which the detector has something to say"
    assert [one.scored for one in whole(text, values)] == expected


def test_undefined_losses_count_as_scored_and_change_nothing():
    values = wire(2, undefined=0)
    sparse = np.full(3 * len(values), math.nan)
    sparse[2::3] = values
    dense, found = (whole("ADWIN", x) for x in (values, sparse))
    assert dense
    assert [3 * one.scored for one in dense] == [one.scored for one in found]
    assert [(one.before, one.after, one.worse) for one in dense] == [(x.before, x.after, x.worse) for x in found]


def test_documents_are_those_read_when_the_answer_came():
    values = np.repeat([0.0, 1.0], 200)
    documents = np.arange(1, 401) + 1000
    [found] = Drift(drift_settings("DDM"), ["it"], ["iserr"]).add("it", documents, values)
    assert (found.learner, found.loss, found.detector) == ("it", "iserr", "DDM")
    assert found.document == found.scored + 1000


def test_each_learner_is_watched_alone():
    watch = Drift(drift_settings(), ["a", "b"], ["iserr"])
    documents, changed = np.arange(1, 1001), np.repeat([0.0, 1.0], 500)
    assert watch.add("a", documents, np.zeros(1000)) == []
    assert {one.learner for one in watch.add("b", documents, changed)} == {"b"}
    assert watch.add("a", documents, np.zeros(1000)) == []


TWO_SIDED = ("ADWIN", "PageHinkley", "KSWIN:window_size=60,alpha=0.0001", "HDDM_A:two_sided_test=true")


@pytest.mark.parametrize("text", [*TWO_SIDED, "DDM", "EDDM", "FHDDM", "HDDM_A", "HDDM_W", "PageHinkley:mode=up"])
def test_a_rise_of_a_loss_is_worse(text):
    alarms, each = change(text, 0.1, 0.8)
    found = [one for one in alarms if one.scored > each]
    assert found
    assert found[0].worse
    assert found[0].scored < 1400


@pytest.mark.parametrize("text", [*TWO_SIDED, "PageHinkley:mode=down"])
def test_a_fall_of_a_loss_is_not(text):
    alarms, each = change(text, 0.8, 0.1)
    found = [one for one in alarms if one.scored > each]
    assert found
    assert not found[0].worse


@pytest.mark.parametrize("text", ["DDM", "HDDM_A", "PageHinkley:mode=up", "FHDDM"])
def test_who_looks_for_rises_says_nothing_of_a_fall(text):
    assert change(text, 0.9, 0.1)[0] == []


@pytest.mark.parametrize(
    "text", ["ADWIN:loss=avgp", "PageHinkley:loss=avgp", "KSWIN:window_size=60,alpha=0.0001,loss=avgp"]
)
def test_a_fall_of_what_is_best_at_1_is_worse(text):
    fallen, risen = ([one.worse for one in change(text, *rates)[0]] for rates in ((0.9, 0.1), (0.1, 0.9)))
    assert fallen[0] is True
    assert risen[0] is False


def test_a_fall_from_the_best_is_worse():
    values = np.repeat([1.0, 0.0], [1000, 300])
    alarms = Drift(drift_settings("PageHinkley:loss=avgp"), ["it"], [LOSSES["avgp"]]).add("it", np.arange(1300), values)
    assert [one.worse for one in alarms][:1] == [True]


def test_a_loss_of_ones_own_has_its_own_best():
    class Stars(Loss):
        name, best = "stars", 5.0

        def of(self, judged):
            raise AssertionError

    values = np.repeat([4.5, 1.0], 500)
    [found] = Drift(drift_settings("ADWIN:loss=stars"), ["it"], [Stars()]).add("it", np.arange(1000), values)
    assert found.worse
    assert found.loss == "stars"


def test_means_are_those_before_and_after_the_cut():
    values = np.repeat([0.25, 0.75], 512)
    [found] = whole("ADWIN:loss=avgp", values)
    detector = river.drift.ADWIN()
    for value in values[: found.scored]:
        detector.update(value)
    assert found.after == detector.estimation > 0.25
    left = found.scored - int(detector.width)
    assert found.before == pytest.approx(values[:left].mean())


def test_means_without_an_estimate_are_those_of_the_newest_and_the_rest():
    values = wire(4, (0.1, 0.9), undefined=0)
    first, second = whole("HDDM_A:two_sided_test=true", np.concatenate((values, values)))[:2]
    for found, start in ((first, 0), (second, first.scored)):
        seen = np.concatenate((values, values))[start : found.scored]
        newest = min(100, len(seen) // 2)
        assert found.after == pytest.approx(seen[-newest:].mean())
        assert found.before == pytest.approx(seen[:-newest].mean())


def test_names_are_rivers_in_any_spelling():
    for text in ("ADWIN", "adwin", "AdWin", ""):
        assert drift_settings(text).detector == "ADWIN"
    for text in ("page-hinkley", "Page_Hinkley", "PAGEHINKLEY"):
        assert isinstance(drift_settings(text).make(), river.drift.PageHinkley)
    assert {drift_settings(x).detector.lower().replace("_", "") for x in ("HDDM_A", "hddma", "HDDM-A")} == {"hddma"}


def test_parameters_reach_the_detector():
    made = drift_settings("adwin:delta=0.01,max_buckets=7,loss=margin")
    detector = made.make()
    assert (detector.delta, detector.max_buckets, made.loss) == (0.01, 7, "margin")
    assert made.make() is not detector


def test_who_draws_random_numbers_has_a_seed():
    assert drift_settings("KSWIN").make().seed == 0
    assert drift_settings("KSWIN:seed=none").make().seed == 0
    assert drift_settings("KSWIN:seed=5").make().seed == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("adwn", r"no drift detector 'adwn' \(did you mean 'adwin'\?\); choose one of ADWIN, .*PageHinkley.*HDDM"),
        ("ADWIN:dleta=1", r"no parameter 'dleta' \(did you mean 'delta'\?\); it has loss, delta"),
        ("ADWIN:delta=x", "delta of the drift detector ADWIN cannot be 'x'; give a number"),
        ("ADWIN:delta", "'delta' given for .* is no key=value"),
        ("ADWIN:delta=0", "delta=0.0 .*give a number from"),
        ("ADWIN:delta=nan", "not a finite number"),
        ("ADWIN:clock=0", "clock=0 .*give a number from 1"),
        ("ADWIN:max_buckets=1", "max_buckets=1 .*give a number from 2"),
        ("ADWIN:max_buckets=4000000000", "max_buckets=4000000000 .*to 1000"),
        ("KSWIN:stat_size=80", "window_size must be twice that"),
        ("KSWIN:window=5", "window of the drift detector KSWIN cannot be '5'"),
        ("FHDDM:sliding_window_size=0", "does not work"),
        ("page-hinkley:mode=sideways", "does not work: Invalid 'mode'"),
        ("HDDM_A:drift_confidence=0", "does not work"),
        ("DDM:loss=avgp", "takes losses that are 0 or 1, and 'avgp' is not; choose one of iserr, oneerr"),
        ("HDDM_W:loss=margin", "takes losses that are 0 or 1"),
    ],
)
def test_impossible_settings_are_refused_at_the_start(text, says):
    with pytest.raises(UsageError, match=says):
        drift_settings(text)


@pytest.mark.parametrize("loss", [name for name, loss in LOSSES.items() if loss.binary])
def test_losses_that_are_0_or_1_can_be_counted(loss):
    assert Drift(drift_settings(f"DDM:loss={loss}"), [], tuple(LOSSES)).loss == loss


def test_a_loss_that_the_run_has_not():
    with pytest.raises(UsageError, match=r"'isserr', which is no loss of this run \(did you mean 'iserr'\?\)"):
        Drift(drift_settings("ADWIN:loss=isserr"), ["it"], tuple(LOSSES))


@pytest.mark.parametrize("text", EVERY)
def test_what_was_saved_continues_to_the_same_bit(text):
    values = wire(5, length=80 if text == SLOW else 2 * LENGTH)
    documents = np.arange(1, len(values) + 1)
    for cut in (0, 3, 39) if text == SLOW else (0, 3, 137, LENGTH, 555):
        one, other = (Drift(drift_settings(text), ["a", "b"], ["iserr"]) for _ in range(2))
        for name in ("a", "b"):
            one.add(name, documents[:cut], values[:cut])
        other.load(carried(one.save()))
        for name in ("a", "b"):
            assert one.add(name, documents[cut:], values[cut:]) == other.add(name, documents[cut:], values[cut:])
        assert equal(one.save(), other.save())


def test_saving_changes_nothing_and_what_is_saved_stays():
    watch = Drift(drift_settings(), ["a"], ["iserr"])
    documents, values = np.arange(1, LENGTH + 1), wire(7)
    watch.add("a", documents[:200], values[:200])
    state = watch.save()
    kept = copy.deepcopy(state)
    watch.add("a", documents[200:], values[200:])
    assert equal(state, kept)
    again = Drift(drift_settings(), ["a"], ["iserr"])
    again.load(state)
    again.add("a", documents[200:], values[200:])
    assert equal(again.save(), watch.save())


def test_after_a_long_quiet_time_only_the_newest_are_stored():
    one, other = (Drift(drift_settings("HDDM_A"), ["a"], ["iserr"]) for _ in range(2))
    documents, values = np.arange(1, 1001), np.repeat([0.0, 1.0], 500)
    assert one.add("a", documents[:500], values[:500]) == []
    assert len(one.save()["learners"]["a"]["tail"]) == 100
    other.load(one.save())
    found = one.add("a", documents[500:], values[500:])
    assert found == other.add("a", documents[500:], values[500:])
    assert found[0].scored < 550


def saved(text="ADWIN", names=("a",)):
    watch = Drift(drift_settings(text), names, tuple(LOSSES))
    for name in names:
        watch.add(name, np.arange(1, LENGTH + 1), wire(8))
    return watch.save()


@pytest.mark.parametrize(
    ("text", "names"), [("PageHinkley", "a"), ("ADWIN:loss=oneerr", "a"), ("ADWIN", "b"), ("ADWIN", "ab")]
)
def test_what_was_saved_of_others_is_refused(text, names):
    with pytest.raises(UsageError, match="another run"):
        Drift(drift_settings(text), names, tuple(LOSSES)).load(saved())


def test_what_was_saved_with_other_parameters_is_refused():
    with pytest.raises(UsageError, match="does not fit its settings"):
        Drift(drift_settings("ADWIN:delta=0.5"), ["a"], tuple(LOSSES)).load(saved())


def stuck():
    """A detector whose compiled part was made with other parameters, with which it cannot continue."""
    made = drift_settings().make()
    made._helper = river.drift.ADWIN(clock=0)._helper
    return made


BROKEN = {
    "nothing": lambda one: one.clear(),
    "no detector": lambda one: one.update(detector={}),
    "a detector that is none": lambda one: one.update(detector=plain.encode(river.stats.Mean())),
    "one that would end the process": lambda one: one.update(detector=plain.encode(stuck())),
    "another detector": lambda one: one.update(detector=saved("PageHinkley")["learners"]["a"]["detector"]),
    "a text for a number": lambda one: one.update(scored="many"),
    "fewer than none": lambda one: one.update(scored=-1),
    "more seen than scored": lambda one: one.update(scored=1),
    "too long a tail": lambda one: one.update(tail=np.zeros(101)),
    "a tail of two dimensions": lambda one: one.update(tail=np.zeros((100, 1))),
    "no tail": lambda one: one.update(tail=None),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_what_is_broken_is_refused_and_changes_nothing(broken):
    state = saved()
    BROKEN[broken](state["learners"]["a"])
    watch = Drift(drift_settings(), ["a"], tuple(LOSSES))
    before = watch.save()
    with pytest.raises(UsageError, match=r"saved .*(broken|not fit)"):
        watch.load(state)
    assert equal(watch.save(), before)


@pytest.mark.parametrize("state", [{}, {"detector": "ADWIN"}, {"detector": "ADWIN", "loss": "iserr", "learners": []}])
def test_what_is_no_state_is_refused(state):
    with pytest.raises(UsageError, match="start without resuming"):
        Drift(drift_settings(), ["a"], ["iserr"]).load(state)


def carried(state):
    """A state as it comes out of a file: plain data, nothing shared."""
    return pickle.loads(pickle.dumps(checked(state)))


def checked(state):
    if isinstance(state, dict):
        assert all(isinstance(key, str) for key in state)
        return {key: checked(value) for key, value in state.items()}
    if isinstance(state, list):
        return [checked(value) for value in state]
    assert isinstance(state, (np.ndarray, str, int, float, bool, type(None))), type(state)
    return state


def equal(one, other):
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(equal(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return one == other or (one != one and other != other)  # noqa: PLR0124


def test_no_warnings_of_kswin():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole(SLOW, wire(9, length=40))

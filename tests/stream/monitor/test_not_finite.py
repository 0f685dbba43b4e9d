"""Scores and losses that are no finite numbers: no crash, no lasting harm, and said once of each learner."""

import math

import numpy as np
import pytest

from telex.learners import BR, MMP
from telex.learners.base import BatchBuilder, Names, Predictions
from telex.learners.losses import LOSSES, Loss, judge
from telex.stream import Run, RunFolder
from telex.stream.run_folder import compare_learners
from telex.testing import RecordingSink

BROKEN = (41, 42, 90)  # documents, from 1


class Sick(BR):
    """Its scores are what ``score`` says for some documents; else it is BR."""

    score = math.nan

    def progress(self, events):
        made = super().progress(events)
        rows = np.isin(made.numbers + 1, BROKEN)
        made.scores[rows] = self.score
        return made


class Wild(Loss):
    """1, but infinite or too large where a label was wrong at the broken documents."""

    name = "wild"
    unit = "value"
    bounded = True

    def of(self, judged):
        return np.where(judged.best == 1, 1.0, np.where(judged.rows % 2, math.inf, -1e300))


def stream(count=120):
    builder = BatchBuilder()
    for i in range(count):
        builder.add({f"w{i % 3}": 1.0, "x": 0.5}, [f"l{i % 3}"] if i % 7 else ["l0", "l1"])
    return builder.take()


def run_of(size, learners, **settings):
    whole, sink = stream(), RecordingSink()
    batches = [whole.rows(at, min(at + size, len(whole))) for at in range(0, len(whole), size)]
    run = Run(batches, learners, sinks=[sink, *settings.pop("sinks", ())], **settings)
    points = list(run)
    return run, sink, points


def judged(scores, labels=(1,)):
    names = Names(["a", "b", "c"])
    builder = BatchBuilder(label_names=names)
    builder.add({}, [names[i] for i in labels])
    batch, scores = builder.take(), np.array([scores], np.float32)
    return judge(Predictions.of_all(scores, scores > 0, batch, names, 0), batch)


def test_a_score_that_is_no_number_ranks_last():
    assert judged([0.5, math.nan, -0.5]).best.tolist() == [3]
    assert judged([0.5, math.nan, -0.5]).not_numbers.tolist() == [0]
    assert judged([math.nan, -9.0, math.nan]).best.tolist() == [1]
    assert judged([math.inf, 1.0, -math.inf]).best.tolist() == [2]
    assert not len(judged([math.inf, 1.0, -math.inf]).not_numbers)


def test_rankings_put_it_last_too():
    names, scores = Names(["a", "b", "c"]), np.array([[math.nan, 0.5, -0.5]], np.float32)
    builder = BatchBuilder()
    builder.add({}, None)
    found = Predictions.of_all(scores, scores > 0, builder.take(), names, 0)
    for top in (1, 2, 3):
        assert [label for label, _ in found.ranking(0, top)] == ["b", "c", "a"][:top]
        assert [label for label, _ in found.rankings(top)[0]] == ["b", "c", "a"][:top]
    assert math.isnan(found.ranking(0)[-1][1])


@pytest.mark.parametrize("size", [1, 7, 120])
def test_it_is_said_once_and_counted(size):
    run, sink, _ = run_of(size, {"sick": Sick(), "mmp": MMP()}, drift="ADWIN", champion="window=20")
    said = [call for call in sink.events if call["event"] == "scores not finite"]
    assert said == [{"event": "scores not finite", "learner": "sick", "document": 41}]
    assert run.summary()["scores_not_finite"] == {"sick": 3}


def test_only_the_broken_documents_are_hurt(tmp_path):
    _, _, sick = run_of(10, {"br": Sick(), "mmp": MMP()}, sinks=[RunFolder(tmp_path / "run")])
    _, _, sound = run_of(10, {"br": BR(), "mmp": MMP()})
    assert sick[-1].learners["mmp"] == sound[-1].learners["mmp"]
    hurt = sick[-1].learners["br"]["iserr"] - sound[-1].learners["br"]["iserr"]
    assert 0 <= hurt <= len(BROKEN) / 119
    [pair] = compare_learners(tmp_path / "run")
    assert math.isfinite(pair.difference)
    assert pair.n == 119  # the first document has no other label yet


def test_infinite_losses_count_as_undefined(tmp_path):
    losses = [LOSSES["iserr"], Wild()]
    learners = {"br": Sick(), "mmp": MMP()}
    run, sink, points = run_of(
        7, learners, losses=losses, drift="ADWIN:loss=wild", champion="loss=wild,window=20",
        sinks=[RunFolder(tmp_path / "run")],
    )  # fmt: skip
    assert all(point.learners[name]["wild"] in (1.0, None) for point in points for name in learners)
    assert run.summary()["scores_not_finite"].keys() == {"br", "mmp"}
    [pair] = compare_learners(tmp_path / "run", "wild")
    assert pair.n < 120
    assert (pair.mean_a, pair.mean_b, pair.difference) == (1.0, 1.0, 0.0)
    assert sum(call["event"] == "scores not finite" for call in sink.events) == 2

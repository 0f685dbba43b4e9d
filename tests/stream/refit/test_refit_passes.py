"""Windows and schedules of event time where the stream is read more than once: refit.py, window.py and schedule.py."""

from itertools import pairwise

import pytest
from batch_models.models import Centroids
from oracles import streams

from telex.learners import BatchBuilder, Events
from telex.stream import Checkpoints, Refit, Run, Sink

HOUR = 3600.0
STREAM = streams.zipf(6, documents=100, labels=5, unlabelled=0.1)
DAY = {"every": "20h", "window": "30h"}


def archive(start=0.0):
    builder = BatchBuilder()
    for i, (x, y) in enumerate(STREAM):
        builder.add(x, y, id=f"d{i}", time=start + i * HOUR)
    batch = builder.take()
    return [batch.rows(i, min(i + 9, len(batch))) for i in range(0, len(batch), 9)]


class Heard(Sink):
    """Counts documents, and stops the run after one of them."""

    def __init__(self, stop_at=None):
        self.stop_at, self.documents = stop_at, 0

    def step(self, result):
        self.documents += len(result.documents) * len(result.predictions)

    def point(self, point):
        if self.stop_at is not None and self.run.documents >= self.stop_at:
            self.run.stop()


def windows(model):
    """The numbers of the documents of each window that is fitted."""
    found = []

    class Noting(Centroids):
        def fit(self, batch):
            found.append([int(one) for one in batch.numbers])
            super().fit(batch)

    model.model = model._controller.model = Noting()
    return found


def test_a_second_pass_is_fitted_as_often_as_the_first():
    model = Refit(Centroids(), **DAY)
    fitted = windows(model)
    list(Run(archive(), {"refit": model}, epochs=3))
    # event time continues from hour 99: a refit every 20 hours, and never a gap as long as a whole pass
    assert len(fitted) == 14
    assert all(len(one) <= 31 for one in fitted)
    assert fitted[4][-1] - fitted[4][0] <= 30


def test_the_first_window_of_a_pass_holds_the_end_of_the_one_before():
    model = Refit(Centroids(), every=7, window="30h")
    fitted = windows(model)
    list(Run(archive(), {"refit": model}, epochs=2))
    across = [one for one in fitted if any(b < a for a, b in pairwise(one))]
    assert across
    for one in across:
        turn = next(i for i, (a, b) in enumerate(pairwise(one), 1) if b < a)
        # the first document of the pass has the time of the newest before it: number 0 is as old as number 99
        assert one[turn - 1] - one[0] + one[-1] < 30
    whole = [one for one in fitted if one not in across]
    assert {max(one) - min(one) for one in whole[-3:]} <= {28, 29}


def test_time_that_jumps_far_back_is_the_same_as_one_that_jumps_a_little():
    said = []
    for start in (0.0, 2.0**40):
        model = Refit(Centroids(), **DAY)
        for _ in range(2):
            for batch in archive(start):
                model.progress(Events(batch))
            model.begin_pass()
        said.append((model.state.refits, model.state.window_documents, model.state.staleness))
    assert said[0] == said[1]


@pytest.mark.parametrize("settings", [DAY, {"every": 13, "window": "50h"}, {"every": "9h", "window": 20}], ids=str)
@pytest.mark.parametrize("at", [60, 100, 130, 240])
def test_resumed_in_any_pass_it_continues_as_if_undisturbed(tmp_path, settings, at):
    def run(sink, folder):
        return Run(
            archive(), {"refit": Refit(Centroids(), **settings)}, epochs=3, points=1, sinks=[sink],
            checkpoints=Checkpoints(tmp_path / folder), checkpoint_every=10**6,
        )  # fmt: skip

    whole = run(Heard(), "whole")
    list(whole)
    heard = Heard(at)
    first = heard.run = run(heard, "cut")
    list(first)
    assert first.documents == at
    second = run(Heard(), "cut")
    second.resume()
    list(second)
    assert second.finished
    assert [part.so_far(second.learners) for part in second.state.sections] == [
        part.so_far(whole.learners) for part in whole.state.sections
    ]
    mine, theirs = second.learners["refit"], whole.learners["refit"]
    assert (mine.state.refits, mine.state.staleness) == (theirs.state.refits, theirs.state.staleness)
    assert mine.save()["window"]["clock"] == theirs.save()["window"]["clock"]
    assert mine.save()["cadence"] == theirs.save()["cadence"]

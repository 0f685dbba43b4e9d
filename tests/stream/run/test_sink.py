"""Which calls a sink gets from a run, and when."""

import threading

import pytest
from oracles.streams import zipf

from telex.learners import MMP, NB
from telex.learners.base import span
from telex.stream import Lateness, Run, Sink
from telex.stream.checkpoints import Checkpoints
from telex.stream.sources import Source
from telex.testing import RecordingSink

STREAM = zipf(5, documents=90, unlabelled=0.15)


def heard(sink):
    """Return the names of the calls between begin and end."""
    return [name for name, _ in sink.calls if name in {"waiting", "working", "step", "point"}]


def run(source, **options):
    sink = RecordingSink()
    made = Run(source, {"mmp": MMP(), "nb": NB()}, sinks=[sink], points=1000, **options)
    return made, sink


def test_a_step_comes_once_all_learners_have_gone_through_it(source_of):
    made, sink = run(source_of(STREAM, [40]))
    list(made)
    assert heard(sink) == ["waiting", "working", "step", "waiting", "working", "step", "waiting", "working", "point"]
    for step in sink.steps:
        assert list(step.predictions) == list(step.judged) == list(step.losses) == list(step.seconds) == ["mmp", "nb"]
        assert {len(own) for own in step.predictions.values()} == {len(step.documents)}
        assert {own.shape for own in step.losses.values()} == {(len(made.settings.losses), len(step.scored))}
        assert (step.answered, step.chosen) == (None, None)


def test_a_source_that_fails_while_it_is_waited_for_leaves_the_run_at_work(source_of):
    def failing():
        yield source_of(STREAM)[0]
        raise OSError("the disk is gone")

    made, sink = run(failing())
    with pytest.raises(OSError, match="the disk is gone"):
        list(made)
    assert heard(sink) == ["waiting", "working", "step", "waiting", "working"]


def test_a_run_that_is_stopped_as_it_begins_to_wait_reads_nothing_more(source_of):
    class Ends(Sink):
        def waiting(self):
            made.stop()

    class Never(Source):
        def __iter__(self):
            yield source_of(STREAM)[0]
            raise AssertionError("read on")

    made, sink = run(Never())
    made.sinks.insert(0, Ends())
    assert list(made) == []
    assert heard(sink) == ["waiting", "working"]


def test_a_run_that_is_broken_off_while_it_stops_does_not_wait_for_a_sink(source_of, tmp_path):
    class Held(Sink):
        steps, came, held, synced = 0, threading.Event(), threading.Event(), False

        def step(self, result):
            self.steps += 1
            if self.steps == 5:
                assert self.came.wait(30)  # a checkpoint is under way
                made.stop()
                raise KeyboardInterrupt

        def sync(self):
            if self.steps:
                self.came.set()
                self.synced = self.held.wait(30)

    sink = Held()
    made = Run(source_of(STREAM, [10] * 9), {"nb": NB()}, sinks=[sink], checkpoints=Checkpoints(tmp_path),
               checkpoint_every=10, points=1000)  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        list(made)
    [writes] = [thread for thread in threading.enumerate() if thread.name == "checkpoint"]
    sink.held.set()
    writes.join()
    assert sink.synced
    assert Checkpoints(tmp_path).numbers() == [0]


def test_passes_that_nobody_watches_tell_how_long_they_took_and_no_more(source_of):
    made, sink = run(source_of(STREAM), epochs=2, test_after="n:60")
    list(made)
    assert [(step.section, step.watched) for step in sink.steps] == [
        ("train", True), ("test", False), ("train", False), ("test", True),
    ]  # fmt: skip
    for step in sink.steps:
        assert list(step.seconds) == ["mmp", "nb"]
        assert bool(step.predictions) == bool(step.losses) == (step.scored is not None) == step.watched
        assert (step.learnt_before is not None) == step.watched


@pytest.mark.parametrize("lateness", [None, "7"])
def test_how_much_was_learnt_before_a_document_can_be_asked_at_any_time(source_of, lateness):
    late = Lateness(after=span("labels-after", lateness)) if lateness else None
    made, sink = run(source_of(STREAM, [40]), lateness=late, test_after="n:70")
    list(made)
    found = [int(one) for step in sink.steps for one in step.learnt_before()]
    wait = int(lateness or 0)
    answered = [labels is not None for _, labels in STREAM[:70]]
    expected = [sum(answered[: max(0, i - wait)]) for i in range(70)] + [sum(answered)] * 20
    assert found == expected

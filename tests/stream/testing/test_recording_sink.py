"""A recording sink records every call of a run."""

import inspect

import pytest

from telex.learners import BR, MMP
from telex.stream import Checkpoints, Run, Sink
from telex.stream.sources import DeadLetter, Features, Story
from telex.testing import ListArchive, RecordingSink

STORIES = [Story(f"d{i}", "gold cup" if i % 2 else "war", labels=["a"] if i % 2 else ["b"]) for i in range(9)]
LETTER = DeadLetter(b"{", "wire.jsonl", 2, 20, "decode", "the line breaks off")
CALLS = [name for name, _ in inspect.getmembers(Sink, callable) if name[0] != "_" and name not in {"save", "load"}]


@pytest.mark.parametrize("name", CALLS)
def test_every_call_is_stored(name):
    sink = RecordingSink()
    count = len(inspect.signature(getattr(Sink, name)).parameters) - 1
    given = tuple(object() for _ in range(count))
    assert getattr(sink, name)(*given) is None
    assert sink.calls == [(name, given)]
    assert sink.of(name) == [given]
    assert sink.of("another") == []


def test_events_by_themselves():
    sink = RecordingSink()
    sink.event({"event": "drift"})
    sink.close()
    assert sink.events == [{"event": "drift"}]


def test_what_a_run_says():
    sink = RecordingSink()
    run = Run(
        Features(ListArchive([*STORIES[:4], LETTER, *STORIES[4:]])), {"mmp": MMP(), "br": BR()}, sinks=[sink], points=3
    )
    points = list(run)
    assert sink.calls[0].name == "begin"
    assert [call.name for call in sink.calls[-2:]] == ["end", "close"]
    assert sink.points == points
    assert sink.dead_letters == [LETTER]
    assert sink.of("end") == [(run.summary(),)]
    assert [name for step in sink.steps for name in step.documents.ids] == [story.id for story in STORIES]


def test_a_method_can_be_overridden():
    class Stopping(RecordingSink):
        def point(self, point):
            super().point(point)
            run.stop()

    sink = Stopping()
    run = Run(Features(ListArchive(STORIES, 1)), {"mmp": MMP()}, sinks=[sink], points=2)
    list(run)
    assert [point.documents for point in sink.points] == [2]


def test_champions_are_chosen_for_each_document():
    sink = RecordingSink()
    learners = {"mmp": MMP(), "br": BR()}
    list(Run(Features(ListArchive(STORIES, 2)), learners, sinks=[sink], champion="window=4,least=1"))
    assert len(sink.champions) == len(STORIES)
    assert {*sink.champions} <= {0, 1}
    list(Run(Features(ListArchive(STORIES, 2)), learners, sinks=[other := RecordingSink()]))
    assert other.champions == []


def test_it_takes_part_in_runs_with_checkpoints(tmp_path):
    sink = RecordingSink()
    checkpoints = Checkpoints(tmp_path)
    list(Run(Features(ListArchive(STORIES, 2)), {"mmp": MMP()}, sinks=[sink], checkpoints=checkpoints))
    assert [number for number, _ in sink.of("checkpointed")] == [1]
    assert len(sink.of("sync")) == len(checkpoints.numbers()) == 2  # for checkpoint 0 too

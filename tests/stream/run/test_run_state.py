"""A run that resumes from a checkpoint.

`commit`, `progress` and `source_reader` are tested here as parts of such a run; `from_checkpoint` by the command, in
tests/adapters/cli/test_resume_from_run.py.
"""

import threading
import time

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.adapters.formats import open_source
from telex.learners import BR, MMP, NB, Last, Prior
from telex.learners.base import BatchBuilder, BrokenRecordError, Span, UsageError, span
from telex.learners.losses import LOSSES
from telex.stream import Checkpoints, Lateness, Run, Sink
from telex.stream.checkpoints import Block
from telex.stream.checkpoints import store as module
from telex.stream.checkpoints.policy import LEAST_LAG
from telex.stream.checkpoints.reader import facts_of
from telex.stream.run import describe
from telex.stream.run.progress import Progress
from telex.stream.run.source_reader import SourceReader
from telex.stream.sources import Archive, DeadLetter, Features, Story, StoryBuilder
from telex.testing import ListArchive

STREAM = zipf(11, documents=120, unlabelled=0.15)
LETTERS = str.maketrans("0123456789", "abcdefghij")
TEXTS = [f"{' '.join(sorted(x))} x{i}".translate(LETTERS) for i, (x, _) in enumerate(STREAM)]


def learners():
    return {"mmp": MMP(penalty="random"), "nb": NB(), "last": Last()}


def rows(size):
    """The documents as features; where a letter is 'read', a dead letter comes."""
    builder, found = BatchBuilder(), []
    for i, (x, y) in enumerate(STREAM):
        builder.add(x, y, id=f"d{i}", time=3600.0 * i)
        if i % size == size - 1:
            found.append(builder.take())
            found += [DeadLetter(b"?", "wire", i, None, "read", "why not")] if i % 3 else []
    return [*found, builder.take()]


class Stable(ListArchive):
    """The documents as texts, with the same dead letters, and a batch of none at the end."""

    def __init__(self, size):
        items = []
        for i, (_, y) in enumerate(STREAM):
            text = TEXTS[i - 7] if i % 11 == 10 else TEXTS[i]
            items.append(Story(f"d{i}", text, time=3600.0 * i, labels=y))
            if i % size == size - 1 and i % 3:
                items.append(DeadLetter(b"?", "wire", i, None, "read", "why not"))
        super().__init__([*items, StoryBuilder().take()], size)


class Letters(Sink):
    """Counts what it hears of, and keeps that."""

    stored_name = "letters"

    def __init__(self):
        self.heard = []

    def dead_letter(self, letter):
        self.heard.append(letter.line)

    def step(self, result):
        for name, predictions in result.predictions.items():
            self.heard += [[name, one, sorted(predictions.set_of(k))] for k, one in enumerate(result.documents.ids)]

    def save(self):
        return {"heard": list(self.heard)}

    def load(self, state):
        self.heard = list(state["heard"])


def plain(value):
    """A state as text, to the bit."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.shape, value.tobytes().hex()]
    if isinstance(value, Block):
        return [value.name, value.stamp, plain(value.arrays)]
    return repr(value)


def left(run):
    """What a run has left, but for the time it took."""
    summary = {name: value for name, value in run.summary().items() if name not in {"seconds", "docs_per_second"}}
    curves = plain(run.curves)
    weights = plain({name: learner.save() for name, learner in run.learners.items()})
    labels = [plain(run.labels(name)) for name in run.learners]
    return {"summary": summary, "curves": curves, "weights": weights, "labels": labels, "heard": run.sinks[0].heard}


SOURCES = {
    "rows": rows,
    "growing": lambda size: Features(Stable(size)),
    "bounded": lambda size: Features(Stable(size), "vocabulary=bounded,size=9", "skip"),
    "fitted": lambda size: Features(Stable(size), "fit=30,terms=20", ahead=True),
    "products": lambda size: Features(Stable(size), "vocabulary=hashed,size=32,products=true"),
}
OPTIONS = {
    "points": st.sampled_from(["geometric", 7]),
    "window": st.sampled_from([5, 1000]),
    "test_after": st.sampled_from([None, "n:80", "id:d55"]),
    "epochs": st.sampled_from([1, 2]),
    "lateness": st.sampled_from([None, Lateness(Span(documents=9), limit=4), Lateness(Span(seconds=30_000.0))]),
}


@settings(max_examples=25, phases=(Phase.explicit, Phase.generate))
@given(
    kind=st.sampled_from(list(SOURCES)),
    size=st.integers(1, 50),
    stops=st.lists(st.integers(0, 130), max_size=4),
    every=st.sampled_from([1, 20, "1h"]),
    options=st.fixed_dictionaries(OPTIONS),
)
def test_a_run_that_was_stopped_comes_to_the_same_end(tmp_path_factory, kind, size, stops, every, options):
    def new(folder, **more):
        return Run(SOURCES[kind](size), learners(), sinks=[Letters()], **options, **more)

    whole = new(None)
    for _ in whole:
        pass
    kept = Checkpoints(tmp_path_factory.mktemp("run"))
    for stop in [*stops, None]:
        run = new(kept, checkpoints=kept, checkpoint_every=every)
        if kept.numbers():
            run.resume()
        begun = run.documents
        if stop == 0:
            run.stop()
        for _ in run:
            if stop is not None and run.documents - begun >= stop:
                run.stop()
    assert left(run) == left(whole)
    again = new(kept, checkpoints=kept)
    again.resume()
    assert list(again) == []
    assert left(again) == left(whole)


@pytest.mark.parametrize("come", [0, 20, 60])
def test_a_run_is_stopped_while_words_are_fitted_ahead(tmp_path, come):
    """``come`` of its documents are there, and no others come before it is stopped."""
    held = threading.Event()

    class Slow(Stable):
        def __iter__(self):
            for number, item in enumerate(super().__iter__()):
                if number * self._size >= come:
                    held.wait(30)
                    return
                yield item

    def new(archive, folder):
        return Run(Features(archive, "fit=50", ahead=True), learners(), sinks=[Letters()],
                   checkpoints=Checkpoints(folder))  # fmt: skip

    whole = new(Stable(10), tmp_path / "whole")
    for _ in whole:
        pass
    run = new(Slow(10), tmp_path / "run")
    timer = threading.Timer(0.3, run.stop)
    timer.start()
    for _ in run:
        pass
    held.set()
    timer.join()
    again = new(Stable(10), tmp_path / "run")
    again.resume()
    for _ in again:
        pass
    assert left(again) == left(whole)


class Stopper(Letters):
    """Stops a run at a call."""

    def __init__(self, at):
        super().__init__()
        self.at, self.run, self.met = at, None, False

    def point(self, point):
        self._hear((point.part, point.epoch, point.documents))

    def dead_letter(self, letter):
        super().dead_letter(letter)
        self._hear(letter.line)

    def _hear(self, what):
        if what == self.at:
            self.met = True
            self.run.stop()


@pytest.mark.parametrize("source", [lambda: rows(10), lambda: Features(Stable(10))], ids=["rows", "texts"])
@pytest.mark.parametrize("at", [("train", 1, 80), ("test", 1, 40), ("train", 2, 80), ("test", 2, 40)])
def test_a_run_that_is_stopped_at_the_end_of_a_part_resumes(tmp_path, source, at):
    def new(sink, **more):
        return Run(source(), learners(), sinks=[sink], epochs=2, test_after="n:80", points=50,
                   lateness=Lateness(Span(documents=9)), **more)  # fmt: skip

    whole = new(Letters())
    for _ in whole:
        pass
    stopper = Stopper(at)
    stopper.run = new(stopper, checkpoints=Checkpoints(tmp_path))
    for _ in stopper.run:
        pass
    assert stopper.met
    again = new(Letters(), checkpoints=Checkpoints(tmp_path))
    again.resume()
    for _ in again:
        pass
    assert plain(again.summary()["epochs"]) == plain(whole.summary()["epochs"])
    assert left(again)["weights"] == left(whole)["weights"]


def test_what_was_saved_is_not_changed_by_what_follows():
    """A thread writes a state while the run continues."""
    run = Run(Features(Stable(10), "vocabulary=bounded,size=9"),
              {**learners(), "br": BR(averaged=True), "p": Prior()},
              lateness=Lateness(span("after", 9)), points=10)  # fmt: skip
    states, source = [], run.source
    for point in run:
        if point.documents in {30, 60}:
            state = {"run": run.state.save(run._reader, run.sinks), "source": [stage.save() for stage in source.stages]}
            states.append((state, plain(state)))
    assert len(states) == 2
    for state, then in states:
        assert plain(state) == then


@pytest.mark.parametrize(
    ("every", "expected"), [(20, [20, 40, 60, 80, 100, 120, 120]), (50, [50, 100, 120]), (500, [120])]
)
def test_checkpoints_come_every_n_documents(tmp_path, every, expected):
    kept, begun = Checkpoints(tmp_path, 100), []
    begin = kept.begin

    def wait_for_it(facts, *rest, **options):
        begun.append(facts["documents"])
        begin(facts, *rest, **options)
        kept.wait()

    kept.begin = wait_for_it
    run = Run(rows(10), {"mmp": MMP()}, checkpoints=kept, checkpoint_every=every)
    assert run.view.checkpoints is kept
    for _ in run:
        pass
    assert begun == [0, *expected]


def test_checkpoints_come_at_intervals_of_time(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    kept, seen = Checkpoints(tmp_path, 100), []
    run = Run(rows(10), {"mmp": MMP()}, checkpoints=kept, checkpoint_every="5m", points=10)
    for point in run:
        now[0] += 100.0
        kept.wait()
        seen.append((point.documents, len(kept.numbers())))
    kept.wait()
    assert [count for _, count in seen] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert kept.numbers() == [0, 1, 2, 3, 4, 5]  # the twelfth was due, and then the end


def test_the_next_checkpoint_is_a_stretch_away(tmp_path):
    def run(**more):
        return Run(rows(10), {"mmp": MMP()}, checkpoints=Checkpoints(tmp_path), checkpoint_every=70, **more)

    for _ in run(limit=80):
        pass
    assert Checkpoints(tmp_path).numbers() == [0, 1, 2]
    again = run(limit=110)
    again.resume()
    for _ in again:
        pass
    assert Checkpoints(tmp_path).numbers() == [1, 2, 3]


def test_the_stream_waits_for_a_slow_disk(tmp_path, monkeypatch):
    """However long a checkpoint takes, the next one is not much further away than two intervals."""
    waits, written = threading.Event(), module.write

    def slow(*arguments):
        assert waits.wait(60)
        waits.clear()
        written(*arguments)

    class Awaited(Checkpoints):
        def begin(self, facts, *rest, **options):
            begun.append(facts["documents"])
            super().begin(facts, *rest, **options)

        def wait(self):
            waits.set()
            super().wait()

    begun = []
    monkeypatch.setattr(module, "write", slow)
    source = [batch for _ in range(20) for batch in rows(10)]
    for _ in Run(source, {"mmp": MMP()}, checkpoints=Awaited(tmp_path), checkpoint_every=20):
        pass
    assert len(begun) > 4
    assert max(np.diff(begun)) <= 20 + LEAST_LAG.documents + 10


# -- what does not resume


def stopped(folder, **options):
    """A run of 40 documents with checkpoints."""
    given = {"learners": {"mmp": MMP(), "nb": NB()}, "limit": 40, **options}
    return Run(rows(10), checkpoints=Checkpoints(folder), **given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 5}, r"another window: it was 1000 and is now 5; give it as it was"),
        ({"points": 9}, r'another points: it was "geometric" and is now 9'),
        ({"epochs": 2}, "another epochs: it was 1 and is now 2"),
        ({"test_after": "n:9"}, "another test-after: it was null"),
        ({"losses": [LOSSES["iserr"]]}, "another losses"),
        ({"lateness": Lateness(Span(documents=3))}, "another labels-after: it was null"),
        ({"learners": {"mmp": MMP()}}, r'another learners: it was \["mmp", "nb"\] and is now \["mmp"\]'),
        ({"learners": {"nb": NB(), "mmp": MMP()}}, "another learners"),
        ({"learners": {"mmp": MMP(seed=4), "nb": NB()}}, "another learner mmp: .*seed"),
        ({"learners": {"mmp": MMP(loss="avgp"), "nb": NB()}}, "another learner mmp: .*avgp"),
        ({"learners": {"mmp": BR(), "nb": NB()}}, 'another learner mmp: .*"br"'),
        ({"limit": 39}, "the limit is 39 documents, but this run has read 40; give a larger one"),
    ],
)
def test_another_setting_is_refused_by_name(tmp_path, options, message):
    for _ in stopped(tmp_path):
        pass
    other = stopped(tmp_path, **options)
    with pytest.raises(UsageError, match=message):
        other.resume()


@pytest.mark.parametrize(
    "state",
    [{}, {"settings": []}, {"n": 1}, {"parts": []}, {"parts": [{"name": "train"}]}, {"learners": {}}, {"reading": None},
     {"learners": {"mmp": {}, "nb": {}}}, {"pointed": "x"}],
)  # fmt: skip
def test_the_state_of_something_else_is_refused(tmp_path, state):
    run = stopped(tmp_path)
    for _ in run:
        pass
    kept = Checkpoints(tmp_path)
    kept.begin({}, {**kept.newest()[1], **state} if state and "n" not in state else state)
    kept.wait()
    with pytest.raises(UsageError):
        stopped(tmp_path).resume()


def test_a_run_without_checkpoints_does_not_resume():
    with pytest.raises(UsageError, match="give it checkpoints"):
        Run(rows(10), {"mmp": MMP()}).resume()


def test_a_learner_that_cannot_be_saved_is_refused_at_once(tmp_path):
    class Forgetful:
        labels = ()

    with pytest.raises(UsageError, match="the learner mine cannot be stored in a checkpoint: it has no save and load"):
        Run(rows(10), {"mine": Forgetful()}, checkpoints=Checkpoints(tmp_path))


def test_what_describes_an_object():
    found = describe({"late": Lateness(Span(documents=2)), "mmp": MMP(seed=3), "n": [1, None]})
    assert found["late"]["after"] == {"kind": "span", "documents": 2, "seconds": None}
    assert (found["mmp"]["kind"], found["mmp"]["seed"], found["n"]) == ("mmp", 3, [1, None])


def test_a_strict_run_is_saved_before_the_record_that_ends_it(source_of, tmp_path):
    """So it is where the source can be read again: mended, it continues with the record itself."""
    kept = Checkpoints(tmp_path / "c")
    documents = zipf(5, documents=40)

    def new(letters, checkpoints):
        return Run(source_of(documents, letters=letters), {"nb": NB()}, strict=True, checkpoints=checkpoints)

    with pytest.raises(BrokenRecordError):
        list(new({23}, kept))
    assert kept.newest()[1]["reading"]["counts"] == [23, 0, 0]
    assert kept.newest()[1]["dead_letters"] == 0
    again = new({23}, kept)
    again.resume()
    with pytest.raises(BrokenRecordError):
        list(again)
    mended, whole = new((), kept), new((), None)
    mended.resume()
    list(mended), list(whole)
    for name, array in whole.learners["nb"].arrays().items():
        assert mended.learners["nb"].arrays()[name].tobytes() == array.tobytes()


def test_a_state_without_the_place_of_its_source_is_refused(tmp_path):
    source = open_source("synthetic:n=40", "synthetic")
    progress, settings = Progress(), Run([], {"mmp": MMP()}).settings
    reading = SourceReader(source, settings, progress, [], checkpointed=True)
    state = {"counts": [3, 0, 0], "source": None}
    with pytest.raises(UsageError, match="does not hold the position of its source"):
        reading.load(state, epoch=1)
    reading.load(state, epoch=1, finished=True)
    assert progress.pass_documents == 3


class Pausing(Archive):
    """A live archive that yields its stories, and then nothing until its end."""

    live = True

    def __init__(self):
        self.over = threading.Event()

    def __iter__(self):
        builder = StoryBuilder()
        for i, (_, y) in enumerate(STREAM[:20]):
            builder.add(Story(f"d{i}", TEXTS[i], labels=y))
        yield builder.take()
        while not self.over.wait(0.01):
            yield builder.take()


def test_what_came_before_a_pause_is_saved_in_it_and_once(tmp_path):
    archive, numbers = Pausing(), []

    class Ending(Sink):
        """Ends the run a while after its first checkpoint."""

        def checkpointed(self, number, place):
            numbers.append(number)
            if number == 1:
                threading.Timer(0.3, archive.over.set).start()

    checkpoints = Checkpoints(tmp_path)
    run = Run(Features(archive), learners(), sinks=[Ending()], checkpoints=checkpoints, checkpoint_every="0.05s")
    list(run)
    assert numbers == [1, 2]  # the second is that of the end
    assert all(facts_of(checkpoints.path(number))["documents"] == 20 for number in numbers)

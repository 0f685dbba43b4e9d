"""Documents that wait: in memory, on disk and in checkpoints, and what it takes to hold them."""

import gc
import os
import random
import sys
from resource import RLIMIT_NOFILE, getrlimit, setrlimit

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import MMP, BatchBuilder
from telex.learners.base import Span, span
from telex.stream import Run
from telex.stream.checkpoints import Block
from telex.stream.checkpoints.reader import read
from telex.stream.checkpoints.writer import write
from telex.stream.delayed_labels import DelayQueue, Lateness
from telex.stream.delayed_labels.pending import PendingDocuments, documents, fill_predictions
from telex.stream.delayed_labels.pending_block import PendingPredictions
from telex.stream.sources import Answers


def news(count):
    builder = BatchBuilder()
    for i, (x, y) in enumerate(zipf(5, documents=count, features=25, labels=6)):
        builder.add(x, y, id=f"d{i}", time=float(i))
    return builder.take()


def told(places):
    """A learner's predictions of documents, over more labels the later they came."""
    width = 1 + max(places) // 20
    known = np.array([1 + place // 20 for place in places], np.int32)
    scores = np.array([[place + column / 64 for column in range(width)] for place in places], np.float32)
    return PendingPredictions(scores, scores % 2 >= 1, known, scores / 1024)


def check(waiting, batch, places):
    """See that what is held at `places` is what was put there."""
    found = waiting.find(np.array(places, np.int64))
    got = documents(found, batch.feature_names, batch.label_names)
    width = 1 + len(batch) // 20
    into = PendingPredictions.zeros(len(places), width, probabilities=True)
    fill_predictions(found, 3, into, np.arange(len(places), dtype=np.int32))
    for row, place in enumerate(places):
        one = batch.rows(place, place + 1)
        entries = [slice(int(b.indptr[r]), int(b.indptr[r + 1])) for b, r in ((got, row), (one, 0))]
        assert got.features[entries[0]].tolist() == one.features[entries[1]].tolist()
        assert got.values[entries[0]].tolist() == one.values[entries[1]].tolist()
        assert (got.ids[row], got.numbers[row]) == (f"d{place}", place)
        then = told([place])
        assert into.known[row] == then.known[0]
        assert into.scores[row, : then.known[0]].tolist() == then.scores[0, : then.known[0]].tolist()
        assert into.relevant[row, : then.known[0]].tolist() == then.relevant[0, : then.known[0]].tolist()
        assert into.probabilities[row].tolist() == (into.scores[row] / 1024).tolist()


@given(seed=st.integers(0, 1_000), limit=st.sampled_from([1, 5, 17, 60, 10_000]))
@settings(max_examples=25, deadline=None)
def test_what_waits_is_what_came(tmp_path_factory, seed, limit):
    rng, batch, waiting, held, place, number = random.Random(seed), news(200), PendingDocuments(limit), set(), 0, 0
    folder, previous = tmp_path_factory.mktemp("kept"), None
    while place < 200:
        count = min(rng.choice([1, 1, 3, 40]), 200 - place)
        places = [p for p in range(place, place + count) if rng.random() < 0.8]
        place += count
        if places:
            rows = batch.rows(places[0], places[-1] + 1)
            if len(places) == len(rows):
                waiting.add(np.array(places), rows, {3: told(places)})
                held |= set(places)
        gone = rng.sample(sorted(held), min(len(held), rng.choice([0, 1, 2, 30])))
        if gone:
            check(waiting, batch, gone)
        waiting.release(gone)
        held -= set(gone)
        assert waiting.memory <= max(limit, 1)
        if rng.random() < 0.1:
            number += 1
            state = waiting.save()
            if rng.random() < 0.5 and held:  # it stores what was there, whatever comes before it is written
                last = sorted(held)[-3:]
                waiting.release(last)
                held -= set(last)
                written = PendingDocuments(limit)
                write(folder / f"{number:06}", {}, state, previous)
                written.load(read(folder / f"{number:06}"))
                check(written, batch, last)
            else:
                write(folder / f"{number:06}", {}, state, previous)
                waiting = PendingDocuments(limit)
                waiting.load(read(folder / f"{number:06}"))
            previous = folder / f"{number:06}"
        if held:
            check(waiting, batch, sorted(held))
    waiting.release(sorted(held))
    assert (waiting.memory, waiting.save()["stretches"]) == (0, [])


def one_at_a_time(delay, count, limit, **lateness):
    """Late answers, a document at a time, up to `count` documents; without learners."""
    batch = BatchBuilder()
    batch.add({"cup": 1.0}, None if lateness else ["war"])
    one = batch.take()
    late = DelayQueue(Lateness(limit=limit, **lateness) if lateness else Lateness(span("after", delay), limit=limit))
    for i in range(count):
        batch.add({"cup": 1.0}, None if lateness else ["war"], id=f"d{i}", time=1.0 * i)
        one = batch.take()
        answers = Answers(np.array([0], np.int32), [f"d{i - delay}"], [["war"]]) if lateness and i >= delay else None
        yield late
        late.take(one, answers).finish()


def calls(steps, count):
    """How many calls of Python functions, and lines of Python, `count` steps take."""
    found = 0

    def trace(*_):
        nonlocal found
        found += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for _ in range(count):
            next(steps)
    finally:
        sys.settrace(before)
    return found


@pytest.mark.parametrize("limit", [100, 100_000], ids=["on disk", "in memory"])
@pytest.mark.parametrize("lateness", [{}, {"by_id": True}], ids=["after documents", "by id"])
def test_what_a_document_takes_does_not_depend_on_how_many_wait(limit, lateness):
    taken = []
    for delay in (1_100, 4_400):
        steps = one_at_a_time(delay, delay + 1_300, limit, **lateness)
        for _ in range(delay + 10):
            next(steps)
        taken.append(calls(steps, 1_100))
    assert taken[1] <= 1.1 * taken[0]


def test_few_files_are_open_however_much_is_on_disk(tmp_path):
    gc.collect()  # files that an earlier test left open are closed now, and not in the middle
    before = len(os.listdir("/proc/self/fd"))
    late = list(one_at_a_time(200, 200, 4))[-1]
    assert len(os.listdir("/proc/self/fd")) == before + 1
    state = late.save()
    blocks = [one["arrays"] for one in state["waiting"]["stretches"]]
    assert len(blocks) == 200
    assert all(isinstance(block, Block) and callable(block.arrays) for block in blocks)
    write(tmp_path / "000001", {}, state)
    limits = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (before + 20, limits[1]))
    try:
        again = DelayQueue(late.lateness)
        again.load(read(tmp_path / "000001"))
    finally:
        setrlimit(RLIMIT_NOFILE, limits)
    assert again.pending == late.pending


def test_neighbours_are_stored_in_one_file_of_a_checkpoint():
    late = list(one_at_a_time(3_000, 3_000, 100_000))[-1]
    assert [one["number"] for one in late.save()["waiting"]["stretches"]] == [0, 1, 2]


class Heard(MMP):
    """Notes how much comes at a time."""

    def progress(self, events):
        self.sizes = [*getattr(self, "sizes", []), len(events.batch)]
        return super().progress(events)


def test_what_is_due_at_the_end_comes_in_pieces():
    builder = BatchBuilder()
    for number in range(3000):
        builder.add({f"t{number % 7}": 1.0}, [f"l{number % 3}"])
    whole, learner = builder.take(), Heard()
    lateness = Lateness(after=Span(documents=3000), by_id=False, limit=100)
    run = Run([whole.rows(start, start + 100) for start in range(0, 3000, 100)], {"mmp": learner}, lateness=lateness)
    for _ in run:
        pass
    assert run.summary()["learners"]["mmp"]["docs"] == 3000
    assert max(learner.sizes) <= 1024

"""Answers that come late: a run against a slow reading of the rules, one document and one answer at a time.

`settings`, `answered`, `id_matcher`, `late_step`, `step_input`, `pending` and `pending_block` are parts of the queue,
and are tested by it.
"""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import BR, MLPP, MMP, NB, BatchBuilder, Last, Prior
from telex.learners.base import Events, Forget, span
from telex.learners.losses import LOSSES, judge
from telex.stream import Run
from telex.stream.delayed_labels.delay_queue import Lateness
from telex.stream.sources import Answers, Arrivals
from telex.testing import RecordingSink

KINDS = {
    "br": BR,
    "mmp": MMP,
    "mlpp": MLPP,
    "nb": NB,
    "prior": Prior,
    "last": Last,
    "averaged": lambda: MMP(averaged=True),
}


def heard(sink, name):
    """The losses of scored documents and the scores of asked ones, in their order."""
    asked = [step.predictions[name] for step in sink.steps]
    losses = [loss for step in sink.steps for loss in LOSSES["hamming"].of(step.judged[name]).tolist()]
    return losses, [p.scores[k, : p.known[k]].tolist() for p in asked for k in range(len(p))]


def documents(seed, count, *, unlabelled=0.1, leaving=0):
    """A batch of `count` documents a minute apart, some of whose features come back as others."""
    rng = random.Random(seed)
    builder = BatchBuilder()
    for i, (x, y) in enumerate(zipf(seed, documents=count, features=25, labels=6, unlabelled=unlabelled)):
        builder.add(x, y, id=f"d{i}", **({} if rng.random() < 0.1 else {"time": 60.0 * i}))
    batch = builder.take()
    if not leaving:
        return batch
    rows = np.sort(np.array([rng.randrange(count) for _ in range(leaving)], np.int32))
    features = np.array([rng.randrange(len(batch.feature_names)) for _ in rows], np.int32)
    return replace(batch, forget=Forget(rows, features))


def cut(batch, sizes):
    start, found = 0, []
    for size in sizes:
        if start < len(batch):
            found.append(batch.rows(start, min(len(batch), start + size)))
            start += size
    return [*found, batch.rows(start, len(batch))] if start < len(batch) else found


def slowly(batch, learner, order, answers=None):
    """Go through `order`, a list of ("ask", row), ("tell", row, labels) and ("correct", row, labels).

    A feature that was forgotten after its document came is not learnt.
    """
    said, losses, scores, gone = {}, [], [], {}
    for step in order:
        row = step[1]
        one = batch.rows(row, row + 1)
        if step[0] == "ask":
            if one.forget:
                gone |= dict.fromkeys(one.forget.features.tolist(), row)
            said[row] = learner.progress(Events(one, np.array([0], np.int32)))
            scores.append(said[row].scores[0, : said[row].known[0]].tolist())
            continue
        span = slice(int(one.indptr[0]), int(one.indptr[1]))
        keep = [gone.get(f, -1) <= row for f in one.features[span].tolist()]
        features, values = one.features[span][keep], one.values[span][keep]
        labels = np.array(batch.label_names.ids(sorted(step[2])), np.int32)
        told = replace(
            one, indptr=np.array([0, len(features)]), features=features, values=values, labels=labels,
            label_indptr=np.array([0, len(labels)]), labelled=np.ones(1, np.bool_), forget=None,
        )  # fmt: skip
        if step[0] == "tell":
            then = replace(said[row], columns=batch.label_names.columns(said[row].labels))
            losses += LOSSES["hamming"].of(judge(then, told)).tolist()
        learner.progress(Events(told, np.array([~0], np.int32)))
    return losses, scores


def after_documents(batch, n):
    order = []
    for row in range(len(batch)):
        order.append(("ask", row))
        if row >= n and batch.labelled[row - n]:
            order.append(("tell", row - n, batch.labels_of(row - n)))
    rest = range(max(0, len(batch) - n), len(batch))
    return order + [("tell", row, batch.labels_of(row)) for row in rest if batch.labelled[row]]


def after_seconds(batch, delay):
    order, due, clock = [], [], -np.inf
    for row in range(len(batch)):
        clock = max(clock, batch.times[row]) if batch.times[row] == batch.times[row] else clock
        while due and due[0][0] <= clock:
            order.append(("tell", *due.pop(0)[1:]))
        order.append(("ask", row))
        if batch.labelled[row]:
            due.append((clock + delay, row, batch.labels_of(row)))
    return order + [("tell", row, labels) for _, row, labels in due]


def same(learner, slow, kind):
    fast, slow = learner.arrays(), slow.arrays()
    if kind == "nb":
        return all(np.allclose(fast[name], slow[name], rtol=1e-4, atol=1e-4) for name in slow)
    return all(np.array_equal(fast[name], slow[name]) for name in slow)


sizes = st.lists(st.integers(1, 40), max_size=12)


@pytest.mark.parametrize("kind", KINDS)
@given(
    seed=st.integers(0, 10_000),
    sizes=sizes,
    delay=st.sampled_from(["1", "7", "100", "1m", "10m", "2h"]),
    leaving=st.sampled_from([0, 30]),
)
@settings(max_examples=12, deadline=None)
def test_a_delayed_stream_is_what_reading_the_rules_slowly_gives(kind, seed, sizes, delay, leaving):
    batch = documents(seed, 80, leaving=leaving)
    sink, learner = RecordingSink(), KINDS[kind]()
    after = span("labels-after", delay)
    list(Run(cut(batch, sizes), {kind: learner}, sinks=[sink], lateness=Lateness(after=after, limit=10)))
    slow = KINDS[kind]()
    order = after_documents(batch, after.documents) if after.documents else after_seconds(batch, after.seconds)
    losses, scores = slowly(batch, slow, order)
    found, asked = heard(sink, kind)
    assert found == losses
    if kind == "nb":
        assert all(np.allclose(a, b, rtol=1e-4, atol=1e-4) for a, b in zip(asked, scores, strict=True))
    else:
        assert asked == scores
    assert same(learner, slow, kind)


@given(seed=st.integers(0, 10_000), sizes=sizes, leaving=st.sampled_from([0, 30]))
@settings(max_examples=10, deadline=None)
def test_answers_by_id_come_where_they_come(seed, sizes, leaving):
    rng = random.Random(seed)
    batch = documents(seed, 60, unlabelled=0.6, leaving=leaving)
    names = ["CCAT", "GCAT", "war", "new"]
    # Each answer: before which row, about which row, which labels; some before their document, some twice, some never.
    told = sorted(
        ((rng.randrange(61), rng.randrange(70), sorted(rng.sample(names, rng.randrange(3)))) for _ in range(70)),
        key=lambda one: one[0],
    )
    expire, correct = rng.choice([5, 20, 1000]), rng.choice([None, 3, 1000])
    lateness = Lateness(
        by_id=True, limit=7, expire=expire, correct=None if correct is None else span("correct", correct)
    )
    sink, learner = RecordingSink(), MMP()
    source, at = [], 0
    for piece in cut(batch, sizes):
        inside = [one for one in told if at <= one[0] < at + len(piece) or (one[0] == 60 == at + len(piece))]
        answers = Answers(
            np.array([one[0] - at for one in inside], np.int32),
            [f"d{one[1]}" for one in inside],
            [one[2] for one in inside],
        )
        source.append(Arrivals(piece, answers))
        at += len(piece)
    run = Run(source, {"mmp": learner}, sinks=[sink], lateness=lateness)
    list(run)
    order, counts = by_id(batch, told, expire, correct, remembered=7)
    slow = MMP()
    losses, scores = slowly(batch, slow, order)
    assert heard(sink, "mmp") == (losses, scores)
    assert same(learner, slow, "mmp")
    summary = run.summary()
    assert {name: summary[name] for name in counts} == counts


def by_id(batch, told, expire, correct, remembered):
    """The rules for answers by id, read slowly."""
    order, waiting, early, answered, over = [], {}, {}, {}, []
    counts = dict.fromkeys(["expired", "unclaimed", "corrections", "already_answered", "too_late"], 0)

    def end(name, what):
        over.append((name, what))
        del over[:-remembered]

    def expired(now):
        for name in [name for name, row in waiting.items() if row < now - expire]:
            del waiting[name]
            counts["expired"] += 1
            end(name, "too_late")
        for name in [name for name, (_, then) in early.items() if then < now - expire]:
            del early[name]
            counts["unclaimed"] += 1
        for old in [old for old, (_, _, then) in answered.items() if now - then > (correct or 0)]:
            del answered[old]
            end(old, "too_late")

    def tell(row, labels, now):
        order.append(("tell", row, labels))
        if correct is None:
            end(f"d{row}", "already_answered")
        else:
            answered[f"d{row}"] = row, labels, now

    def hear(about, labels, now):
        name = f"d{about}"
        expired(now)
        if name in waiting:
            tell(waiting.pop(name), labels, now)
        elif name in answered:
            row, before, then = answered[name]
            if before != labels:
                answered[name] = row, labels, then
                order.append(("correct", row, labels))
                counts["corrections"] += 1
            else:
                counts["already_answered"] += 1
        elif name in dict(over):
            counts[dict(over)[name]] += 1
        else:
            early[name] = labels, now

    for row in range(len(batch)):
        for _, about, labels in [one for one in told if one[0] == row]:
            hear(about, labels, row)
        expired(row + 1)
        order.append(("ask", row))
        over[:] = [one for one in over if one[0] != f"d{row}"]
        if f"d{row}" in early:
            tell(row, early.pop(f"d{row}")[0], row + 1)
        elif batch.labelled[row]:
            tell(row, batch.labels_of(row), row + 1)
        else:
            waiting[f"d{row}"] = row
    for _, about, labels in [one for one in told if one[0] == len(batch)]:
        hear(about, labels, len(batch))
    expired(10**9)
    return order, counts


def test_no_delay_is_the_stream_as_ever():
    batch = documents(3, 200)
    now, late = {"mmp": MMP(), "nb": NB()}, {"mmp": MMP(), "nb": NB()}
    first, second = Run([batch], now), Run([batch], late, lateness=Lateness(by_id=True))
    assert list(first) == list(second)
    assert first.summary()["learners"] == second.summary()["learners"]
    assert first.summary()["unlabelled"] == second.summary()["unlabelled"]
    assert all(same(now[name], late[name], name) for name in now)


def test_what_waits_is_told_while_the_run_goes():
    batch = documents(3, 100, unlabelled=0)
    run = Run([batch], {"mmp": MMP()}, points=10, lateness=Lateness(after=span("labels-after", 25)))
    pending = [run.summary()["pending"] for point in run if point.documents < 100]
    assert pending == [10, 20, 25, 25, 25, 25, 25, 25, 25]
    assert run.summary()["pending"] == 0
    assert run.summary()["unlabelled"] == 0
    assert run.summary()["learners"]["mmp"]["docs"] == 100


def test_answers_that_came_early_are_there_for_the_test_part_and_documents_wait_within_their_part():
    batch = replace(documents(3, 10, unlabelled=1), labelled=np.zeros(10, np.bool_))
    answers = Answers(np.array([0, 3, 7], np.int32), ["d7", "d1", "d2"], [["war"], ["war"], ["war"]])
    run = Run([Arrivals(batch, answers)], {"mmp": MMP()}, test_after="n:5", lateness=Lateness(by_id=True))
    list(run)
    summary = run.summary()
    assert summary["learners"]["mmp"]["docs"] == 1
    assert summary["test"]["mmp"]["docs"] == 1
    assert (summary["expired"], summary["too_late"], summary["unclaimed"], summary["unlabelled"]) == (8, 1, 0, 8)


def test_of_two_documents_with_one_id_the_newer_waits():
    builder = BatchBuilder()
    for _ in range(2):
        builder.add({"cup": 1.0}, None, id="7")
    answers = Answers(np.array([2], np.int32), ["7"], [["sport"]])
    run = Run([Arrivals(builder.take(), answers)], {"mmp": MMP()}, lateness=Lateness(by_id=True))
    list(run)
    assert (run.summary()["replaced"], run.summary()["learners"]["mmp"]["docs"]) == (1, 1)

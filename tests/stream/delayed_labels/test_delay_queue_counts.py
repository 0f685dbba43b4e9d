"""What becomes of answers and documents that do not meet as they should."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from telex.learners import BatchBuilder, Last
from telex.learners.base import UsageError, span
from telex.stream import Run
from telex.stream.curves import label_table
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Answers, Arrivals

COUNTS = ("expired", "unclaimed", "corrections", "already_answered", "too_late")


def documents(count, labels=None, **more):
    builder = BatchBuilder()
    for i in range(count):
        builder.add({"cup": 1.0}, labels, id=f"d{i}", **{name: value(i) for name, value in more.items()})
    return builder.take()


def counts(batch, told, **lateness):
    """Run with the answers `told`, (before which row, about which document, label); return counts but those of 0."""
    rows = np.array([row for row, _, _ in told], np.int32)
    answers = Answers(rows, [f"d{about}" for _, about, _ in told], [[label] for _, _, label in told])
    run = Run([Arrivals(batch, answers)], {"last": Last()}, lateness=Lateness(by_id=True, **lateness))
    list(run)
    return {name: run.summary()[name] for name in COUNTS if run.summary()[name]}


def test_only_an_answer_whose_document_never_came_is_unclaimed():
    batch = documents(3, ["sport"])
    assert counts(batch, [(1, 0, "war"), (2, 0, "war"), (2, 77, "war")]) == {"already_answered": 2, "unclaimed": 1}


def test_an_answer_behind_the_time_for_corrections_is_too_late():
    told = [(1, 0, "war"), (2, 0, "sport"), (2, 0, "sport"), (9, 0, "war")]
    expected = {"corrections": 1, "already_answered": 1, "too_late": 1, "expired": 9}
    assert counts(documents(10), told, correct=span("correct", "3")) == expected


def test_an_answer_about_a_document_that_expired_is_too_late():
    assert counts(documents(10), [(9, 0, "war")], expire=5) == {"expired": 10, "too_late": 1}


def test_as_many_ids_are_remembered_as_documents_may_be_in_memory():
    batch = documents(10, ["sport"])
    told = [(10, about, "war") for about in range(10)]
    assert counts(batch, told, limit=4) == {"unclaimed": 6, "already_answered": 4}


def test_each_pass_has_its_own_memory():
    batch = documents(3)
    answers = Answers(np.array([0], np.int32), ["d1"], [["war"]])
    run = Run([Arrivals(batch, answers)], {"last": Last()}, epochs=2, lateness=Lateness(by_id=True))
    list(run)
    assert (run.summary()["unclaimed"], run.summary()["too_late"]) == (0, 0)
    assert run.state.section.answered == 1


def test_labels_of_documents_before_the_first_time_come_at_once_and_are_counted():
    batch = documents(10, ["war"], time=lambda i: np.nan if i < 4 else 60.0 * i)
    run = Run([batch], {"last": Last()}, points=1, lateness=Lateness(after=span("labels-after", "3m")))
    pending = [run.summary()["pending"] for point in run if point.documents < 10]
    assert pending == [1, 1, 1, 1, 1, 2, 3, 3, 3]
    assert run.summary()["timeless"] == 4


@pytest.mark.parametrize("count", [5, 1_000])
@pytest.mark.parametrize(
    "lateness",
    [Lateness(after=span("labels-after", "30h")), Lateness(by_id=True, correct=span("correct-within", "2h"))],
    ids=["labels-after", "correct-within"],
)
def test_a_time_is_refused_where_no_document_has_one(count, lateness):
    batch = documents(count if count < 1_000 else 1_500, ["war"], time=lambda i: np.nan if i < 1_000 else 1.0)
    run = Run([batch], {"last": Last()}, lateness=lateness)
    with pytest.raises(UsageError, match=rf"is a time, but {count:,} documents have come and none has one; give a num"):
        list(run)


def test_no_document_is_no_document_without_a_time():
    batch = documents(3, ["war"])
    run = Run([batch.rows(0, 0)], {"last": Last()}, lateness=Lateness(after=span("labels-after", "30h")))
    list(run)
    assert run.summary()["documents"] == 0


def test_a_stream_with_times_is_not_refused_in_a_later_pass():
    batch = documents(1_500, ["war"], time=lambda i: np.nan if i < 900 else 1.0 * i)
    run = Run([batch], {"last": Last()}, epochs=2, lateness=Lateness(after=span("labels-after", "30s")))
    list(run)
    assert run.summary()["timeless"] == 1_800


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"after": span("labels-after", 5), "expire": 7}, "expire-after is for answers from a file"),
        ({"after": span("labels-after", "2h"), "expire": 7}, "expire-after is for answers from a file"),
        ({"after": span("labels-after", 5), "correct": span("correct", 3)}, "correct-within is for answers from"),
        ({"after": span("labels-after", 5), "by_id": True}, "give one of the two"),
        ({"limit": 0}, "pending-limit must be at least 1"),
        ({"by_id": True, "expire": 0}, "expire-after must be at least 1"),
    ],
)
def test_settings_that_change_nothing_are_refused(wrong, said):
    with pytest.raises(UsageError, match=said):
        Lateness(**wrong)


def test_counts_are_stored_with_the_run():
    batch = documents(6, ["war"])
    answers = Answers(np.array([3, 3], np.int32), ["d0", "d70"], [["x"], ["y"]])
    run = Run([Arrivals(replace(batch), answers)], {"last": Last()}, lateness=Lateness(by_id=True))
    run.state.delay_queue.take(batch, answers)
    again = Run([batch], {"last": Last()}, lateness=Lateness(by_id=True))
    state = run.state.delay_queue.save()
    state["waiting"] = {**state["waiting"], "stretches": []}
    again.state.delay_queue.load(state)
    again.state.delay_queue.take(batch.rows(0, 0), Answers(np.array([0, 0], np.int32), ["d1", "d70"], [["x"], ["y"]]))
    assert again.state.delay_queue.counts["already_answered"] == 2


@pytest.mark.parametrize("cuts", [[], [3, 4], [1, 2, 3, 4]])
def test_a_label_is_first_seen_at_the_first_document_that_has_it_whenever_that_is_told(cuts):
    batch = documents(5)
    told = [(3, "d2", "war"), (4, "d1", "war"), (5, "d0", "cup"), (5, "d4", "war")]
    pieces = []
    for start, stop in pairwise([0, *cuts, 5]):
        some = [one for one in told if start < one[0] <= stop]
        rows = np.array([row - start for row, _, _ in some], np.int32)
        answers = Answers(rows, [name for _, name, _ in some], [[label] for _, _, label in some])
        pieces.append(Arrivals(batch.rows(start, stop), answers))
    run = Run(pieces, {"last": Last()}, lateness=Lateness(by_id=True))
    list(run)
    table = label_table(run.state.section, run.state.section.curves["last"])
    assert dict(zip(table["label"], table["first_seen"].tolist(), strict=True)) == {"war": 2, "cup": 1}

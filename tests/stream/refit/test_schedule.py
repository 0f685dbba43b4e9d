"""When a refit is due."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import Span, UsageError
from telex.stream.refit.schedule import RefitSchedule

NAN = float("nan")


def dues(every, after, times, cuts):
    """After which documents it was time, when they are looked at in pieces."""
    schedule, found, start = RefitSchedule(every, after), [], 0
    for end in [*sorted(cuts), len(times)]:
        piece = np.array(times[start:end], float)
        while len(piece):
            due = schedule.until_due(piece)
            now = piece if due is None else piece[:due]
            schedule.count_answers(now)
            start += len(now)
            assert schedule.due == (due is not None)
            if due is not None:
                found.append(start)
                schedule.restart()
            piece = piece[len(now) :]
    return found


def test_documents():
    assert dues(Span(3), Span(5), [NAN] * 15, []) == [5, 8, 11, 14]


def test_event_time():
    times = [NAN, 100, 105, 90, NAN, 111, 112, 150, 159, 160, 161]
    assert dues(Span(seconds=10), Span(seconds=10), times, []) == [6, 8, 10]


def test_one_unit_first_and_another_after():
    assert dues(Span(seconds=10), Span(2), [0, 1, 5, 11, 12, 30], []) == [2, 4, 6]


def test_nothing_moves_a_clock_without_times():
    assert dues(Span(seconds=1), Span(seconds=1), [NAN] * 9, []) == []


@given(
    st.lists(st.one_of(st.just(NAN), st.integers(0, 60)), max_size=40),
    st.lists(st.integers(0, 40), max_size=5),
    st.sampled_from([Span(4), Span(seconds=9)]),
    st.sampled_from([Span(3), Span(seconds=5)]),
)
def test_pieces_do_not_matter(times, cuts, every, after):
    cuts = [min(cut, len(times)) for cut in cuts]
    assert dues(every, after, times, cuts) == dues(every, after, times, range(len(times)))


def test_what_is_due_stays_due():
    schedule = RefitSchedule(Span(2), Span(2))
    schedule.count_answers(np.zeros(5))
    assert schedule.due
    assert schedule.until_due(np.zeros(3)) is None
    schedule.count_answers(np.zeros(3))
    assert schedule.due
    schedule.restart()
    assert not schedule.due


@given(
    st.lists(st.one_of(st.just(NAN), st.integers(0, 60)), max_size=40),
    st.integers(0, 40),
    st.sampled_from([Span(4), Span(seconds=9), None]),
    st.sampled_from([Span(3), Span(seconds=5)]),
)
def test_saved_and_loaded_it_counts_on(times, cut, every, after):
    def follow(schedule, times):
        found = []
        for time in times:
            schedule.count_answers(np.array([time], float))
            found.append(schedule.due)
            if schedule.due:
                schedule.restart()
        return found

    whole, first, second = (RefitSchedule(every, after) for _ in range(3))
    expected, said = follow(whole, times), follow(first, times[:cut])
    second.load(first.save())
    assert said + follow(second, times[cut:]) == expected


def test_without_every_it_is_due_once_and_again_on_request():
    schedule = RefitSchedule(None, Span(2))
    schedule.count_answers(np.zeros(2))
    assert schedule.due
    schedule.restart()
    schedule.count_answers(np.zeros(9))
    assert not schedule.due
    assert schedule.until_due(np.zeros(9)) is None
    schedule.restart(first=True)
    assert schedule.until_due(np.zeros(9)) == 2


def test_a_time_that_no_document_has_is_not_waited_for():
    nothing = np.full(600, np.nan)
    schedule = RefitSchedule(Span(seconds=60.0), Span(seconds=60.0))
    schedule.count_answers(nothing)
    with pytest.raises(UsageError, match=r"1,200 documents have come and none has a time; give every=5000"):
        schedule.count_answers(nothing)
    late = RefitSchedule(Span(seconds=60.0), Span(seconds=60.0))
    late.count_answers(nothing)
    late.count_answers(np.array([5.0]))
    late.count_answers(nothing)
    assert not late.due

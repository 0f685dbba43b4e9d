"""The order of records, against a merge that looks at one record at a time.

Covers partition_queue too.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.kafka.consume.merge import TimestampMerge
from telex.adapters.kafka.fake import poll_result
from telex.learners.base import UsageError

PARTITIONS = [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


@st.composite
def logs(draw):
    """Some partitions with (offset, timestamp) records: offsets have gaps, timestamps ties, and go backwards."""
    chosen = draw(st.lists(st.sampled_from(PARTITIONS), min_size=1, unique=True))
    found = {}
    for one in chosen:
        times = draw(st.lists(st.integers(-1, 6), max_size=12))
        offset, rows = 0, []
        for time in times:
            offset += draw(st.sampled_from([1, 1, 1, 3]))
            rows.append((offset, time))
        found[one] = rows
    return found


@st.composite
def cut_logs(draw):
    """Logs, and the frames in which they may come."""
    whole = draw(logs())
    left = {one: deque(rows) for one, rows in whole.items()}
    frames = []
    while any(left.values()):
        one = draw(st.sampled_from([one for one, rows in left.items() if rows]))
        rows = [left[one].popleft() for _ in range(draw(st.integers(1, len(left[one]))))]
        frames.append({one: rows})
        if draw(st.booleans()) and len(frames) > 1:  # several partitions in one poll
            last = frames.pop()
            if not frames[-1].keys() & last.keys():
                frames[-1] |= last
            else:
                frames.append(last)
    return whole, frames


def ends_of(whole):
    return {one: rows[-1][0] + 1 if rows else 0 for one, rows in whole.items()}


def head_by_head(whole):
    """Kafka Streams' rule: of the first records of all partitions the one with the smallest timestamp."""
    left = {one: deque(enumerate(rows)) for one, rows in whole.items() if rows}
    taken = []
    while left:
        one = min(left, key=lambda one: (left[one][0][1][1], one))
        taken.append((one, left[one].popleft()[0]))
        if not left[one]:
            del left[one]
    return taken


def told(positions, rows, ends, **more):
    for one, records in rows.items():
        positions[one] = records[-1][0] + 1
    return poll_result(rows, positions=positions, ends=ends, **more)


def named(merging, taken):
    return [(merging.partitions[index], row) for index, row in zip(*map(np.ndarray.tolist, taken[:2]), strict=True)]


@given(cut_logs(), st.integers(1, 5))
def test_until_the_end_the_order_is_that_of_the_heads_whatever_the_frames(cut, most):
    whole, frames = cut
    ends, positions = ends_of(whole), dict.fromkeys(whole, 0)
    merging, order = TimestampMerge(until_end=True), []
    merging.assign(poll_result({}, positions=positions, ends=ends))
    for rows in frames:
        merging.add(told(positions, rows, ends))
        order += named(merging, merging.take(most))
    while len((found := merging.take(most)).rows):
        assert len(found.rows) <= most
        order += named(merging, found)
    assert order == head_by_head(whole)
    assert merging.ended
    assert merging.late == 0


@given(cut_logs())
def test_nothing_is_taken_before_all_others_have_one_or_are_at_their_end(cut):
    whole, frames = cut
    ends, positions = ends_of(whole), dict.fromkeys(whole, 0)
    merging, count = TimestampMerge(until_end=True), 0
    merging.assign(poll_result({}, positions=positions, ends=ends))
    came = dict.fromkeys(whole, 0)
    for rows in frames:
        for one, records in rows.items():
            came[one] += len(records)
        merging.add(told(positions, rows, ends))
        count += len(merging.take().rows)
        # As many as a reader of heads could take: up to the first that needs a head that has not come.
        expected, used = 0, dict.fromkeys(whole, 0)
        for one, _ in head_by_head(whole):
            if any(came[other] == used[other] < len(whole[other]) for other in whole):
                break
            used[one] += 1
            expected += 1
        assert count == expected


@given(cut_logs(), st.data())
def test_a_merging_that_continues_at_a_place_takes_the_rest_in_the_same_order(cut, data):
    whole, frames = cut
    ends, positions = ends_of(whole), dict.fromkeys(whole, 0)
    merging, order = TimestampMerge(until_end=True), []
    merging.assign(poll_result({}, positions=positions, ends=ends))
    for rows in frames[: data.draw(st.integers(0, len(frames)))]:
        merging.add(told(positions, rows, ends))
        order += named(merging, merging.take(data.draw(st.integers(1, 4))))
    place = merging.place()
    again = TimestampMerge(until_end=True)
    again.load(place)
    rest = {one: [row for row in rows if row[0] >= place[one[0]][str(one[1])][0]] for one, rows in whole.items()}
    gone = {one: len(rows) - len(rest[one]) for one, rows in whole.items()}
    starts = {(topic, int(number)): at[0] for topic, numbers in place.items() for number, at in numbers.items()}
    again.assign(
        poll_result({}, positions=starts, ends={one: end + 5 for one, end in ends.items()})
    )  # records came meanwhile
    behind = {one: [*rows, (ends[one], 0), (ends[one] + 1, 0)] for one, rows in rest.items()}
    again.add(told(starts, behind, ends))
    order += [(one, row + gone[one]) for one, row in named(again, again.take())]
    assert order == head_by_head(whole)
    assert again.ended
    assert all(at[2] == ends[topic, int(n)] for topic, numbers in again.place().items() for n, at in numbers.items())


@given(cut_logs())
def test_on_a_live_wire_each_record_is_taken_when_it_comes(cut):
    whole, frames = cut
    positions = dict.fromkeys(whole, 0)
    merging, order, late, newest = TimestampMerge(), [], 0, (-9, ("", 0))
    merging.assign(poll_result({}, positions=positions))
    largest = dict.fromkeys(whole, -9)
    for rows in frames:
        merging.add(told(positions, rows, {}))
        expected = []
        for one in sorted(rows):
            for _, time in rows[one]:
                largest[one] = max(largest[one], time)
                expected.append((largest[one], one))
        found = named(merging, merging.take())
        assert [one for one, _ in found] == [one for _, one in sorted(expected)]
        late += sum(key < newest for key in expected)
        newest = max([newest, *expected])
        order += found
    assert {one: [row for other, row in order if other == one] for one in whole} == {
        one: list(range(len(rows))) for one, rows in whole.items()
    }
    assert merging.late == late


def test_a_partition_that_may_have_more_keeps_the_others_waiting():
    ends = {("a", 0): 1, ("b", 0): 9}
    merging = TimestampMerge()
    merging.assign(poll_result({}, ends=ends))
    merging.add(poll_result({("a", 0): [(0, 100)]}, positions={("b", 0): 0}, ends=ends))
    assert len(merging.take().rows) == 0
    merging.add(poll_result({}, positions={("a", 0): 1, ("b", 0): 9}, ends=ends))
    assert len(merging.take().rows) == 1


def test_a_partition_at_its_end_is_waited_for_as_long_as_was_asked_for():
    merging = TimestampMerge(max_idle=5.0)
    merging.assign(poll_result({("a", 0): [], ("b", 0): []}))
    merging.add(poll_result({("a", 0): [(0, 100)], ("b", 0): [(0, 100)]}, time=50.0))
    assert len(merging.take(now=50.0).rows) == 1  # behind a's first there may be one before b's
    assert len(merging.take(now=54.9).rows) == 0
    assert len(merging.take(now=55.0).rows) == 1


def test_an_empty_partition_is_not_waited_for():
    merging = TimestampMerge(max_idle=5.0)
    merging.assign(poll_result({("a", 0): [], ("b", 0): []}))
    merging.add(poll_result({("a", 0): [(0, 100)]}, positions={("b", 0): 0}, time=50.0))
    assert len(merging.take(now=50.0).rows) == 1


def test_a_revoked_partition_is_not_waited_for_but_what_came_of_it_is_taken():
    ends = {("a", 0): 9, ("b", 0): 9}
    merging = TimestampMerge()
    merging.assign(poll_result({}, ends=ends))
    merging.add(poll_result({("a", 0): [(0, 1), (1, 7)], ("b", 0): [(0, 3)]}, ends=ends))
    assert named(merging, merging.take()) == [(("a", 0), 0), (("b", 0), 0)]
    merging.revoke([("b", 0)])
    assert named(merging, merging.take()) == [(("a", 0), 1)]
    assert merging.waiting == 0


def test_until_the_end_a_revoked_partition_is_waited_for():
    ends = {("w", 0): 1, ("w", 1): 1000}
    merging = TimestampMerge(until_end=True)
    merging.assign(poll_result({}, ends=ends))
    merging.add(poll_result({("w", 0): [(0, 5)]}, positions={("w", 1): 0}, ends=ends))
    merging.revoke([("w", 1)])
    assert named(merging, merging.take()) == []  # it may have an earlier one
    assert not merging.ended
    merging.assign(poll_result({}, positions={("w", 0): 1, ("w", 1): 0}, ends=ends))
    merging.add(poll_result({("w", 1): [(0, 4), (999, 6)]}, positions={("w", 0): 1}, ends=ends))
    assert named(merging, merging.take()) == [(("w", 1), 0), (("w", 0), 0), (("w", 1), 1)]
    assert merging.ended


def test_until_the_end_a_partition_that_is_read_whole_may_go():
    ends = {("w", 0): 1, ("w", 1): 1}
    merging = TimestampMerge(until_end=True)
    merging.assign(poll_result({}, ends=ends))
    merging.add(poll_result({("w", 0): [(0, 5)], ("w", 1): [(0, 6)]}, ends=ends))
    merging.revoke([("w", 1)])
    assert named(merging, merging.take()) == [(("w", 0), 0), (("w", 1), 0)]
    assert merging.ended


def test_a_partition_that_appears_until_the_end_is_another_runs():
    merging = TimestampMerge(until_end=True)
    merging.assign(poll_result({}, ends={("a", 0): 1}))
    merging.assign(poll_result({}, positions={("a", 0): 0, ("a", 1): 0}, ends={("a", 0): 1, ("a", 1): 4}))
    merging.add(poll_result({("a", 0): [(0, 5)], ("a", 1): [(0, 1), (1, 1)]}))
    assert named(merging, merging.take()) == [(("a", 0), 0)]
    assert merging.ended


def test_a_partition_that_appears_on_a_live_wire_is_waited_for():
    merging = TimestampMerge()
    merging.assign(poll_result({("b", 0): []}))
    merging.add(poll_result({("b", 0): [(0, 5)]}))
    assert len(merging.take().rows) == 1
    merging.assign(poll_result({("a", 0): [], ("b", 0): []}, positions={("b", 0): 1}))
    merging.add(poll_result({("a", 0): [(0, 4), (1, 6)], ("b", 0): [(1, 6)]}))
    assert named(merging, merging.take()) == [(("a", 0), 0), (("a", 0), 1), (("b", 0), 1)]
    assert merging.late == 1


def test_the_place_is_behind_marks_of_transactions_when_all_is_taken():
    merging = TimestampMerge()
    merging.assign(poll_result({}, ends={("a", 0): 9}))
    merging.add(poll_result({("a", 0): [(0, 1), (1, 2)]}, positions={("a", 0): 5}))
    assert merging.place() == {"a": {"0": [0, None, None]}}
    merging.take(1)
    assert merging.place() == {"a": {"0": [1, 1, None]}}
    merging.take()
    assert merging.place() == {"a": {"0": [5, 2, None]}}


@pytest.mark.parametrize(
    "place",
    [
        {"a": {"0": [1, 2]}},
        {"a": {"x": [1, 2, None]}},
        {"a": [1]},
        ["a"],
        {"a": {"0": ["x", 1, None]}},
        {"a": {"0": 1}},
    ],
)
def test_what_is_no_place_is_refused(place):
    with pytest.raises(UsageError, match="not a place in topics"):
        TimestampMerge().load(place)


def test_a_place_of_the_other_kind_of_run_is_refused():
    with pytest.raises(UsageError, match="resume it with --until-end"):
        TimestampMerge().load({"a": {"0": [1, 2, 3]}})
    with pytest.raises(UsageError, match="resume it without"):
        TimestampMerge(until_end=True).load({"a": {"0": [1, 2, None]}})

"""A recorded order is taken again, whatever the fetches and the timestamps.

Covers recorded_partition too.
"""

import json
import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from topics.scripted import ANSWERS, DOCS, flat, live_script, logs, same_times, script, until_quiet

from telex.adapters.kafka.consume import Order, OrderFile, TopicWire
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.consume.merge import TimestampMerge
from telex.adapters.kafka.consume.positions import RecordOffsets, positions_of
from telex.adapters.kafka.consume.recorded_merge import RecordedMerge
from telex.adapters.kafka.fake import FakeFetcher, poll_result
from telex.learners import MMP
from telex.learners.base import StoppedError, UsageError
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Features

TOPICS = (DOCS, ANSWERS)


def lived(found, draw, path, limit=None):
    """Read a live wire, and keep the order; return what came."""
    order = OrderFile(path, TOPICS)
    one = TopicWire(FakeFetcher(live_script(found, draw)), RecordDecoder(ANSWERS), order=order)
    order.begin(None)
    told = flat(islice(until_quiet(one), limit))
    one.place(len(told))
    order.close()
    return told


def firsts_of(order):
    """Return where the order begins in each partition."""
    found = {}
    for topic, number, offset, _ in order.rows(0, len(order)).tolist():
        found.setdefault((order.topics[topic], number), offset)
    return found


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30), st.none() | st.integers(1, 40))
def test_all_comes_in_the_order_in_which_it_was_taken(tmp_path_factory, seed, cuts, limit):
    found, draw = logs(seed), random.Random(cuts)
    path = tmp_path_factory.mktemp("run") / "order.bin"
    whole = lived(found, draw, path, limit)
    order = Order(path)
    assert len(order) == len(whole)
    fetching = FakeFetcher(script(found, draw, firsts_of(order)), behind=draw.random() < 0.5)
    again = TopicWire(fetching, RecordDecoder(ANSWERS), order_of=order)
    assert not again.live
    assert same_times(flat(again)) == same_times(whole)
    assert again.fetching.place == firsts_of(order)


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30))
def test_another_resumes_in_the_midst(tmp_path_factory, seed, cuts):
    found, draw = logs(seed), random.Random(cuts)
    path = tmp_path_factory.mktemp("run") / "order.bin"
    whole = lived(found, draw, path)
    order = Order(path)
    at = draw.randint(0, len(whole))
    first = TopicWire(FakeFetcher(script(found, draw, firsts_of(order))), RecordDecoder(ANSWERS), order_of=order)
    list(first)
    place = json.loads(json.dumps(first.place(at)))
    there = {one: told[0] for one, told in positions_of(place["partitions"]).items()}
    assert there.keys() == firsts_of(order).keys() | {one for one in found if found[one]}
    rest = TopicWire(FakeFetcher(script(found, draw, there)), RecordDecoder(ANSWERS), order_of=order)
    rest.seek(place)
    assert same_times(flat(rest)) == same_times(whole[at:])
    assert rest.fetching.place == there


def test_live_wires_do_take_records_late():
    late = 0
    for seed in range(20):
        one = TopicWire(FakeFetcher(live_script(logs(seed), random.Random(seed))), RecordDecoder(ANSWERS))
        list(until_quiet(one))
        late += one.place(0)["late"]
    assert late > 100


def kept(path, rows):
    """Return an order of (topic, partition, offset, timestamp)."""
    order = OrderFile(path, sorted({row[0] for row in rows} | {"a"}))
    order.begin(None)
    for topic, number, offset, stamp in rows:
        one = RecordOffsets(np.zeros(1, np.int32), np.array([offset]), np.array([stamp]))
        order._columns = np.empty((2, 0), np.int32)
        order.append([(topic, number)], one)
    order.close()
    return Order(path)


def pieces(found, draw, ends=None):
    """Yield frames of some partitions' records; the partitions are at their ends unless given otherwise."""
    left = dict(found)
    while any(left.values()):
        some = {one: rows[: draw.randrange(4)] for one, rows in left.items()}
        left = {one: rows[len(some[one]) :] for one, rows in left.items()}
        yield poll_result({one: rows for one, rows in some.items() if rows}, ends=ends)


def all_taken(merging, frames, draw):
    """Return (topic, partition, row, whether it counts) of all that is taken."""
    found = []
    for one in frames:
        merging.add(one)
        while len((taken := merging.take(draw.choice([1, 2, 5, None]))).rows):
            counted = [True] * len(taken.rows) if taken.counted is None else taken.counted.tolist()
            rows = zip(taken.partitions.tolist(), taken.rows.tolist(), counted, strict=True)
            found += [(*merging.partitions[index], row, counts) for index, row, counts in rows]
    return found


@given(st.integers(0, 1 << 30))
def test_it_takes_and_counts_as_the_merge_did_and_passes_over_what_that_had_not(tmp_path_factory, seed):
    draw = random.Random(seed)
    table = [("b", 0), ("a", 1), ("a", 0)]
    found = {one: [(i, draw.randrange(30)) for i in range(draw.randrange(30))] for one in table}
    merging = TimestampMerge()
    merging.assign(poll_result(dict.fromkeys(table, ())))
    taken = all_taken(merging, pieces(found, draw), draw)
    ends = {one: len(log) for one, log in found.items()}
    late, rows = merging.late, [(topic, number, row, found[topic, number][row][1]) for topic, number, row, _ in taken]
    path = tmp_path_factory.mktemp("run") / "order.bin"
    whole = RecordedMerge(kept(path, rows))
    whole.assign(poll_result(dict.fromkeys(table, ())))
    assert all_taken(whole, pieces(found, draw, ends), draw) == taken
    assert (whole.late, whole.ended) == (late, True)
    assert {one: at[0] for one, at in positions_of(whole.place()).items() if at[0]} == {
        one: len(log) for one, log in found.items() if log
    }
    some = [row for row in rows if draw.randrange(4)]
    less = RecordedMerge(kept(path.with_name("less.bin"), some))
    less.assign(poll_result(dict.fromkeys(table, ())))
    came = all_taken(less, pieces(found, draw, ends), draw)
    assert [row[:3] for row in came if row[3]] == [row[:3] for row in some]
    assert less.ended
    for one in table:  # a partition's rows come without a gap, so that each can be freed
        assert [row for *other, row, _ in came if tuple(other) == one] == list(
            range(sum(tuple(row[:2]) == one for row in came))
        )


def test_what_keeps_a_record_from_coming_is_passed_over_before_it_is_there(tmp_path):
    one = RecordedMerge(kept(tmp_path / "order.bin", [("a", 0, 5, 50), ("a", 1, 0, 1)]))
    one.assign(poll_result({}, ends={("a", 0): 6, ("a", 1): 1}))
    one.add(poll_result({("a", 0): [(0, 1), (3, 2)], ("a", 1): [(0, 1)]}, ends={("a", 0): 6, ("a", 1): 1}))
    taken = one.take()
    assert (taken.partitions.tolist(), taken.rows.tolist(), taken.counted.tolist()) == ([0, 0], [0, 1], [False, False])
    assert len(one.take().rows) == 0
    one.add(poll_result({("a", 0): [(4, 3), (5, 50)]}, ends={("a", 1): 1}))
    taken = one.take()
    assert (taken.partitions.tolist(), taken.rows.tolist()) == ([0, 0, 1], [2, 3, 0])
    assert taken.counted.tolist() == [False, True, True]
    assert one.ended


@pytest.mark.parametrize(
    ("frames", "why"),
    [
        (
            [poll_result({("a", 0): [(6, 60)]}, ends={("a", 0): 9})],
            "offset 5 of a 0, .* is no longer there; begin a run",
        ),
        ([poll_result({}, positions={("a", 0): 8}, ends={("a", 0): 9})], "is no longer there"),
        ([poll_result({("a", 0): [(0, 1)]}, ends={("a", 0): 1})], "is not there: the log ends at 1"),
        ([poll_result({("a", 0): [(5, 51)]}, ends={("a", 0): 9})], "has another time: the topic was created again"),
    ],
)
def test_a_record_of_the_order_that_is_not_there_stops_it(tmp_path, frames, why):
    one = RecordedMerge(kept(tmp_path / "order.bin", [("a", 0, 4, 40), ("a", 0, 5, 50)]))
    one.assign(poll_result({}, ends={("a", 0): 9}))
    one.add(poll_result({("a", 0): [(4, 40)]}, ends={("a", 0): 9}))
    assert len(one.take().rows) == 1

    def rest():
        for told in frames:
            one.add(told)
        while len(one.take().rows):
            pass
        one.take()

    with pytest.raises(StoppedError, match=why):
        rest()


def test_partitions_that_are_not_in_the_order_are_let_be(tmp_path):
    one = RecordedMerge(kept(tmp_path / "order.bin", [("a", 0, 0, 5)]))
    one.assign(poll_result({("a", 0): [], ("b", 7): []}))
    one.add(poll_result({("b", 7): [(0, 1)], ("a", 0): [(0, 5)]}))
    one.revoke([("b", 7)])
    assert one.take().partitions.tolist() == [0]
    assert one.ended
    assert RecordedMerge(kept(tmp_path / "none.bin", [])).ended


def test_a_place_that_the_order_never_came_by_is_refused(tmp_path):
    order = kept(tmp_path / "order.bin", [("a", 0, 0, 5), ("a", 1, 0, 6), ("a", 0, 1, 7)])
    with pytest.raises(UsageError, match="does not fit the order in"):
        RecordedMerge(order).load({"a": {"0": [2, 7, None], "1": [0, None, None]}})
    with pytest.raises(UsageError, match="begun with --until-end"):
        RecordedMerge(order).load({"a": {"0": [1, 5, 2]}})
    one = RecordedMerge(order)
    one.load({"a": {"0": [1, 5, None], "1": [1, 6, None], "2": [4, None, None]}})
    assert one.place() == {"a": {"0": [1, 5, None], "1": [1, 6, None], "2": [4, None, None]}}
    one.add(poll_result({("a", 0): [(1, 7)]}))
    assert one.take().partitions.tolist() == [0]
    assert one.ended


def results(one):
    return one.summary()["learners"], one.curves["mmp"], one.learners["mmp"].arrays()


@pytest.mark.parametrize("seed", range(4))
def test_a_run_is_the_same_to_the_bit(tmp_path, seed):
    found, draw = logs(seed, 200), random.Random(seed)

    def run(folder, fetching, limit=None, sinks=(), **how):
        source = Features(TopicWire(fetching, RecordDecoder(ANSWERS), **how), ahead=bool(draw.randrange(2)))
        lateness = Lateness(after=None, by_id=True, limit=20)
        return Run(source, {"mmp": MMP()}, lateness=lateness, limit=limit, points=7, window=20, sinks=sinks,
                   checkpoints=Checkpoints(tmp_path / folder), checkpoint_every=10)  # fmt: skip

    kept = OrderFile(tmp_path / "order.bin", TOPICS)
    live = run("live", FakeFetcher(live_script(found, draw)), limit=120, order=kept, sinks=[kept])
    list(live)
    order = Order(kept.path)
    again = OrderFile(tmp_path / "again.bin", TOPICS)
    left = run("again", FakeFetcher(script(found, draw, firsts_of(order))), 70, [again], order=again, order_of=order)
    list(left)
    place = Checkpoints(tmp_path / "again").newest()[1]["reading"]["source"]["place"]["partitions"]
    there = {one: at[0] for one, at in positions_of(place).items()}
    rest = run("again", FakeFetcher(script(found, draw, there)), None, [again], order=again, order_of=order)
    rest.resume()
    list(rest)
    assert rest.finished
    (summary, curves, weights), (then, before, learnt) = results(rest), results(live)
    assert summary == then
    assert rest.dead_letters == live.dead_letters
    for name in before:
        np.testing.assert_array_equal(curves[name], before[name])
    for name in learnt:
        np.testing.assert_array_equal(weights[name], learnt[name])
    assert again.path.read_bytes() == kept.path.read_bytes()

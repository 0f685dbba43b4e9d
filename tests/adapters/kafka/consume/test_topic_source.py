"""Topics as an archive: what comes out of a wire does not depend on how it was fetched, nor on where it was left.

Covers figures, positions and open_topics too.
"""

import contextlib
import itertools
import json
import random
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from topics.scripted import ANSWERS, DOCS, flat, in_order, logs, same_times, script, slowly

from telex.adapters.kafka.consume import PartitionFigures, RecordFormat, RecordOrigin, source_of
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.consume.topic_source import TopicWire
from telex.adapters.kafka.fake import FakeFetcher, poll_result
from telex.adapters.kafka.fetch import FetchProblem, LastRead, LostRecords, PartitionsAssigned
from telex.adapters.kafka.fetch.events import PartitionsRevoked
from telex.adapters.kafka.fetch.poll_intervals import PollCounts
from telex.adapters.prometheus import MetricsSink
from telex.learners import MMP
from telex.learners.base import StoppedError, UsageError
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Arrivals, DeadLetter, Features


def wire(found, draw, place=None):
    fetching = FakeFetcher(script(found, draw, place), behind=draw.random() < 0.5)
    return TopicWire(fetching, RecordDecoder(ANSWERS), until_end=True)


@pytest.mark.parametrize(("behind", "sizes"), [(False, [2, 1]), (True, [3])])
def test_who_is_behind_takes_polls_together(behind, sizes):
    rows = [(i, 10 * i, b"%d" % i, b'{"text": "Gold."}') for i in range(3)]
    told = [poll_result({(DOCS, 0): some}, ends={(DOCS, 0): 3}) for some in ([], rows[:2], rows[2:])]
    read = TopicWire(FakeFetcher(told, behind=behind), RecordDecoder(), until_end=True)
    assert [len(item) for item in read] == sizes


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30))
@settings(max_examples=60, deadline=None)
def test_the_order_and_what_records_are_depend_on_the_records_alone(seed, cuts):
    found = logs(seed, withdrawn=bool(seed % 2))
    assert same_times(flat(wire(found, random.Random(cuts)))) == slowly(found)


@given(st.integers(0, 1 << 30), st.integers(0, 150))
@settings(max_examples=60, deadline=None)
def test_another_resumes_at_any_place(seed, records):
    found, draw = logs(seed, withdrawn=bool(seed % 2)), random.Random(seed)
    first = wire(found, draw)
    whole = flat(first)
    place = json.loads(json.dumps(first.place(min(records, len(whole)))))
    there = {(topic, int(one)): told[0] for topic, some in place["partitions"].items() for one, told in some.items()}
    rest = wire(found, draw, there)
    rest.seek(place)
    assert same_times(flat(rest)) == same_times(whole[records:])
    assert rest.fetching.place == there


def test_nothing_is_freed_before_it_is_used_and_all_is_in_the_end():
    found = logs(3)
    read = wire(found, random.Random(3))
    assert read.fetching.freed == {}
    for _ in read:
        pass
    assert set(read.fetching.freed) == set(found)
    assert not read.fetching.closed  # the last checkpoint may still be committed to the broker
    read.close()
    assert read.fetching.closed


@pytest.mark.parametrize("until_end", [True, False])
def test_behind_a_gap_a_place_is_of_the_other_log_and_before_it_of_the_first(until_end):
    def rows(stem, first, count):
        return [(i, 10 * i, b"%s%d" % (stem, i), b'{"text": "Gold."}') for i in range(first, first + count)]

    one, other = (DOCS, 0), (DOCS, 1)
    told = [
        poll_result({}, positions={one: 0, other: 0}, ends={one: 4, other: 5}),
        poll_result({one: rows(b"old", 0, 4)}, positions={one: 4, other: 0}, ends={one: 4, other: 5}),
        FetchProblem("made again", LostRecords(one, 4, 0, 3, "second")),
        poll_result({one: rows(b"new", 0, 3), other: rows(b"b", 0, 5)}, ends={one: 3, other: 5}),
    ]
    said = []
    fetcher = FakeFetcher(told, topic_ids={DOCS: "first"}, behind=True)
    read = TopicWire(fetcher, RecordDecoder(), until_end=until_end, say=said.append)
    came = [row for posted in itertools.islice(read, 3) for row in posted.documents.ids]
    # What was of the first log comes before all of the second, though partition 1 had told nothing yet.
    assert came == ["old0", "old1", "old2", "old3", "b0", "b1", "b2", "new0", "new1", "new2", "b3", "b4"]
    assert said == ["made again"]

    def at(records):
        place = json.loads(json.dumps(read.place(records)))
        return place["partitions"][DOCS]["0"][0], place["last_read"][DOCS]["0"]

    assert at(3) == (3, ["first", 2, 20])
    offset, last_read = at(4)
    assert (offset, last_read) == (0, ["second", None, None])
    assert at(8) == (1, ["second", 0, 0])
    rest = TopicWire(FakeFetcher([poll_result({}, ends={one: 3, other: 5})]), RecordDecoder(), until_end=until_end)
    place = json.loads(json.dumps(read.place(12)))
    rest.seek(place)
    next(iter(rest), None)
    assert rest.fetching.last_read == {one: LastRead("second", 2, 20), other: LastRead("first", 4, 40)}
    older = TopicWire(FakeFetcher([poll_result({}, ends={one: 3, other: 5})]), RecordDecoder(), until_end=until_end)
    older.seek({name: told for name, told in place.items() if name != "last_read"})
    next(iter(older), None)
    assert older.fetching.last_read == {}


def test_a_wire_is_read_once():
    read = wire(logs(4), random.Random(4))
    list(read)
    with pytest.raises(UsageError, match="read once"):
        list(read)
    with pytest.raises(UsageError, match="make a new one"):
        read.seek(read.place(3))


def test_a_live_wire_says_when_nothing_comes():
    quiet = TopicWire(FakeFetcher([poll_result({}, ends={(DOCS, 0): 0})]), RecordDecoder())
    items = iter(quiet)
    assert [len(next(items)) for _ in range(2)] == [0, 0]
    items.close()
    quiet.close()
    assert quiet.fetching.closed


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30))
def test_followers_know_where_documents_stood(seed, cuts):
    found, draw = logs(seed), random.Random(cuts)
    read = wire(found, draw)
    origins, known = read.follow(), {}
    read.track_record_times()
    for topic, number, offset, stamp, key, value in in_order(found):
        with contextlib.suppress(ValueError, TypeError):
            if topic == DOCS:  # the first of an id is the one that comes through
                known.setdefault(json.loads(value).get("id", key.decode()), RecordOrigin(topic, number, offset, stamp))
    waiting, asked = [], 0
    for item in Features(read, ahead=bool(draw.randrange(2))):
        if not isinstance(item, DeadLetter):
            waiting.append(item.documents if isinstance(item, Arrivals) else item)
        while waiting and draw.randrange(3):
            batch = waiting.pop(0)
            kept = batch.rows(draw.randrange(len(batch) + 1), len(batch))
            assert list(origins.columns(list(kept.ids))) == [known[name] for name in kept.ids]
            stamps = [known[name].timestamp for name in kept.ids]
            times = [stamp / 1000 if stamp >= 0 else np.nan for stamp in stamps]
            np.testing.assert_array_equal(read.record_times(kept), np.array(times, float))
            asked += len(kept)
    assert asked or len(known) < 30


@pytest.mark.parametrize("duplicates", ["keep", "skip"])
def test_a_run_hears_that_nothing_comes_whatever_its_source_leaves_out(duplicates):
    rows = [(i, 10 * i, b"%d" % i, b'{"text": "Gold."}') for i in range(2)]
    polls = [poll_result({}, ends={(DOCS, 0): 2}), poll_result({(DOCS, 0): rows})]
    fetcher = FakeFetcher([*polls, *[None] * 50, StoppedError("a source must not wait for ever")])
    source = source_of(TopicWire(fetcher, RecordDecoder()), duplicates=duplicates)
    source.prepare(None, positions=True)
    with contextlib.closing(iter(source)) as items:  # a checkpoint by time is written when something comes, or nothing
        assert len(next(items)) == (2 if duplicates == "keep" else 1)
        assert len(next(items)) == 0


def test_nobody_follows_when_it_is_too_late():
    read = wire(logs(4), random.Random(4))
    with pytest.raises(UsageError, match="call track_record_times before"):
        read.record_times([])
    list(read)
    with pytest.raises(UsageError, match="call follow before"):
        read.follow()


def test_records_bring_their_headers():
    rows = [(0, 1, b"a", b"1", [("x", b"y")]), (1, 1, b"b", b"2"), (2, 1, b"c", b"3", [("z", None)])]
    read = TopicWire(FakeFetcher(script({(DOCS, 0): rows}, random.Random(3))), RecordDecoder(), until_end=True)
    seen = []
    read._records = SimpleNamespace(
        begin=lambda *_: None,
        without_gone=lambda block: block,
        counts=lambda block: block.value_sizes >= 0,
        of=lambda block: seen.extend(block.records()) or iter(()),
    )
    list(read)
    assert [record.headers for record in seen] == [(("x", b"y"),), (), (("z", None),)]


def test_behind_the_last_record_the_place_is_behind_marks_and_empty_records_too():
    rows = [(0, 10, b"a", b'{"text": "Gold."}'), (1, 90, b"b", None)]
    read = TopicWire(
        FakeFetcher([poll_result({}, ends={(DOCS, 0): 3}), poll_result({(DOCS, 0): rows}, positions={(DOCS, 0): 3})]),
        RecordDecoder(),
    )
    items = iter(read)
    assert list(next(items).documents.ids) == ["a"]
    assert read.place(1)["partitions"] == {DOCS: {"0": [1, 10, None]}}
    assert not len(next(items))
    assert read.place(1)["partitions"] == {DOCS: {"0": [3, 90, None]}}


def test_progress_is_known_at_any_moment():
    one, other = (DOCS, 0), (DOCS, 1)
    rows = [(i, 10 * i, b"%d" % i, b'{"text": "Gold."}') for i in range(4)]
    polled = PollCounts((0, 2, *[0] * 9), 0.3)
    read = TopicWire(
        FakeFetcher(
            [
                poll_result({}, ends={one: 5, other: 0}),
                poll_result({one: rows[:3]}, ends={one: 5, other: 0}, positions={one: 5}),
                PartitionsAssigned(poll_result({}, positions={one: 5}, ends={one: 6})),
                replace(poll_result({one: []}, positions={one: 5}, ends={one: 7}), poll_counts=polled),
                PartitionsRevoked((other,)),
            ]
        ),
        RecordDecoder(),
    )
    assert read.figures().partitions == []
    items = iter(read)
    assert len(next(items)) == 3
    assert read.figures().partitions == [PartitionFigures(*one, 0, 5), PartitionFigures(*other, 0, 0)]
    read.drop_places_before(2)
    assert read.figures().partitions == [PartitionFigures(*one, 2, 5), PartitionFigures(*other, 0, 0)]
    read.drop_places_before(3)
    next(items)
    read.drop_places_before(3)
    now = read.figures()
    assert now.partitions == [PartitionFigures(*one, 5, 7)]
    assert (now.rebalances, now.lost, now.late) == (1, 1, 0)
    assert (now.polls.counts[1], now.polls.seconds) == (2, 0.3)
    assert read.place(3)["partitions"][DOCS]["0"] == [5, 20, None]


def test_metrics_know_the_wire_and_how_old_its_records_were():
    now = int(1000 * time.time())
    rows = [(i, now - 45_000, b"%d" % i, b'{"text": "Gold.", "time": "1996-08-20"}') for i in range(3)]
    read = TopicWire(
        FakeFetcher([poll_result({}, ends={(DOCS, 0): 3}), poll_result({(DOCS, 0): rows})]), RecordDecoder()
    )
    metrics = MetricsSink()
    list(Run(Features(read, ahead=True), {"mmp": MMP()}, limit=3, sinks=[metrics]))
    value = metrics.registry.get_sample_value
    assert value("telex_end_to_end_latency_seconds_bucket", {"le": "30.0"}) == 0
    assert value("telex_end_to_end_latency_seconds_bucket", {"le": "60.0"}) == 3
    assert value("telex_consumer_lag_records", {"topic": DOCS, "partition": "0"}) == 0


@pytest.mark.parametrize(("withdrawn_at", "expected"), [(1, (1, 0, 0)), (6, (0, 1, 0)), (0, (0, 0, 1))])
def test_a_record_without_a_value_withdraws_the_answer_of_its_key(withdrawn_at, expected):
    answers = [(0, 1, b"a", b'{"labels": ["gold"]}'), (1, 9, None, None)]
    answers.insert(1 if withdrawn_at else 0, (0, withdrawn_at, b"a", None))
    answers = [(offset, *rest) for offset, (_, *rest) in enumerate(answers)]
    found = {(DOCS, 0): [(0, 5, b"a", b'{"text": "Gold."}')], (ANSWERS, 0): answers}
    run = Run(Features(wire(found, random.Random(1))), {"mmp": MMP()}, lateness=Lateness(by_id=True))
    list(run)
    summary = run.summary()
    assert tuple(summary[f"withdrawn{name}"] for name in ("", "_too_late", "_unknown")) == expected
    assert summary["learners"]["mmp"]["docs"] == 1 - expected[0]
    assert summary["dead_letters"] == 0


def test_an_archive_that_is_replayed_shows_how_far_behind_its_own_time_it_is():
    hour, ahead = 3_600_000, int(1000 * time.time()) + 1000 * 3_600_000
    stamps = [0, hour, 2 * hour, 90 * 60_000, -1, ahead]
    rows = [(i, stamp, b"%d" % i, b'{"text": "Gold."}') for i, stamp in enumerate(stamps)]
    read = TopicWire(
        FakeFetcher([poll_result({}, ends={(DOCS, 0): 6}), poll_result({(DOCS, 0): rows})]), RecordDecoder()
    )
    metrics = MetricsSink()
    list(Run(Features(read), {"mmp": MMP()}, limit=6, sinks=[metrics]))
    value = metrics.registry.get_sample_value
    assert (value("telex_event_time_latency_seconds_count"), read.newest_time) == (5, 7200.0)
    assert value("telex_event_time_latency_seconds_sum") == 7200 + 3600 + 0 + 1800 + 0
    assert value("telex_archived_records_total") == 4
    assert value("telex_records_ahead_of_clock_total") == 1
    assert (value("telex_end_to_end_latency_seconds_count"), value("telex_end_to_end_latency_seconds_sum")) == (1, 0)


def test_newsml_is_read_too():
    item = '<newsitem itemid="2330" date="1996-08-20"><headline>Tylan up</headline><text><p>It jumped.</p></text>'
    item += '<metadata><codes class="bip:topics:1.0"><code code="C15"/></codes></metadata></newsitem>'
    log = {(DOCS, 0): [(0, 5, None, item.encode()), (1, 6, None, b"<a/>")]}
    fetching = FakeFetcher(script(log, random.Random(1)))
    posted, letter = TopicWire(fetching, RecordDecoder(format=RecordFormat("newsml")), until_end=True)
    assert (list(posted.documents.ids), posted.documents.labels) == (["2330"], [["C15"]])
    assert letter.reason.startswith("the XML is a <a>")


def run(found, draw, folder, limit=None, place=None):
    source = Features(wire(found, draw, place), ahead=bool(draw.randrange(2)))
    lateness = Lateness(after=None, by_id=True, limit=20)
    return Run(source, {"mmp": MMP()}, lateness=lateness, limit=limit, points=7, window=20,
               checkpoints=Checkpoints(folder), checkpoint_every=10)  # fmt: skip


def results(one):
    return one.summary()["learners"], one.curves["mmp"], one.learners["mmp"].arrays()


@pytest.mark.parametrize("seed", range(6))
def test_a_run_resumes_where_it_was_left_to_the_bit(tmp_path, seed):
    found, draw = logs(seed, 200, withdrawn=bool(seed % 2)), random.Random(seed)
    undisturbed = run(found, draw, tmp_path / "a")
    list(undisturbed)
    assert undisturbed.dead_letters
    left = run(found, draw, tmp_path / "b", limit=90)
    list(left)
    state = Checkpoints(tmp_path / "b").newest()[1]["reading"]["source"]["place"]["partitions"]
    there = {(topic, int(one)): told[0] for topic, some in state.items() for one, told in some.items()}
    rest = run(found, draw, tmp_path / "b", place=there)
    rest.resume()
    list(rest)
    (summary, curves, weights), (then, before, learnt) = results(rest), results(undisturbed)
    assert summary == then
    assert rest.dead_letters == undisturbed.dead_letters
    for name in before:
        np.testing.assert_array_equal(curves[name], before[name])
    for name in learnt:
        np.testing.assert_array_equal(weights[name], learnt[name])


def test_a_clock_that_falls_back_keeps_nobody_waiting(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 0.0)
    records = {(DOCS, 0): [(0, 5, b"a", b'{"text": "Gold."}')], (DOCS, 1): [(0, 4, b"b", b'{"text": "Cup."}')]}
    told = [poll_result({}, ends=dict.fromkeys(records, 1)), poll_result(records, time=time.monotonic())]
    quiet, came, deadline = TopicWire(FakeFetcher(told), RecordDecoder(), max_idle=0.05), [], time.monotonic() + 30
    for item in quiet:
        came += item.documents.ids
        if len(came) == 2 or time.monotonic() > deadline:
            break
    assert came == ["b", "a"]

"""What is put back, as messages: without a broker.

Covers messages too.
"""

from __future__ import annotations

import json
import math
import random
import re

import numpy as np
import pytest
from broker.told import HOUR, answered, logs, wire
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.kafka import connecting
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages, saved_messages
from telex.adapters.kafka.produce.message_blocks import MessageBlocks
from telex.adapters.kafka.produce.message_headers import RunStamp
from telex.adapters.kafka.produce.messages import Message
from telex.adapters.kafka.produce.results_sink import ResultsSink
from telex.adapters.kafka.topics import TopicLimits
from telex.learners import BR, MMP
from telex.learners.base import Span, StoppedError, UsageError
from telex.stream import Run, Stop
from telex.stream.delayed_labels import Lateness
from telex.stream.run_folder import PredictionsFile, versions
from telex.stream.sources import Features


class Heap:
    """Keeps what is put."""

    checkpoints = full = False

    def __init__(self, **limits):
        self.limits, self.found, self.state = limits, [], None

    def begin(self, topics):
        return [TopicLimits(topic, **self.limits) for topic in topics]

    def put(self, messages):
        self.found += messages

    def sync(self):
        pass

    close = save = sync

    @property
    def told(self):
        """The messages without the wall clock's time."""
        return [(m.topic, m.key, re.sub(rb'"predicted":"[^"]*"', b"", m.value), m.timestamp, m.source)
                for m in self.found if m.topic == "out"]  # fmt: skip


def run(found, draw, heap, *, limit=None, say=lambda _: None, learners=None, **how):
    read = wire(found, draw, labels="answers")
    back = ResultsSink(heap, read.follow(), out_topic="out", dead_letter_topic="dead", top=2, stamp=RunStamp("r"),
                       say=say)  # fmt: skip
    going = Run(Features(read, ahead=bool(draw.randrange(2))), learners or {"mmp": MMP(), "br": BR()}, sinks=[back],
                limit=limit, points=draw.choice([1, 7, 1000]), **how)  # fmt: skip
    list(going)
    return going


@pytest.mark.parametrize("late", [None, Lateness(Span(documents=3))])
def test_there_is_a_message_for_each_document_and_learner(tmp_path, late):
    found, heap = logs(2), Heap()
    read = wire(found, random.Random(1))
    file = PredictionsFile(tmp_path / "p.jsonl", top=2)
    back = ResultsSink(heap, read.follow(), out_topic="out", top=2)
    list(Run(Features(read), {"mmp": MMP(), "br": BR()}, sinks=[back, file], lateness=late))
    lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    said = [json.loads(message.value) for message in heap.found]
    same = ("id", "learner", "labels", "top")
    assert [[one[name] for name in same] for one in said] == [[one[name] for name in same] for one in lines]
    wait, answered, learnt = 3 if late else 0, [], []
    for place, (told, line) in enumerate(zip(said[::2], lines[::2], strict=True)):
        learnt.append("true" in line)
        answered.append(sum(learnt[: max(0, place - wait)]))
        assert told["position"] == answered[-1]
    assert answered[-1] > 20
    for told, message in zip(said, heap.found, strict=True):
        log = found["wire", told["partition"]]
        offset, stamp, _, value, _ = log[told["offset"]]
        document = json.loads(value)
        assert message.key.decode() == told["id"] == document["id"]
        assert message.source == (told["topic"], told["partition"], offset) == ("wire", told["partition"], offset)
        assert message.timestamp == stamp
        hour = stamp // HOUR
        assert told["time"] == document.get("time", f"1970-01-0{1 + hour // 24}T{hour % 24:02}:00:00Z")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["predicted"])


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30), st.sampled_from(["", "late", "champion", "both", "by id"]))
@settings(max_examples=40, deadline=None)
def test_what_is_put_does_not_depend_on_the_cuts(seed, cuts, kind):
    how = {}
    if kind in {"late", "both"}:
        how["lateness"] = Lateness(Span(documents=4))
    if kind in {"champion", "both"}:
        how["champion"] = "window=10,margin=0,least=2"
    found, heaps = logs(seed), [Heap(), Heap()]
    if kind == "by id":
        how["lateness"], found = Lateness(after=None, by_id=True, limit=9), answered(found, seed)
    for heap, draw in zip(heaps, (random.Random(0), random.Random(cuts)), strict=True):
        run(found, draw, heap, **how)
    assert heaps[0].told == heaps[1].told
    assert [one for one in heaps[0].found if one.topic == "dead"] == [
        one for one in heaps[1].found if one.topic == "dead"
    ]


def test_with_a_champion_there_is_one_message_a_document():
    heap = Heap()
    going = run(logs(4), random.Random(4), heap, champion="window=10,margin=0,least=2")
    told = [json.loads(one[2].replace(b",,", b",")) for one in heap.told]
    assert len(told) == len({one["id"] for one in told}) == going.documents
    assert {one["learner"] for one in told} == {"mmp", "br"}


def test_what_cannot_be_read_is_put_untouched_with_the_headers_of_kafka_streams():
    found, heap = logs(2), Heap()
    going = run(found, random.Random(2), heap)
    dead = [one for one in heap.found if one.topic == "dead"]
    assert 0 < len(dead) < going.dead_letters  # ids that came twice are no records that could not be read
    kinds, why = set(), (b"the JSON", b"Input data was truncated", b"JSON is malformed")
    for one in dead:
        _, partition, offset = one.source
        _, stamp, key, value, headers = found["wire", partition][offset]
        assert (one.key, one.value, one.timestamp) == (key, value, stamp)
        theirs = [(name, told or b"") for name, told in headers]
        assert one.headers[: len(theirs)] == theirs
        told = dict(one.headers[len(theirs) :])
        reason = told.pop("__streams.errors.message")
        assert reason.startswith(why)
        assert told.pop("__streams.errors.exception") == b"telex.learners.errors.BrokenRecordError: " + reason
        assert told.pop("__streams.errors.stacktrace") == b"decode: " + reason
        place = (b"wire", str(partition).encode(), str(offset).encode())
        names = ("__streams.errors.topic", "__streams.errors.partition", "__streams.errors.offset")
        ours = {"telex.stage": b"decode", "telex.run": b"r", "telex.version": versions()["telex"].encode()}
        assert told == {**dict(zip(names, place, strict=True)), **ours}
        kinds.add((key is None, bool(headers)))
    assert {(True, False), (False, True)} <= kinds


def test_what_a_topic_does_not_take_does_not_stop_the_run():
    said, heap = [], Heap(longest=1200)
    found = {("wire", 0): [
        (0, 5, b"a", b"{" + b"x" * 5000, (("h", b"y"),)),
        (1, 6, None, b"{" + b"x" * 5000),
        (2, 7, b"k" * 2000, b"{", (("h", b"y"),)),
        (3, 8, b"b", b'{"text": "gold", "labels": ["%s"]}' % (b"l" * 600)),
        (4, 9, b"c", b'{"text": "gold"}'),
        (5, 10, b"d" * 900, b'{"text": "gold"}'),
    ]}  # fmt: skip
    run(found, random.Random(1), heap, say=said.append, learners={"br": BR()})
    first, second, third = (one for one in heap.found if one.topic == "dead")
    assert (first.key, first.value, first.headers[0], first.headers[-1]) == (
        b"a", None, ("h", b"y"), ("telex.value.bytes", b"5001")
    )  # fmt: skip
    assert (second.key, second.value, second.headers[-1]) == (None, b"", ("telex.value.bytes", b"5001"))
    assert (third.key, third.value, third.headers[-1]) == (None, b"", ("telex.value.bytes", b"1"))
    put = [json.loads(one.value) for one in heap.found if one.topic == "out"]
    assert [(one["id"], one["top"]) for one in put] == [("b", []), ("c", [])]
    assert all(one.size <= 1200 for one in heap.found)
    assert len(said) == 2
    assert all("max.message.bytes=1200" in one for one in said)


def test_a_topic_that_deletes_what_is_old_is_reported_once():
    said = []
    run(logs(1), random.Random(1), Heap(retention=604_800_000), say=said.append)
    assert len(said) == 2
    assert all(one.endswith("set retention.ms=-1 for that topic") for one in said)


def test_a_record_of_no_time_or_of_one_far_ahead_gets_the_brokers():
    heap, far = Heap(), 1 << 50
    found = {
        ("wire", 0): [(0, -1, b"a", b'{"text": "gold"}'), (1, far, b"b", b'{"text": "cup"}'), (2, far, None, b"{")]
    }
    run(found, random.Random(1), heap, learners={"br": BR()})
    assert [one.timestamp for one in heap.found] == [None, None, None]
    assert "time" not in json.loads(heap.found[0].value)


def test_nothing_is_looked_up_where_no_predictions_are_put():
    heap = Heap()
    back = ResultsSink(heap, dead_letter_topic="dead")
    list(Run(Features(wire(logs(3), random.Random(3))), {"br": BR()}, sinks=[back]))
    assert {one.topic for one in heap.found} == {"dead"}


def test_stored_messages_are_what_they_were():
    some = [
        Message("out", b"a", None, 5, [("x", b"\0")], ("wire", 0, 1 << 40)),
        Message("out", None, b"", None, [], ("w", 1, 2)),
    ]
    whole = EncodedMessages.of(some)
    blocks = MessageBlocks()
    blocks.add(whole)
    for state in (whole.save(), {"blocks": blocks.save()}):  # as an older Telex stores them, and as this does
        assert [one for part in saved_messages(state) for one in part] == some
    assert [list(part) for part in saved_messages(EncodedMessages.of([]).save())] == [[]]
    state = whole.save()
    for broken in ({**state, "ends": state["ends"][::-1]}, {**state, "ends": state["ends"] + 1}):
        with pytest.raises(UsageError, match="cannot be read; resume from an earlier one"):
            saved_messages(broken)
    with pytest.raises(UsageError, match="cannot be read"):
        list(EncodedMessages(np.frombuffer(b"\x93\x01", np.uint8), np.array([2])))


def test_impossible_settings_are_refused_before_anything_is_read():
    with pytest.raises(UsageError, match=r"origins=wire\.follow\(\)"):
        ResultsSink(Heap(), out_topic="out")
    with pytest.raises(UsageError, match="name a topic"):
        ResultsSink(Heap())
    with pytest.raises(UsageError, match="top must be"):
        ResultsSink(Heap(), dead_letter_topic="dead", top=-1)
    heap = Heap()
    heap.checkpoints = True
    with pytest.raises(UsageError, match="--run DIR"):
        run(logs(1), random.Random(1), heap)


class Away(Heap):
    """A broker that does not answer the first times."""

    def __init__(self, times):
        super().__init__()
        self.times = times

    def begin(self, topics):
        self.times -= 1
        if self.times >= 0:
            raise StoppedError("no broker")
        return super().begin(topics)


def test_brokers_that_do_not_answer_at_the_begin_are_tried_again(monkeypatch):
    monkeypatch.setattr(connecting, "FIRST", 0.001)
    said, there = [], Away(3)
    read = wire(logs(2), random.Random(1))
    back = ResultsSink(there, read.follow(), out_topic="out", connecting=math.inf, say=said.append)
    list(Run(Features(read), {"mmp": MMP()}, sinks=[back]))
    assert [sentence.partition(";")[0] for sentence in said] == ["no broker"] * 3
    assert there.found
    read = wire(logs(2), random.Random(1))
    with pytest.raises(StoppedError, match=r"^no broker$"):
        list(Run(Features(read), {"mmp": MMP()}, sinks=[ResultsSink(Away(1), read.follow(), out_topic="out")]))


def test_a_run_that_waits_for_a_broker_can_be_stopped():
    read = wire(logs(2), random.Random(1))
    going = None
    back = ResultsSink(Away(9), read.follow(), out_topic="out", connecting=math.inf, say=lambda _: going.stop())
    going = Run(Features(read), {"mmp": MMP()}, sinks=[back])
    with pytest.raises(Stop):
        list(going)

"""Rows in the envelopes of Debezium and Kafka Connect are the documents that the rows alone would be."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from topics.scripted import ANSWERS, DOCS, flat, live_script, script, until_quiet

from telex.adapters.kafka.consume import Detected, Order, OrderFile, RecordDecoder, RecordFormat, TopicRecord
from telex.adapters.kafka.consume.topic_source import TopicWire
from telex.adapters.kafka.fake import FakeFetcher
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter

SCHEMA = {"type": "struct", "optional": False}
ROW = {"id": 7, "body": "Gold fell.", "desk": "metals"}
MAPPED = ":text=body,labels=desk"


def change(op="c", after=ROW, before=None, **more):
    return {"before": before, "after": after, "op": op, "ts_ms": 840499200000, "source": {"db": "news"}, **more}


def enclosed(payload):
    return {"schema": SCHEMA, "payload": payload}


def wire(log, spec, seed=1, labels=None, detect=None, **how):
    frames = script(log, random.Random(seed))
    return TopicWire(
        FakeFetcher(frames), RecordDecoder(labels, RecordFormat.of(spec)), until_end=True, detect=detect, **how
    )


def row(offset, value, key=None, headers=()):
    if value is not None and not isinstance(value, bytes):
        value = json.dumps(value).encode()
    return offset, 1000 * (offset + 1), key, value, headers


def documents(*values, spec="debezium" + MAPPED, keys=()):
    rows = [row(i, value, keys[i] if keys else b"k%d" % i) for i, value in enumerate(values)]
    found, letters = [], []
    for item in wire({(DOCS, 0): rows}, spec):
        if isinstance(item, DeadLetter):
            letters.append((item.offset, item.reason))
        else:
            one = item.documents
            columns = (one.ids, one.texts, one.times.tolist(), one.labels)
            found += [(str(a), str(b), c, list(d or [])) for a, b, c, d in zip(*columns, strict=True)]
    return found, letters


@given(st.lists(st.sampled_from(["c", "u", "r", "d", "t", "m", "tombstone", "broken"]), max_size=30), st.booleans(),
       st.integers(0, 1 << 30))  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_changes_are_their_rows_and_deletes_are_nothing(ops, schema, seed):
    around = enclosed if schema else lambda one: one
    rows, alone = [], []
    for i, op in enumerate([*ops, "c"]):
        one = {"id": i, "body": f"Gold {i} fell.", "desk": "metals"}
        if op == "broken":
            rows.append(row(i, b"{"))
            alone.append(row(i, b"{"))
        elif op == "tombstone":
            rows.append(row(i, None))
        elif op in "dtm":
            rows.append(row(i, around(change(op, None, one))))
        else:
            rows.append(row(i, around(change(op, one, one if op == "u" else None))))
            alone.append(row(i, one))
    found = wire({(DOCS, 0): rows}, "debezium" + MAPPED, seed)
    assert flat(found) == flat(wire({(DOCS, 0): alone}, "jsonl" + MAPPED, seed))
    assert found.place(len(alone))["partitions"][DOCS]["0"][0] == rows[-1][0] + 1


def test_the_order_of_changes_can_be_taken_again(tmp_path):
    ops = random.Random(5).choices(["c", "d", "u"], k=60)
    log = {
        (DOCS, part): [
            row(i, change(op, None if op == "d" else {**ROW, "id": f"{part}-{i}"})) for i, op in enumerate(ops)
        ]
        for part in (0, 1)
    }
    decoder = RecordDecoder(format=RecordFormat.of("debezium" + MAPPED))
    order = OrderFile(tmp_path / "order", (DOCS,))
    live = TopicWire(FakeFetcher(live_script(log, random.Random(2))), decoder, order=order)
    order.begin(None)
    told = flat(until_quiet(live))
    live.place(len(told))
    order.close()
    again = wire(log, "debezium" + MAPPED, 3, order_of=Order(tmp_path / "order"))
    assert (flat(again), len(told)) == (told, 2 * (60 - ops.count("d")))


def test_rows_of_connect_with_their_schema():
    found, letters = documents(
        enclosed(ROW), enclosed(None), ROW, enclosed("Gold"), enclosed({"body": 7}), spec="connect" + MAPPED
    )
    assert [one[0] for one in found] == ["7", "7"]
    assert letters == [(3, "there is no row in the record, but str"),
                       (4, "the field 'body' holds '7', which is no text")]  # fmt: skip


def test_a_change_without_a_row_is_a_dead_letter():
    _, letters = documents(change("u", None), ROW, {"op": "c"}, change("c", '{"body": '))
    said = [reason.partition(";")[0] for _, reason in letters]
    assert said[0] == "there is no row in the record, but NoneType"
    assert said[1] == said[2] == "this is no change of Debezium: there is no op, or neither before nor after"
    assert said[3] == "Input data was truncated"


def test_rows_of_mongodb_are_json_in_a_text():
    after = json.dumps({"_id": {"$oid": "5f"}, "body": "Gold fell.", "desk": ["metals", "trade"]})
    found, _ = documents(change("c", after), spec="debezium:text=body,labels=desk,id=_id.$oid")
    assert found == [("5f", "Gold fell.", 1.0, ["metals", "trade"])]


@pytest.mark.parametrize(
    ("key", "spec", "expected"),
    [
        (b'{"id": 7}', "", "7"),
        (json.dumps(enclosed({"id": 7})).encode(), "", "7"),
        (json.dumps(enclosed("k7")).encode(), "", "k7"),
        (b'{"a": 7, "b": "x"}', "", "7/x"),
        (b"k7", "", "k7"),
        (json.dumps(enclosed({"a": 7, "b": "x"})).encode(), ",id=key.b", "x"),
        (b'{"id": 7}', ",id=key", "7"),
    ],
)
def test_the_key_of_a_row_is_the_id_where_there_is_none(key, spec, expected):
    found, _ = documents(change(after={"body": "Gold", "desk": "x"}), spec=f"debezium{MAPPED}{spec}", keys=[key])
    assert found[0][0] == expected


def test_what_is_around_the_row_may_be_a_field():
    spec = f"debezium{MAPPED},time=envelope.ts_ms,time_format=ms"
    assert documents(change(), enclosed(change()), spec=spec)[0] == [("7", "Gold fell.", 840499200.0, ["metals"])] * 2
    spec = "debezium:text=body,labels=envelope.source.db"
    assert documents(change(), spec=spec)[0][0][3] == ["news"]
    with pytest.raises(UsageError, match=r"cannot be 'debezum' .did you mean 'debezium'"):
        RecordFormat.of("debezum")


@pytest.mark.parametrize(
    ("values", "spec"),
    [
        ([change(), change("d", None, ROW)], "debezium:labels=desk"),
        ([enclosed(change("d", None, ROW)), enclosed(change()), b"{"], "debezium:labels=desk"),
        ([enclosed(ROW), enclosed(None)], "connect:labels=desk"),
        ([enclosed(ROW), ROW], "jsonl:text=payload.body,labels=desk"),
    ],
)
def test_the_first_records_say_the_envelope(values, spec):
    sample = [TopicRecord((DOCS, 0), *row(i, value, b"k")) for i, value in enumerate(values)]
    found = Detected.of(sample)
    if spec.startswith("jsonl"):
        assert found.format.name == "jsonl"
    else:
        assert found.findings.spec() == spec


def test_answers_in_the_envelope_or_without():
    told = [
        row(0, change(after={"id": 7, "labels": ["a"]})),
        row(1, change("d", None)),
        row(2, {"labels": ["b"]}, b'{"id": 8}'),
        row(3, change(after={"labels": ["c"]}), b'{"id": 9}'),
        row(4, change(after={"labels": "c"}), b'{"id": 9}'),
    ]
    items = wire({(DOCS, 0): [row(9, change())], (ANSWERS, 0): told}, "debezium:text=body", labels=ANSWERS)
    assert [one[:3] for one in flat(items)] == [
        ("answer", "7", ["a"]), ("answer", "8", ["b"]), ("answer", "9", ["c"]),
        ("letter", f"{ANSWERS}/0", 4), ("document", "7", "Gold fell.")]  # fmt: skip

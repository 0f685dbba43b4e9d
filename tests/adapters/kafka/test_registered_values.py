"""Values of Avro, JSON Schema and Protobuf, by the schemas of a registry; covers protobuf_messages too."""

import io
import json
import random
from datetime import UTC, datetime
from decimal import Decimal

import fastavro
import pytest
from topics.registry import FakeRegistry, framed
from topics.scripted import ANSWERS, DOCS, flat, script

from telex.adapters.kafka import FakeFetcher, RegisteredValues
from telex.adapters.kafka.consume import Detected, RecordDecoder, RecordFormat, TopicRecord, TopicWire
from telex.learners.base import BrokenRecordError

STORY = {
    "type": "record",
    "name": "Story",
    "fields": [
        {"name": "ref", "type": "long"},
        {"name": "article", "type": {"type": "record", "name": "Article", "fields": [
            {"name": "body", "type": "string"}, {"name": "headline", "type": ["null", "string"], "default": None}]}},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "tags", "type": {"type": "array", "items": "string"}},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 6, "scale": 2}},
    ],
}  # fmt: skip
VALUE = {
    "ref": 7,
    "article": {"body": "Gold fell.", "headline": "Gold"},
    "at": datetime(1996, 8, 20, tzinfo=UTC),
    "tags": ["metals", "trade"],
    "price": Decimal("5.00"),
}
SPEC = "jsonl:text=article.body,title=article.headline,id=ref,time=at,labels=tags"
PROTO = """
syntax = "proto3";
package news;
import "google/protobuf/timestamp.proto";
import "desk/tag.proto";
message Unused {}
message Outer {
  message Story {
    int64 ref = 1;
    string body = 2;
    google.protobuf.Timestamp at = 3;
    repeated desk.Tag tags = 4;
    string headline = 5;
  }
}
"""
TAG = 'syntax = "proto3"; package desk; message Tag { string code = 1; }'


def avro(schema, value):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(json.loads(json.dumps(schema))), value)
    return out.getvalue()


@pytest.fixture
def registry():
    with FakeRegistry().served() as one:
        yield one


@pytest.fixture
def values(registry):
    return RegisteredValues.of(registry.url)


def test_avro_as_json_would_hold_it(registry, values):
    registry.add(7, STORY)
    for _ in range(3):
        assert values.decode(framed(7, avro(STORY, VALUE))) == {
            **VALUE, "at": "1996-08-20T00:00:00Z", "price": "5.00"
        }  # fmt: skip
    assert registry.asked == ["/schemas/ids/7"]
    with pytest.raises(BrokenRecordError, match="the value does not fit schema 7"):
        values.decode(framed(7, avro(STORY, VALUE)[:9]))


def test_avro_of_several_schemas(registry, values):
    registry.add_subject("article", STORY["fields"][1]["type"])
    registry.add(8, {**STORY, "fields": [{"name": "article", "type": "Article"}]}, references=[("Article", "article")])
    told = avro({**STORY, "fields": STORY["fields"][1:2]}, {"article": VALUE["article"]})
    assert values.decode(framed(8, told)) == {"article": VALUE["article"]}
    registry.add(9, '"string"')
    assert values.decode(framed(9, b"\x06abc")) == "abc"


def test_json_behind_the_magic_byte(registry, values):
    registry.add(1, "{}", "JSON")
    assert values.decode(framed(1, b'{"text": "Gold"}')) == {"text": "Gold"}
    with pytest.raises(BrokenRecordError, match="does not fit schema 1: Input data was truncated"):
        values.decode(framed(1, b"{"))


def test_a_message_of_protobuf_by_its_index(registry, values):
    registry.add_subject("tag", TAG, "PROTOBUF")
    registry.add(3, PROTO, "PROTOBUF", [("desk/tag.proto", "tag")])
    # ref 7; body; at 840499200 s; tags metals and trade: wire types 0 and 2
    story = b"\x08\x07\x12\x0aGold fell.\x1a\x06\x08\x80\x80\xe4\x90\x03\x22\x08\x0a\x06metals\x22\x07\x0a\x05trade"
    assert values.decode(framed(3, b"\x04\x02\x00" + story)) == {
        "ref": "7", "body": "Gold fell.", "at": "1996-08-20T00:00:00Z", "headline": "",
        "tags": [{"code": "metals"}, {"code": "trade"}],
    }  # fmt: skip
    assert values.decode(framed(3, b"\x00")) == {}
    for broken in (b"\x02\x14" + story, b"\x04\x02\x06" + story, b"\x02\x01" + story, b"\x80" * 7, b"",
                   b"\x04\x02\x00" + story[:9]):  # fmt: skip
        with pytest.raises(BrokenRecordError, match="does not fit schema 3"):
            values.decode(framed(3, broken))


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("message {", "PROTOBUF", "its Protobuf schema cannot be compiled"),
        ('syntax = "proto3"; import "no.proto";', "PROTOBUF", "must be among its references"),
        ('{"type": "rec"}', "AVRO", "its Avro schema cannot be read"),
        ("{", "AVRO", "its Avro schema cannot be read"),
        ("x", "XML", "its schema is XML, which is none of AVRO, JSON and PROTOBUF"),
    ],
)
def test_a_schema_that_cannot_be_used_is_asked_for_once(registry, values, text, kind, why):
    registry.add(5, text, kind)
    for _ in range(2):
        with pytest.raises(BrokenRecordError, match=why):
            values.decode(framed(5, b"\0"))
    assert len(registry.asked) == 1


def test_a_name_that_leads_out_of_the_schemas_is_refused(registry, values):
    registry.add_subject("tag", TAG, "PROTOBUF")
    registry.add(3, PROTO, "PROTOBUF", [("../tag.proto", "tag")])
    with pytest.raises(BrokenRecordError, match=r"imports '../tag.proto', which is no name"):
        values.decode(framed(3, b"\0"))


def row(offset, value, key=b"k"):
    return offset, 1000 * (offset + 1), key, value


def read(rows, spec, values, answers=()):
    log = {(DOCS, 0): list(rows), **({(ANSWERS, 0): list(answers)} if answers else {})}
    decoder = RecordDecoder(ANSWERS, RecordFormat.of(spec), values)
    items = list(TopicWire(FakeFetcher(script(log, random.Random(1))), decoder, until_end=True))
    return flat(items), [item.reason for item in items if hasattr(item, "reason")]


def test_documents_and_dead_letters_of_a_topic(registry, values):
    registry.add(7, STORY)
    rows = [row(0, framed(7, avro(STORY, VALUE))), row(1, framed(8, b"x")),
            row(2, b'{"ref": 9, "article": {"body": "x"}}'), row(3, framed(8, b"y")), row(4, b"\0\0")]  # fmt: skip
    told, reasons = read(rows, SPEC, values)
    assert told == [
        ("document", "7", "Gold fell.", 840499200.0), ("letter", f"{DOCS}/0", 1, "decode"), ("document", "9", "x", 3.0),
        ("letter", f"{DOCS}/0", 3, "decode"), ("letter", f"{DOCS}/0", 4, "decode"),
    ]  # fmt: skip
    assert reasons[:2] == ["the schema registry has no schema 8"] * 2
    assert registry.asked == ["/schemas/ids/7", "/schemas/ids/8"]


@pytest.mark.parametrize("spec", [SPEC, "jsonl", "debezium"])
def test_without_a_registry_records_say_so(spec):
    _, reasons = read([row(0, framed(77, b"x"))], spec, None, [row(0, framed(78, b"y"))])
    why = "the value is encoded by schema {} of a schema registry; name the registry with --registry URL"
    assert reasons == [why.format(77), why.format(78)] or reasons == [why.format(78), why.format(77)]


def test_keys_and_answers_and_changes_have_schemas_too(registry, values):
    labels = {
        "type": "record",
        "name": "L",
        "fields": [{"name": "labels", "type": {"type": "array", "items": "string"}}],
    }
    change = {"type": "record", "name": "Envelope", "fields": [
        {"name": "after", "type": ["null", {**STORY, "fields": STORY["fields"][:2]}]},
        {"name": "op", "type": "string"}]}  # fmt: skip
    registry.add(1, '"string"')
    registry.add(2, labels)
    registry.add(3, change)
    after = {name: VALUE[name] for name in ("ref", "article")}
    rows = [row(0, framed(3, avro(change, {"after": after, "op": "c"})), framed(1, b"\x04k7")),
            row(1, framed(3, avro(change, {"after": None, "op": "d"})), framed(1, b"\x04k7"))]  # fmt: skip
    answers = [row(0, framed(2, avro(labels, {"labels": ["metals"]})), framed(1, b"\x04k7"))]
    told, reasons = read(rows, "debezium:text=article.body", values, answers)
    assert (sorted(told, key=str), reasons) == (
        [("answer", "k7", ["metals"]), ("document", "k7", "Gold fell.", 1.0)], []
    )  # fmt: skip


def test_the_first_records_say_which_field_is_what(registry, values):
    registry.add(7, STORY)
    sample = [TopicRecord((DOCS, 0), i, 1.0, b"k%d" % i, framed(7, avro(STORY, {**VALUE, "ref": i}))) for i in range(5)]
    found = Detected.of(sample, RecordFormat.of("jsonl:labels=tags"), values)
    assert found.findings.spec() == "jsonl:labels=tags,text=article.body,title=article.headline"

"""What the records of a topic are, given or found by the first of them.

Covers record_reader and detected_format too.
"""

import json
import math
import random
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from topics.scripted import ANSWERS, DOCS, script

from telex.adapters.formats import open_archive
from telex.adapters.kafka.consume import Detected, RecordFormat, TopicRecord
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.consume.topic_source import TopicWire
from telex.adapters.kafka.fake import FakeFetcher
from telex.learners.base import UnclearInputError, UsageError
from telex.stream.sources import DeadLetter

SPEC = "jsonl:text=article.body,title=article.headline,id=ref,time=meta.ts,labels=tags[].code,time_format=ms"
VALUE = {"ref": 7, "article": {"body": "Gold fell.", "headline": "Gold"}, "meta": {"ts": 840499200000},
         "tags": [{"code": "metals"}, {"code": "trade"}]}  # fmt: skip


def record(value, key=b"k7", headers=()):
    return TopicRecord(
        (DOCS, 0), 7, 5.0, key, value if isinstance(value, bytes) else json.dumps(value).encode(), headers
    )


def row(offset, value, key=None, headers=()):
    return offset, 1000 * (offset + 1), key, value if isinstance(value, bytes) else json.dumps(value).encode(), headers


def read(rows, spec=None, draw=None, detect=None, answers=()):
    """Return the documents and the dead letters of a topic, and its wire."""
    log = {(DOCS, 0): list(rows), **({(ANSWERS, 0): list(answers)} if answers else {})}
    frames = script(log, draw or random.Random(1))
    wire = TopicWire(FakeFetcher(frames), RecordDecoder(ANSWERS, RecordFormat.of(spec)), until_end=True, detect=detect)
    documents, letters = [], []
    for item in wire:
        if isinstance(item, DeadLetter):
            letters.append((item.offset, item.reason))
        else:
            one = item.documents
            columns = (one.ids, one.titles, one.texts, one.times.tolist(), one.labels)
            documents += [(*map(str, cells[:3]), *cells[3:]) for cells in zip(*columns, strict=True)]
    return documents, letters, wire


def detecting(asked=None, told=None):
    def detect(sample):
        found = Detected.of(sample, asked)
        if told is not None:
            told.append(len(sample))
        return found and found.format

    return detect


def test_fields_of_a_record_its_key_and_its_headers():
    [found], letters, _ = read([row(0, VALUE)], SPEC)
    assert found == ("7", "Gold", "Gold fell.", 840499200.0, ["metals", "trade"])
    assert not letters
    headers = (("desk", b"metals"), ("desk", b"trade"), ("other", b"x"))
    spec = "jsonl:text=article.body,title=none,id=key,time=none,labels=headers.desk"
    [found], _, _ = read([row(0, VALUE, b"k", headers)], spec)
    assert found == ("k", "", "Gold fell.", 1.0, ["metals", "trade"])
    [found], _, _ = read([row(0, VALUE, b'{"n": {"x": 9}}', headers[:1])], spec.replace("id=key", "id=key.n.x"))
    assert (found[0], found[-1]) == ("9", ["metals"])


@pytest.mark.parametrize(
    ("spec", "key", "expected"),
    [
        ("jsonl:labels=desk", b"k", "k"),  # no field id
        ("jsonl:labels=desk", None, "Object missing required field `id`"),
        ("jsonl:labels=desk,time=none", None, "there is no id, and the record has no key"),
        ("jsonl:labels=desk,id=none", b"k", f"{DOCS}/0/0"),
        ("jsonl:labels=desk,id=key", None, "the id is missing: the field 'key' has neither a text nor a whole number"),
        ("jsonl:labels=desk,id=headers.no", b"k", "the id is missing: the field 'headers.no' has neither"),
        ("jsonl:labels=desk,id=key", b"\xff", "this is not UTF-8"),
        ("jsonl:labels=desk,id=key.n", b"{", "Input data was truncated"),
        ("jsonl:labels=tags[].x", b"k", "k"),
    ],
)
def test_where_an_id_comes_from(spec, key, expected):
    documents, letters, _ = read([row(0, {"text": "Gold", "desk": "metals"}, key)], spec)
    assert [one[0] for one in documents] == [expected] or letters[0][1].startswith(expected)
    assert len(documents) + len(letters) == 1


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(
    ("time", "spec"),
    [
        (840499200123, ",time_format=ms"),
        ("840499200123", ",time_format=ms"),
        (840499200.123, ""),
        (840499200123000, ",time_format=us"),
        ("1996-08-20T02:00:00.123+02:00", ""),
        ("Tue, 20 Aug 1996 02:00:00 +0200", ",time_format=rfc822"),
        ({"$date": "1996-08-20T00:00:00.123Z"}, ""),
    ],
)
def test_times_as_others_write_them_are_given_or_found(time, spec, given):
    asked = "jsonl:text=article.body,title=article.headline,id=key,time=meta.ts,labels=tags[].code"
    rows = [row(i, {**VALUE, "meta": {"ts": time}}, b"k%d" % i) for i in range(3)]
    if given:
        documents, letters, _ = read(rows, asked + spec)
    else:
        documents, letters, wire = read(rows, asked, None, detecting(RecordFormat.of(asked)))
        assert wire.detected == RecordFormat.of(asked + spec).plain()
    assert ([one[0] for one in documents], letters) == (["k0", "k1", "k2"], [])
    assert documents[0][1:3] == ("Gold", "Gold fell.")
    assert documents[0][3] == pytest.approx(840499200.123 if "rfc822" not in spec else 840499200)
    assert documents[0][4] == ["metals", "trade"]


_TEXTS = st.sampled_from(["Gold fell.", "<p>War &amp; peace</p>", "", 3, None, ["a", "b"]])
_TIMES = st.sampled_from(
    [840499200000, "840499200000", 840499200, "Tue, 20 Aug 1996 00:00:00 GMT", "1996-08-20", None, True, [1]]
)
_LABELS = st.sampled_from(
    ["war", "war; trade", "", ";", None, [], ["war", "war"], [1, True], [{}], 7, {"war": 1, "trade": 0}]
)
_DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "ref": st.sampled_from([1, "x", None, 2.5]),
        "a": st.fixed_dictionaries({"b": _TEXTS}),
        "t": _TIMES,
        "l": _LABELS,
    },
)


@given(
    st.lists(st.one_of(_DOCUMENTS, st.just(b"{"), st.just([1])), min_size=1, max_size=8),
    st.sampled_from(["", ",time=t,time_format=ms", ",time=t", ",time=t,time_format=rfc822"]),
    st.sampled_from(["", ",labels=l", ",labels=l,separator=semicolon", ",labels=none"]),
    st.sampled_from(["", ",html=strip"]),
    st.sampled_from([",id=ref", ",id=hash"]),
    st.integers(0, 1 << 30),
)
@settings(max_examples=40, deadline=None)
def test_the_same_rules_as_for_a_file(tmp_path_factory, values, time, labels, html, name, seed):
    spec = f"text=a.b{time}{labels}{html}{name}"
    raws = [value if isinstance(value, bytes) else json.dumps(value).encode() for value in values]
    path = tmp_path_factory.mktemp("file") / "wire.jsonl"
    path.write_bytes(b"\n".join(raws) + b"\n")
    options = dict(one.split("=", 1) for one in spec.split(","))
    items = list(open_archive(path, "jsonl", guess=False, order="file", **options))
    stories = [item for item in items if not isinstance(item, DeadLetter)]
    documents, letters, _ = read(list(map(row, range(len(raws)), raws)), f"jsonl:{spec}", random.Random(seed))
    rows = [zip(one.ids, one.titles, one.texts, one.labels, strict=True) for one in stories]
    expected = [(*map(str, one[:3]), one[3]) for one in chain(*rows)]
    assert [(*one[:3], one[4]) for one in documents] == expected
    assert [reason for _, reason in letters] == [item.reason for item in items if isinstance(item, DeadLetter)]
    times = [time for one in stories for time in one.times.tolist()]
    found = [one[3] for one in documents]
    assert all(now == then or math.isnan(then) for now, then in zip(found, times, strict=True))


@given(st.integers(0, 1 << 30), st.integers(1, 300))
@settings(max_examples=20, deadline=None)
def test_the_sample_is_decoded_like_the_rest_however_it_was_fetched(seed, count):
    draw = random.Random(seed)
    rows = [
        row(
            i,
            draw.choice([b"{", *[{"headline": "Gold", "content": f"<p>Gold {i} fell.</p>", "desk": "x"}] * 8]),
            b"%d" % i,
        )
        for i in range(count)
    ]
    told = [row(i, {"labels": ["x"]}, b"%d" % i) for i in range(0, count, 3)]
    asked = RecordFormat.of("jsonl:labels=desk")
    found = read(rows, "jsonl:labels=desk", draw, detecting(asked), told)
    if len(found[0]):
        spec = "jsonl:labels=desk,text=content,title=headline,html=strip"
        assert found[2].detected == RecordFormat.of(spec).plain()
        assert found[:2] == read(rows, spec, draw, None, told)[:2]
        assert found[0][0][2].startswith("Gold")
    else:
        assert len(found[1]) == count


def test_what_cannot_be_read_says_nothing_and_the_next_is_asked():
    told = []
    rows = [
        *(row(i, b"{") for i in range(250)),
        *(row(i, {"content": "Gold fell.", "desk": "x"}, b"%d" % i) for i in range(250, 600)),
    ]
    documents, letters, wire = read(rows, None, None, detecting(told=told))
    assert (len(documents), len(letters), documents[0][4]) == (350, 250, ["x"])
    assert told[0] < 250 <= sum(told)
    assert wire.detected == {"format": "jsonl", "text": "content", "labels": "desk"}


def test_a_wire_that_resumes_does_not_guess_again():
    rows = [row(i, {"content": "Gold fell.", "desk": "x"}, b"%d" % i) for i in range(3)]
    wire = TopicWire(FakeFetcher(script({(DOCS, 0): rows}, random.Random(1), {(DOCS, 0): 1})), RecordDecoder(),
                     until_end=True, detect=detecting())  # fmt: skip
    wire.seek({"records": 1, "partitions": {DOCS: {"0": [1, 1000, 3]}}, "late": 0})
    assert [item.reason for item in wire] == ["the text is missing: there is no field 'text'"] * 2
    assert wire.detected == {"format": "jsonl"}


@pytest.mark.parametrize(
    ("values", "spec"),
    [
        ([{"id": 1, "text": "Gold", "labels": ["x"]}], "jsonl"),
        ([{"text": "Gold"}], "jsonl"),
        ([b"<newsitem/>", b" <newsitem/>"], "newsml"),
        (
            [{"body": {"en": "Gold fell in London on Monday."}, "section": "x"}, b"{"],
            "jsonl:text=body.en,labels=section",
        ),
    ],
)
def test_what_a_sample_says(values, spec):
    found = Detected.of(list(map(record, values)))
    assert found.findings.spec() == spec
    assert found.format == RecordFormat.of(spec)


def test_a_question_names_what_to_type():
    found = Detected.of([record({"sender": f"d{i}", "desk": "x"}) for i in range(3)])
    with pytest.raises(UnclearInputError, match="no field could be the text; the fields are sender, desk") as raised:
        found.check(["news"])
    assert raised.value.formats == ("jsonl:labels=desk,text=sender",)


def test_labels_of_a_topic_of_their_own_are_not_looked_for():
    sample = [record({"text": "Gold", "desk": "x", "labels": [1]})]
    assert Detected.of(sample, labelled=False).findings.spec() == "jsonl"
    assert Detected.of(sample).findings.spec() == "jsonl:separator=none"
    [said] = Detected.of([record({"text": "Gold", "n": 1})]).sentences(labelled=True)
    assert "there are text, n: name a field with --format jsonl:labels=FIELD" in said


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("jsnl", "did you mean 'jsonl'"),
        ("jsonl:order=id", "has no option 'order'; it has id, time"),
        ("jsonl:txt=a", "did you mean 'text'"),
        ("newsml:text=a", "it has none"),
        ("jsonl:html=no", "html"),
        ("jsonl:text=a,title=a", "a"),
        ("jsonl:separator=xx,labels=a", "separator=xx: give one character"),
    ],
)
def test_what_is_refused(spec, said):
    with pytest.raises(UsageError, match=said):
        RecordFormat.of(spec)

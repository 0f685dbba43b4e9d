"""JSON lines; `text_records`, `feature_records` and `fields` are tested by the documents of their lines."""

import gzip
import io
import json
import lzma
import math
import random
import sys
import tracemalloc

import numpy as np
import pytest

from telex.adapters.formats.jsonl import Fields, TextRecords
from telex.adapters.formats.jsonl.jsonl import JsonLines
from telex.adapters.formats.reading import epoch_seconds
from telex.learners.base import Batch, BrokenRecordError, UsageError
from telex.stream.sources import DeadLetter, Stories


def wire(*records):
    return "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records).encode()


def record(name, **more):
    return {"id": name, "features": {"cup": 1}, **more}


def test_a_document_in_all_its_forms(file):
    [batch] = JsonLines(file(wire(
        {"id": 7, "time": "1996-08-20T01:00+01:00", "features": {"b": 0.5, "a": 1}, "labels": ["y", "x"], "more": [{}]},
        {"id": "8", "time": 840499200.5, "features": [["c", 2], ["a", 3]], "labels": []},
        {"id": "é", "features": {}, "labels": None},
        {"id": "10", "features": {"a:b": 1}},
    )))  # fmt: skip
    assert list(batch.ids) == ["7", "8", "é", "10"]
    np.testing.assert_array_equal(batch.times, [840499200, 840499200.5, np.nan, np.nan])
    assert list(batch.feature_names) == ["a", "b", "c", "a:b"]
    assert (batch.features.tolist(), batch.values.tolist()) == ([0, 1, 0, 2, 3], [1, 0.5, 3, 2, 1])
    assert batch.indptr.tolist() == [0, 2, 4, 4, 5]
    assert [batch.labels_of(row) for row in range(4)] == [["x", "y"], [], [], []]
    assert batch.labelled.tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": 1', "truncated"),
        ("[]", "Expected `object`"),
        ('{"features": {}}', "missing required field `id`"),
        ('{"id": "", "features": {}}', "the id is empty"),
        ('{"id": null, "features": {}}', "Expected `int | str`, got `null`"),
        ('{"id": true, "features": {}}', "got `bool`"),
        ('{"id": 1}', "features are missing"),
        ('{"id": 1, "features": null}', "got `null`"),
        ('{"id": 1, "features": {"a": "1"}}', "got `str`"),
        ('{"id": 1, "features": {"a": true}}', "got `bool`"),
        ('{"id": 1, "features": {"a": NaN}}', "invalid character"),
        ('{"id": 1, "features": {"a": 1e39}}', "feature 'a' has the value 1e+39"),
        ('{"id": 1, "features": {"a": 3.4028235677973366e38}}', "'a'"),
        ('{"id": 1, "features": {"a": -1e400}}', ""),
        ('{"id": 1, "features": {"a": 1, "b": 2, "a": 1}}', "a feature is given twice"),
        ('{"id": 1, "features": [["a", 1], ["a", 1]]}', "a feature is given twice"),
        ('{"id": 1, "features": [["a"]]}', "length 2"),
        ('{"id": 1, "features": {}, "labels": "x"}', "got `str`"),
        ('{"id": 1, "features": {}, "labels": [1]}', "got `int`"),
        ('{"id": 1, "features": {}, "labels": [" "]}', "a label is empty"),
        (
            '{"id": 1, "features": {}, "time": "20-AUG-1996"}',
            "time '20-AUG-1996' is neither ISO 8601 nor epoch",
        ),
        ('{"id": 1, "features": {}, "time": 1719239123123}', "outside the years 1 to 9999"),
        ('{"id": 1, "features": {}, "more": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deep"),
        ('{"id": "\\ud800", "features": {}}', ""),
    ],
)
def test_broken_records(file, line, reason):
    path = file(wire(record("a"), line, {"id": "b", "features": {"war": 1}}))
    first, letter, last = JsonLines(path)
    offset = len(wire(record("a")))
    assert letter == DeadLetter(line.encode(), str(path), 2, offset, "decode", letter.reason)
    assert reason in letter.reason
    assert letter.reason
    assert (list(first.ids), list(last.ids), last.numbers.tolist()) == (["a"], ["b"], [1])
    assert list(last.feature_names) == ["cup", "war"]


@pytest.mark.parametrize("raw", [b'{"id": "\xff", "features": {}}', b'{"id": 1, "features": {"\xc0\xaf": 1}}'])
def test_what_is_not_utf8_is_broken(file, raw):
    [letter] = JsonLines(file(raw + b"\n"))
    assert letter.raw == raw
    assert "UTF-8" in letter.reason


@pytest.mark.parametrize("rows", [1, 3, 1024])
def test_order_is_of_time_where_the_first_document_has_one(plain, file, rows):
    rng = random.Random(1)
    whole = [record(i, time=840499200 + i // 2, features={f"t{rng.randrange(50)}": i + 1}) for i in range(300)]
    expected = JsonLines(file(wire(*whole), "whole"))
    shuffled = whole[::2] + whole[1::2]  # documents of one time keep their order
    source = JsonLines([file(wire(*shuffled[:100]), "a"), file(wire(*shuffled[100:]), "b")], rows=rows)
    assert source.order == "time"
    assert plain(source) == plain(expected)
    assert list(source.feature_names) == list(expected.feature_names)


def test_documents_without_a_time_follow_the_one_before(file):
    times = [3, None, 1, None, "junk", 2]
    records = [record(str(i), time=time) for i, time in enumerate(times)]
    items = list(JsonLines(file(wire(*records))))
    names = [list(item.ids) if not isinstance(item, DeadLetter) else item.line for item in items]
    assert names == [["2", "3"], 5, ["5", "0", "1"]]


def test_order_of_file_and_of_id(plain, file):
    path = file(wire(record("b"), record(10), record("9", time=1), record("010")))
    assert JsonLines(path).order == "file"
    assert [item[0] for item in plain(JsonLines(path))] == ["b", "10", "9", "010"]
    assert [item[0] for item in plain(JsonLines(path, order="id"))] == ["9", "10", "010", "b"]
    assert JsonLines(file(b"{broken\n" + wire(record(1, time=5)), "late")).order == "time"


def test_blank_lines_crlf_and_no_last_newline(plain, file):
    data = wire(record(1)) + b"\r\n  \n" + wire(record(2)).replace(b"\n", b"\r\n") + wire(record(3)).rstrip()
    assert [item[0] for item in plain(JsonLines(file(data)))] == ["1", "2", "3"]


def test_a_second_pass_numbers_alike(plain, file):
    source = JsonLines(file(wire(*(record(i, labels=[str(i % 3)]) for i in range(50)))), rows=7)
    assert plain(source) == plain(source)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1970-01-01", 0.0),
        ("1970-01-01T00:00:01.5Z", 1.5),
        ("19700101T010000+0100", 0.0),
        (-1, -1.0),
        (2.25, 2.25),
    ],
)
def test_times(text, value):
    assert epoch_seconds(text) == value


@pytest.mark.parametrize("text", ["", "yesterday", "1996-13-01", "840499200", 1e300, float("nan")])
def test_no_times(text):
    with pytest.raises(BrokenRecordError):
        epoch_seconds(text)


def test_recognised_by_content():
    assert JsonLines.recognises(b'\xef\xbb\xbf \n{"id": 1}', "a")
    assert not JsonLines.recognises(b"1 2:3", "a.jsonl")
    assert JsonLines.recognises(b"", "a.jsonl.gz")


def test_wrong_order(file):
    with pytest.raises(UsageError, match="order=date: give one of time, id, file"):
        JsonLines(file(wire(record(1))), order="date")


def text(name, **more):
    return {"id": name, "text": "some words", **more}


def stories(source):
    """Plain values: (id, time, title, text, labels) for documents, (line, reason) for dead letters."""
    items = []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append((item.line, item.reason))
            continue
        assert isinstance(item, Stories)
        assert len(item.ids) == len(item.times) == len(item.titles) == len(item.labels) == len(item) > 0
        times = [None if math.isnan(time) else time for time in item.times.tolist()]
        items += zip(item.ids, times, item.titles, item.texts, item.labels, strict=True)
    return items


def test_a_text_in_all_its_forms(file):
    path = file(wire(
        {"id": 7, "time": "1996-08-20T01:00+01:00", "title": "Gold", "text": "it \u00e9 falls", "labels": ["y", "x"]},
        {"id": "8", "time": 840499200.5, "body": "in the body", "labels": [], "more": [{}], "features": None},
        {"id": "\u00e9", "title": None, "text": "", "labels": None},
        {"id": "9", "text": "wins", "body": "loses", "labels": "only one"},
    ))  # fmt: skip
    assert stories(JsonLines(path)) == [
        ("7", 840499200, "Gold", "it \u00e9 falls", ["y", "x"]),
        ("8", 840499200.5, "", "in the body", []),
        ("\u00e9", None, "", "", None),
        ("9", None, "", "wins", ["only one"]),
    ]


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": 1', "truncated"),
        ("[]", "Expected `object`"),
        ('{"text": "a"}', "missing required field `id`"),
        ('{"id": "", "text": "a"}', "the id is empty"),
        ('{"id": 1.5, "text": "a"}', "got `float`"),
        ('{"id": ' + "1" * 5000 + ', "text": "a"}', "out of range"),
        ('{"id": 1}', "the text is missing: there is no field 'text'"),
        ('{"id": 1, "text": null, "body": null}', "the text is missing: there is no field 'text'"),
        (
            '{"id": 1, "features": {"a": 1}}',
            "these are features, but texts are read; give texts and features in two runs",
        ),
        ('{"id": 1, "text": 5}', "got `int`"),
        ('{"id": 1, "text": ["a"]}', "got `array`"),
        ('{"id": 1, "text": "a", "title": 5}', "got `int`"),
        ('{"id": 1, "text": "a", "labels": 5}', "got `int`"),
        ('{"id": 1, "text": "a", "labels": [1]}', "got `int`"),
        ('{"id": 1, "text": "a", "labels": {"x": true}}', "got `object`"),
        ('{"id": 1, "text": "a", "labels": [""]}', "a label is empty"),
        ('{"id": 1, "text": "a", "labels": ["x", " \\u00a0"]}', "a label is empty"),
        ('{"id": 1, "text": "a", "time": "20-AUG-1996"}', "time '20-AUG-1996' is neither ISO 8601 nor epoch seconds"),
        ('{"id": 1, "text": "a", "time": ""}', "time '' is neither"),
        ('{"id": 1, "text": "a", "time": true}', "got `bool`"),
        ('{"id": 1, "text": "a", "time": 1719239123123}', "outside the years 1 to 9999"),
        ('{"id": 1, "text": "a", "time": ' + "9" * 4000 + "}", "outside the years 1 to 9999"),
        ('{"id": 1, "text": "a", "time": 1e999}', "out of range"),
        ('{"id": 1, "text": "a", "time": "0001-01-01T00:00+10:00"}', "outside the years 1 to 9999"),
        ('{"id": 1, "text": "a", "more": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deep"),
        ('{"id": 1, "text": "\\ud800"}', ""),
        ('{"id": 1, "text": "a"} {"id": 2, "text": "b"}', "trailing characters"),
        ('{"id": 1, "text": "a\\u0000b\x00"}', "invalid character"),
    ],
)
def test_broken_texts(file, line, reason, whole):
    before = wire(text("a"))
    path = file(before + line.encode("utf-8", "surrogatepass") + b"\n" + wire(text("b")))
    items = list(JsonLines(path, rows=1024 if whole else 1))
    letter = next(item for item in items if isinstance(item, DeadLetter))
    assert letter == DeadLetter(line.encode(), str(path), 2, len(before), "decode", letter.reason)
    assert reason in letter.reason
    assert 0 < len(letter.reason) < 400
    assert [list(item.ids) if isinstance(item, Stories) else None for item in items] == [["a"], None, ["b"]]


@pytest.mark.parametrize("where", [b'"text": "\xff"', b'"text": "a", "more": "\xff"', b'"text": "a", "\xc0\xaf": 1'])
def test_what_is_not_utf8_anywhere_in_a_text_is_broken(file, where):
    raw = b'{"id": 1, ' + where + b"}"
    first, letter, last = JsonLines(file(wire(text("a")) + raw + b"\n" + wire(text("b"))))
    assert (letter.raw, letter.reason) == (raw, "this is not UTF-8")
    assert (list(first.ids), list(last.ids)) == (["a"], ["b"])


def test_of_a_field_that_comes_twice_the_last_one_counts(file):
    assert stories(JsonLines(file(b'{"id": 1, "text": "a", "id": "2", "text": "b"}\n')))[0][::3] == ("2", "b")


@pytest.mark.parametrize("title", ["head", "body"])
def test_fields_may_have_other_names(file, title):
    line = {"nr": 1, "when": "1996-08-20", title: "Gold", "content": "falls", "topics": ["x"], "text": 5, "id": []}
    names = {"id": "nr", "time": "when", "text": "content", "title": title, "labels": "topics"}
    source = JsonLines(file(wire(line)), **names)
    assert source.order == "time"
    assert stories(source) == [("1", 840499200, "Gold", "falls", ["x"])]
    line["features"] = {"a": 1}
    assert stories(JsonLines(file(wire(line)), **names))[0][3] == "falls"  # naming the text means texts
    del names["text"]
    [batch] = JsonLines(file(wire(line)), **names)
    assert (list(batch.ids), batch.labels_of(0), list(batch.feature_names)) == (["1"], ["x"], ["a"])


def test_a_missing_field_is_recognised_by_its_own_name(file):
    assert stories(JsonLines(file(wire({"nr": 1, "text": "a"})), id="nr", text="content")) == [
        (1, "the text is missing: there is no field 'content'")
    ]
    assert "`nr`" in stories(JsonLines(file(wire({"id": 1, "text": "a"})), id="nr"))[0][1]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"id": "a", "time": "a"}, "id and time are both read from the field 'a'; give one of them another name"),
        ({"labels": "text"}, "text and labels are both read from the field 'text'"),
        ({"text": "features"}, "features and text are both read from the field 'features'"),
        ({"title": ""}, "title=: give the name of a field, or leave the option out"),
    ],
)
def test_one_field_cannot_be_two_things(file, names, said):
    with pytest.raises(UsageError) as caught:
        JsonLines(file(wire(text(1))), **names)
    assert said in str(caught.value)


def test_the_first_record_that_can_be_decoded_decides_what_all_are(file):
    both = {"id": 3, "text": "a", "features": {"a": 1}}
    lines = ["{", {"id": 1, "text": 5}, text(2), both, record(4), text(5)]
    path = file(wire(*lines))
    assert [item[0] if len(item) == 5 else item for item in stories(JsonLines(path))] == [
        (1, "Input data was truncated"),
        (2, "Expected `str | null`, got `int` - at `$.text`"),
        "2",
        "3",
        (5, "these are features, but texts are read; give texts and features in two runs"),
        "5",
    ]
    items = list(JsonLines(file(wire(*lines[:2], both, *lines[2:]))))
    assert [list(item.ids) if isinstance(item, Batch) else item.line for item in items] == [
        1,
        2,
        ["3"],
        4,
        ["3", "4"],
        7,
    ]
    assert items[3].reason == "this is a text, but features are read; give texts and features in two runs"


def test_what_the_first_file_is_all_are_and_an_empty_one_is_passed_over(file):
    paths = [file(b"", "a"), file(wire(text(1)), "b"), file(wire(record(2)), "c")]
    assert [item[:2] for item in stories(JsonLines(paths))] == [
        (1, "the file is empty"),
        ("1", None),
        (1, "these are features, but texts are read; give texts and features in two runs"),
    ]


def test_a_first_record_longer_than_the_look_ahead_decides_too(file):
    long = {"id": 1, "more": "x" * 100_000, "text": "y" * 300_000, "time": 5}
    source = JsonLines(file(wire(long, text(2, time=3))))
    assert source.order == "time"
    assert [item[0] for item in stories(source)] == ["2", "1"]
    huge = {"id": 1, "text": "y" * 3_000_000}
    assert [item[0] for item in stories(JsonLines(file(wire(huge, text(2)))))] == ["1", "2"]


@pytest.mark.parametrize("rows", [1, 7, 256, 1024])
@pytest.mark.parametrize("order", ["time", "file", "id"])
def test_however_texts_are_cut_they_are_the_same(file, rows, order):
    rng = random.Random(3)
    lines = []
    for i in range(700):
        time = rng.choice([None, 840499200 + rng.randrange(50), f"1996-08-20T00:00:{rng.randrange(60):02}Z"])
        broken = rng.random() < 0.02
        lines.append(
            "{broken"
            if broken
            else text(i, time=time, text="w\u00e9 " * rng.randrange(300), labels=rng.choice(["x", ["y"]]))
        )
    data = wire(*lines)
    cut = data.index(b"\n", len(data) // 2) + 1
    paths = [file(data[:cut], "a"), file(gzip.compress(data[cut:]), "b")]
    expected = stories(JsonLines(paths, rows=64, order=order))
    source = JsonLines(paths, rows=rows, order=order)
    items = list(source)
    assert all(len(item) <= rows for item in items if isinstance(item, Stories))
    assert stories(items) == expected
    assert stories(source) == expected
    assert len(expected) == 700
    assert source.share_read == 1


def test_blank_lines_crlf_and_no_last_newline_between_texts(file):
    data = wire(text(1)) + b"\r\n  \n" + wire(text(2)).replace(b"\n", b"\r\n") + wire(text(3)).rstrip()
    assert [item[0] for item in stories(JsonLines(file(data)))] == ["1", "2", "3"]


PIECES = [
    b'{"id": 1, "text": "a"}', b'{"id": "2", "text": "b", "more": {}}', b'{"id": 3, "text": "c", "more": [{}',
    b'{"id": 4, "text": "d", "more": {}', b'{"id": 5, "text": "', b'"}', b"}\n{", b"]}", b"{", b"}", b"\n", b"\n",
    b"\r", b" ", b",", b"\x00", b"\xff",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_lines_in_one_piece_are_what_they_are_one_by_one(seed):
    rng, same = random.Random(seed), 0
    for _ in range(5000):
        data = b"".join(rng.choices(PIECES, k=rng.randint(1, 6))) + b"\n"
        whole = TextRecords(Fields())
        stop = whole.add_lines(data)
        if stop == 0:
            assert len(whole) == 0
            continue
        single = TextRecords(Fields())
        for line in data[:stop].split(b"\n")[:-1]:
            single.add(line)
        [one], [other] = whole.take(), single.take()
        assert (list(one.ids), list(one.texts)) == (list(other.ids), list(other.texts))
        same += 1
    assert same > 100


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress, lzma.compress])
@pytest.mark.parametrize("passes", [1, 2])
def test_standard_input_of_texts(monkeypatch, squeeze, passes):
    data = squeeze(wire(*(text(i, time=-i) for i in range(5))))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    source = JsonLines("-", passes=passes)
    for _ in range(passes):
        assert [item[0] for item in stories(source)] == ["4", "3", "2", "1", "0"]


def test_a_line_of_50_megabytes_takes_little_memory_and_reading_continues(file):
    piece = b'{"id": 0, "text": "' + b"x" * (50 << 20) + b'"}\n'
    path = file(gzip.compress(wire(text(1)) + piece + wire(text(2)), 1))
    del piece
    tracemalloc.start()
    try:
        items = list(JsonLines(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert stories(items)[1] == (2, "the line is longer than 16 MiB; its first 64 KiB are stored")
    assert [len(item.raw) if isinstance(item, DeadLetter) else list(item.ids) for item in items] == [
        ["1"],
        1 << 16,
        ["2"],
    ]
    assert peak < 45 << 20


@pytest.mark.parametrize("content", [{"text": "gold"}, {"features": {"gold": 1}}, {"vector": [1.0, 2.0]}])
def test_a_label_said_twice_is_one_label(file, content):
    line = {"id": 1, **content, "labels": ["trade", "war", "trade"]}
    [item] = JsonLines(file(json.dumps(line).encode() + b"\n"))
    labels = item.labels if isinstance(item, Stories) else [item.labels_of(0)]
    assert [sorted(some) for some in labels] == [["trade", "war"]]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"text": "gold", "time": "Tue, 20 Aug 1996 02:00:00 +0200"}, "is neither ISO 8601 nor epoch seconds"),
        ({"text": "gold", "time": 1719239123123}, "outside the years"),
        ({"body": "gold", "labels": 7}, "got `int`"),
        ({"vector": [1, "x"]}, "the vector is broken"),
    ],
)
def test_where_no_record_is_sound_the_reason_is_that_of_its_kind(file, fields, reason):
    lines = [json.dumps({"id": i, **fields}).encode() + b"\n" for i in range(3)]
    letters = list(JsonLines(file(b"".join(lines)), order="file"))
    assert len(letters) == 3
    assert all(reason in letter.reason for letter in letters)

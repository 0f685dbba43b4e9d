import json
import random

import numpy as np
import pytest

from telex.adapters.formats.jsonl import JsonLines
from telex.adapters.formats.times import seconds
from telex.learners.errors import BrokenRecordError, UsageError
from telex.stream.deadletter import DeadLetter


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
        ('{"id": 1, "features": {}, "labels": ["x", "y", "x"]}', "label 'x' is given twice"),
        ('{"id": 1, "features": {}, "labels": [""]}', "a label is empty"),
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
    shuffled = whole[::2] + whole[1::2]  # documents of one time stay as they stood
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
    assert seconds(text) == value


@pytest.mark.parametrize("text", ["", "yesterday", "1996-13-01", "840499200", 1e300, float("nan")])
def test_no_times(text):
    with pytest.raises(BrokenRecordError):
        seconds(text)


def test_told_by_content():
    assert JsonLines.recognises(b'\xef\xbb\xbf \n{"id": 1}', "a")
    assert not JsonLines.recognises(b"1 2:3", "a.jsonl")
    assert JsonLines.recognises(b"", "a.jsonl.gz")


def test_wrong_order(file):
    with pytest.raises(UsageError, match="order=date: give one of time, id, file"):
        JsonLines(file(wire(record(1))), order="date")

"""From records with any fields to stories; this file also tests `label_cells` and `mapped_records`."""

import json
import math

import pytest

from telex.adapters.formats.csv import Delimited
from telex.adapters.formats.jsonl import StoryMap, split_cell
from telex.adapters.formats.jsonl.jsonl import JsonLines
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.sources import DeadLetter


def stories(source):
    for item in source:
        if isinstance(item, DeadLetter):
            yield item.reason
        else:
            times = [None if math.isnan(time) else time for time in item.times.tolist()]
            yield from zip(item.ids, times, item.titles, item.texts, item.labels, strict=True)


def lines(*records):
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


@pytest.mark.parametrize(
    ("options", "record", "expected"),
    [
        ({"id": "none"}, {"text": "a", "labels": ["x"]}, ("0", None, "", "a", ["x"])),
        ({"id": "none"}, {"text": "a", "labels": [1, True, 2.0]}, ("0", None, "", "a", ["1", "true", "2"])),
        ({"separator": "none"}, {"id": 3, "text": "a", "labels": 5}, ("3", None, "", "a", ["5"])),
        ({"separator": "none"}, {"id": 3, "text": "a", "labels": False}, ("3", None, "", "a", ["false"])),
        ({"separator": "none"}, {"id": 3, "text": "a", "labels": {"x": 1, "y": 0}}, ("3", None, "", "a", ["x"])),
        ({"separator": "none"}, {"id": 3, "text": "a", "labels": None}, ("3", None, "", "a", None)),
        ({"separator": "none"}, {"id": 3, "text": "a", "labels": " "}, ("3", None, "", "a", None)),
        ({"separator": "pipe"}, {"id": 3, "text": "a", "labels": "x|y|x"}, ("3", None, "", "a", ["x", "y"])),
        ({"separator": ","}, {"id": 3, "text": "a", "labels": ["x, y", "z"]}, ("3", None, "", "a", ["x", "y", "z"])),
        ({"separator": "list"}, {"id": 3, "text": "a", "labels": "['x', 'y']"}, ("3", None, "", "a", ["x", "y"])),
        (
            {"id": "meta.nr", "text": "article.body", "title": "article.head", "labels": "tags[].name", "time": "none"},
            {"meta": {"nr": 3}, "article": {"body": "a", "head": "h"}, "tags": [{"name": "x"}, {}], "time": 7},
            ("3", None, "h", "a", ["x"]),
        ),
        ({"text": "a.b", "id": "none"}, {"a.b": "whole", "a": {"b": "part"}}, ("0", None, "", "whole", None)),
        ({"text": "parts[]", "id": "none"}, {"parts": ["a", "b"]}, ("0", None, "", "a\nb", None)),
        ({"time_format": "ms"}, {"id": 3, "text": "a", "time": 840499200500}, ("3", 840499200.5, "", "a", None)),
        ({"time_format": "iso"}, {"id": 3, "text": "a", "time": {"$date": 7}}, ("3", 7.0, "", "a", None)),
        ({"html": "strip"}, {"id": 3, "text": "<p>R&amp;D</p>", "title": "<b>T</b>"}, ("3", None, "T", "R&D", None)),
        ({"labels": "onehot:x..y"}, {"id": 3, "text": "a", "x": 1, "y": 0}, ("3", None, "", "a", ["x"])),
        ({"labels": "onehot:v"}, {"id": 3, "text": "a", "v": [0, 1, 1]}, ("3", None, "", "a", ["1", "2"])),
        ({"labels": "none"}, {"id": 3, "text": "a", "labels": ["x"]}, ("3", None, "", "a", None)),
        ({"classes": "x|y"}, {"id": 3, "text": "a", "labels": [1, 0]}, ("3", None, "", "a", ["y", "x"])),
        ({"classes": "x|y", "labels": "l"}, {"id": 3, "text": "a", "l": -1}, ("3", None, "", "a", None)),
    ],
)
def test_records_with_any_fields(file, options, record, expected):
    assert list(stories(JsonLines(file(lines(record)), **options))) == [expected]


@pytest.mark.parametrize(
    ("options", "record", "reason"),
    [
        ({"separator": "none"}, {"text": "a"}, "the id is missing"),
        ({"id": "none"}, {"title": "a"}, "the text is missing: there is no field 'text'"),
        ({"id": "none"}, {"text": 5}, "which is no text"),
        ({"id": "none"}, {"text": "a", "labels": [[1]]}, "neither a text nor a number"),
        ({"id": "none"}, {"text": "a", "labels": ["x", " "]}, "a label is empty"),
        ({"id": "none", "separator": "list"}, {"text": "a", "labels": "[x"}, "are no list"),
        ({"id": "none", "time_format": "dmy"}, {"text": "a", "time": "1996"}, "is no date of the form dmy"),
        ({"id": "none"}, {"text": "a", "time": True}, "neither a text nor a number"),
        ({"labels": "onehot:x..y"}, {"id": 1, "text": "a", "x": 7, "y": 0}, "neither 0 nor 1"),
        ({"labels": "onehot:x..y"}, {"id": 1, "text": "a", "x": 1}, "there is no field"),
        (
            {"labels": "onehot:y..x"},
            {"id": 1, "text": "a", "x": 1, "y": 0},
            "'x' comes before 'y': say labels=onehot:x..y",
        ),
        ({"classes": "x|y"}, {"id": 1, "text": "a", "labels": [2]}, "the label '2' is none of the 2 classes"),
        ({"id": "none"}, ["text"], "no object"),
    ],
)
def test_broken_records(file, options, record, reason):
    [found] = stories(JsonLines(file(lines(record)), **options))
    assert reason in found


def test_ids_by_position_in_the_order_of_time(file):
    path = file(lines({"text": "late", "time": 9}, {"text": "", "time": "x"}, {"text": "early", "time": 3}))
    found = [one for one in stories(JsonLines(path, id="none")) if not isinstance(one, str)]
    assert [(one[0], one[3]) for one in found] == [("0", "early"), ("1", "late")]
    with pytest.raises(UsageError, match="these documents have no id"):
        JsonLines(path, id="none", order="id")


def test_ids_by_contents(file):
    path = file(lines({"text": "a", "n": 1}, {"n": 1, "text": "a"}, {"text": "b"}))
    first, second, third = (one[0] for one in stories(JsonLines(path, id="hash")))
    assert first == second != third


def test_ids_in_order(file):
    path = file(lines({"nr": {"n": 9}, "text": "a"}, {"nr": {"n": 10}, "text": "b"}, {"nr": {"n": 2}, "text": "c"}))
    assert [one[0] for one in stories(JsonLines(path, id="nr.n", order="id"))] == ["2", "9", "10"]


@pytest.mark.parametrize(
    ("options", "header", "row", "expected"),
    [
        ({"labels": "onehot:war..trade"}, "id,text,war,peace,trade", "7,t,1,0,1", ["war", "trade"]),
        ({"labels": "onehot:War..Trade"}, "id,text,war,peace,trade", "7,t,0,0,0", []),
        ({"separator": "list"}, "id,text,labels", "7,t,\"['a', 'b']\"", ["a", "b"]),
        ({"separator": "list"}, "id,text,labels", "7,t,[]", []),
        ({"separator": "list", "empty": "none"}, "id,text,labels", "7,t,", []),
        ({"separator": "none"}, "id,text,labels", "7,t,a;b", ["a;b"]),
        ({"labels": "none"}, "id,text,labels", "7,t,a;b", None),
        ({"classes": "x|y"}, "id,text,label", "7,t,1", ["y"]),
        ({"classes": "x|y"}, "id,text,labels", "7,t,1;0", ["y", "x"]),
    ],
)
def test_labels_of_tables(file, options, header, row, expected):
    [(*_, labels)] = stories(Delimited(file(f"{header}\n{row}\n".encode(), "a.csv"), **options))
    assert labels == expected


def test_columns_of_labels_in_the_wrong_order(file):
    with pytest.raises(
        UsageError, match=r"labels=onehot:Trade..war: 'war' comes before 'trade': say .*onehot:war..trade"
    ):
        list(Delimited(file(b"text,war,peace,trade\nt,1,0,1\n", "a.csv"), labels="onehot:Trade..war"))


def test_times_and_markup_of_tables(file):
    path = file(b"text,date\n<i>x</i>,20.08.1996\n", "a.csv")
    assert list(stories(Delimited(path, time_format="dmy", html="strip"))) == [("0", 840499200.0, "", "x", None)]
    assert list(stories(Delimited(path, time="none"))) == [("0", None, "", "<i>x</i>", None)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"separator": "both"}, "separator=both: give one character"),
        ({"time_format": "old"}, "time_format=old: give one of iso"),
        ({"html": "maybe"}, "html=maybe: give keep or strip"),
        ({"empty": "maybe"}, "empty=maybe: give unlabelled or none"),
    ],
)
def test_wrong_settings(options, said):
    with pytest.raises(UsageError, match=said):
        StoryMap(**options)


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ("['sports' 'politics']", ["sports", "politics"]),
        ("['sports'\n \"men's\"\n 'a, \\' b']", ["sports", "men's", "a, ' b"]),
        ("[\"men's\" 'b']", ["men's", "b"]),
        ("['a', 'b' 'c', ' d ']", ["a", "b", "c", "d"]),
        ('["a\\/b", "c"]', ["a/b", "c"]),
        ("('war', 'a, b')", ["war", "a, b"]),
        ("('war',)", ["war"]),
        ("{'war', 'peace', 'trade'}", ["peace", "trade", "war"]),
        ("()", []),
        ("set()", []),
    ],
)
def test_lists_as_python_and_numpy_write_them(cell, labels):
    assert split_cell(cell, "list") == labels


@pytest.mark.parametrize("cell", ["['it''s']", "['a' 'b' ... 'z']", "[1 2]", "[sports]", "{[]: 1}"])
def test_what_is_no_list(cell):
    with pytest.raises(BrokenRecordError, match="are no list"):
        split_cell(cell, "list")


def test_a_list_that_is_too_long():
    with pytest.raises(BrokenRecordError, match="too long"):
        split_cell("[" + "1," * 10**6 + "]", "list")

"""Tables of text; this file and test_parquet.py test the room `tables`, which both formats use."""

import csv
import gzip
import io
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats.csv import Delimited, TabDelimited
from telex.adapters.formats.reading import LONGEST
from telex.adapters.formats.tables import QuotedRows
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter


def stories(source):
    """Plain values: (id, time, title, text, labels) for documents, (line, stage, reason) for dead letters."""
    items = []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append((item.line, item.stage, item.reason))
        else:
            times = [None if math.isnan(time) else time for time in item.times.tolist()]
            items += zip(item.ids, times, item.titles, item.texts, item.labels, strict=True)
    return items


def texts(source):
    return [item[3] if len(item) == 5 else item for item in stories(source)]


def test_columns_by_their_usual_names_in_any_order(file):
    path = file(
        b'Topics,BODY,id,Date,Headline\ntrade; war,"Gold, he said ""fell""",7,1996-08-20,Gold\n"",a\n'.replace(
            b",a\n", b',"two\nlines",8,840499201.5,\n'
        )
        + b"; ,x,9,,\n",
        "a.csv",
    )
    assert stories(Delimited(path, order="file")) == [
        ("7", 840499200.0, "Gold", 'Gold, he said "fell"', ["trade", "war"]),
        ("8", 840499201.5, "", "two\nlines", None),
        ("9", None, "", "x", []),
    ]


@pytest.mark.parametrize(
    ("header", "options"),
    [
        (
            b"nr,when,story,head,codes",
            {"id": "nr", "time": "when", "text": "story", "title": "head", "labels": "codes"},
        ),
        (
            b"NR,When,Story,Head,Codes",
            {"id": "nr", "time": "when", "text": "story", "title": "head", "labels": "codes"},
        ),
    ],
)
def test_columns_by_options(file, header, options):
    path = file(header + b"\n1,1996-08-20,some text,some title,a;b\n", "a.csv")
    assert stories(Delimited(path, **options)) == [("1", 840499200.0, "some title", "some text", ["a", "b"])]


@pytest.mark.parametrize(
    ("name", "options", "cell", "labels"),
    [
        ("labels", {}, "a; b;", ["a", "b"]),
        ("labels", {"separator": "|"}, "a;b|c", ["a;b", "c"]),
        ("labels", {"separator": "pipe"}, "a|b", ["a", "b"]),
        ("labels", {"separator": "blank"}, " a  b ", ["a", "b"]),
        ("label", {}, "home; sport", ["home; sport"]),
        ("Category", {}, "a;b", ["a;b"]),
        ("category", {"separator": ";"}, "a;b", ["a", "b"]),
        ("labels", {}, "", None),
        ("labels", {"empty": "none"}, "", []),
        ("labels", {}, ";", []),
        ("labels", {}, "a;;b", "a label is empty"),
        ("labels", {}, "a;b;a", ["a", "b"]),
    ],
)
def test_labels_in_a_cell(file, name, options, cell, labels):
    [item] = stories(Delimited(file(f"id,text,{name}\n1,t,{cell}\n".encode(), "a.csv"), **options))
    assert item == ((2, "decode", labels) if isinstance(labels, str) else ("1", None, "", "t", labels))


@pytest.mark.parametrize(("sign", "given"), [(",", None), (";", None), ("\t", None), ("|", "pipe"), ("\t", "tab")])
def test_delimiters(file, sign, given):
    data = f"id{sign}text{sign}labels\n1{sign}a b{sign}x\n".encode()
    assert stories(Delimited(file(data, "a.txt"), delimiter=given, empty="none"))[0][3:] == ("a b", ["x"])


def test_named_tsv_tabs_are_between_cells_whatever_the_header_holds(file):
    path = file(b"text\twho, what, when\n1\tx,y\n", "a")
    assert texts(TabDelimited(path)) == ["1"]
    assert texts(TabDelimited(file(b"text,a\n1,2\n", "b"), delimiter="comma")) == ["1"]


def test_the_first_row_that_can_be_read_says_whether_there_are_times(file):
    path = file(b"id,time,text\n1,20.08.1996,a\n2,1996-08-22,b\n3,1996-08-21,c\n")
    assert texts(Delimited(path))[1:] == ["c", "b"]
    assert texts(Delimited(file(b"id,time,text\n1,,a\n2,8,b\n3,7,c\n"))) == ["a", "b", "c"]


def test_without_ids_positions_in_the_stream_are_ids(file):
    paths = [file(b"text\na\n\xff\nb\n", "a.csv"), file(b"id,text\nx,c\n", "b.csv")]
    source = Delimited(paths, rows=1)
    assert source.ids_are_positions
    assert [(item[0], item[3]) for item in stories(source) if len(item) == 5] == [("0", "a"), ("1", "b"), ("2", "c")]
    with pytest.raises(UsageError, match="order=id: these documents have no id; give order=time or order=file"):
        Delimited(paths, order="id")


def test_a_later_file_must_have_ids_where_the_first_has(file):
    items = stories(Delimited([file(b"id,text\n1,a\n", "a.csv"), file(b"text\nb\n", "b.csv")]))
    assert items[0][3] == "a"
    assert items[1][1] == "read"
    assert "has no column of ids" in items[1][2]


def test_files_may_have_their_columns_in_another_order_and_other_delimiters(file):
    paths = [file(b"id,time,text\n1,2,a\n2,4,b\n", "a.csv"), file(b"text\ttime\tid\nc\t1\t3\n", "b.tsv")]
    source = Delimited(paths)
    assert source.order == "time"
    assert texts(source) == texts(source) == ["c", "a", "b"]
    assert texts(Delimited(paths, order="file")) == ["a", "b", "c"]
    assert texts(Delimited(paths, order="id")) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"2,b", "the number of cells is 2, in the header 3"),
        (b"2,b,,", "the number of cells is 4, in the header 3"),
        (b"2,b\0,", "this holds a NUL byte"),
        (b"2,\xe9,", "this is not UTF-8"),
        (b",b,", "the id is empty"),
        (b"2,b,yesterday", "time 'yesterday' is neither ISO 8601 nor epoch seconds"),
        (b"2,b,99999999999999999999", "time 1e+20 is outside the years 1 to 9999; give epoch seconds"),
        (b'2,"two\nlines"', "the number of cells is 2, in the header 3"),
    ],
)
def test_a_broken_row_is_a_dead_letter_and_reading_continues(file, row, reason):
    path = file(b"\xef\xbb\xbfid,text,time\n1,a,\n" + row + b"\n3,c,\n", "a.csv")
    first, letter, last = Delimited(path)
    assert letter == DeadLetter(row, str(path), 3, 21, "decode", reason)
    assert (list(first.texts), list(last.texts)) == (["a"], ["c"])


def test_blank_lines_crlf_and_no_last_newline(file):
    assert texts(Delimited(file(b'id,text\r\n\r\n1,"a\r\nb"\r\n  \r\n2,c', "a.csv"))) == ["a\r\nb", "c"]


def test_a_quote_never_closed_costs_its_line_alone(file):
    data = b'id,text\n1,a\n2,"b\n3,c\n4,d\n'
    assert texts(Delimited(file(data, "a.csv"))) == [
        "a",
        (3, "decode", "a quote is opened in this line and never closed"),
        "c",
        "d",
    ]


def test_a_quote_never_closed_in_a_huge_file_costs_its_line_alone(file):
    row = b"7," + b"x" * 500 + b"\n"
    data = b'id,text\n1,"b\n' + row * (LONGEST // len(row) + 2) + b'8,"whole ""one"""\n'
    items = texts(Delimited(file(data, "a.csv")))
    assert items[0] == (2, "decode", "a quote is opened in this line and never closed")
    assert len(items) == 1 + LONGEST // len(row) + 2 + 1
    assert items[-1] == 'whole "one"'


def test_time_stays_in_proportion_where_every_line_leaves_a_quote_open():
    rows = QuotedRows(",")
    lines = ((b'x",".', ("a", i, 6 * i)) for i in range(150_000))
    letters = [*rows.feed((b'"' if not i else line, place) for i, (line, place) in enumerate(lines)), *rows.end()]
    assert all(isinstance(letter, DeadLetter) for letter in letters)
    assert any("lines are skipped" in letter.reason for letter in letters)


def test_a_line_too_long_inside_quotes_ends_the_row(file):
    data = b'id,text\n1,"a\n' + b"x" * (LONGEST + 1) + b"\n2,b\n"
    assert texts(Delimited(file(data, "a.csv"))) == [
        (2, "decode", "a quote is opened in this line and never closed"),
        (3, "decode", "the line is longer than 16 MiB; its first 64 KiB are stored"),
        "b",
    ]


@given(st.lists(st.text('a",;\n', max_size=12), max_size=6).map("\n".join), st.integers(0, 30))
def test_rows_and_cells_are_those_of_the_csv_module(text, cut):
    if text.count('"') % 2:
        text += '"'
    lines = [(line.encode(), ("a", i, 0)) for i, line in enumerate(text.split("\n"))]
    rows = QuotedRows(",")
    got = [*rows.feed(lines[:cut]), *rows.feed(lines[cut:])]
    if rows.is_open:
        return  # the module takes what is not closed for whole
    expected = [row for row in csv.reader(io.StringIO(text + "\n", newline="")) if row]
    assert [rows.cells(raw.decode()) for raw, _ in got] == expected


@given(st.lists(st.lists(st.text('aé",\n;', max_size=5), min_size=2, max_size=2), min_size=1, max_size=8))
def test_what_the_csv_module_writes_is_read(rows):
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["text", "title"], *rows])
    reader = QuotedRows(",")
    lines = [(line, ("a", i, 0)) for i, line in enumerate(out.getvalue().encode().split(b"\n"))]
    assert [reader.cells(raw.decode()) for raw, _ in reader.feed(lines)][1:] == rows


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (b"id,story\n1,a\n", {}, "has no column for the text; its columns are id, story: say text=COLUMN"),
        (b"id,story\n1,a\n", {"text": "storey"}, "text=storey: {path} has no such column; did you mean story?"),
        (b"id,text\n1,a\n", {"labels": "q"}, "labels=q: {path} has no such column; there are id, text"),
        (b"text,text\n1,a\n", {}, "has 2 columns that are called 'text'; give each its own name"),
        (b"id,text\n1,a\n", {"separator": "and"}, "separator=and: give one character, or comma, semicolon, tab"),
        (b"id,text\n1,a\n", {"delimiter": '"'}, "give one character"),
        (b"id,text\n1,a\n", {"empty": "maybe"}, "empty=maybe: give unlabelled or none"),
        (b"id,text\n1,a\n", {"text": "a", "title": "a"}, "text and title are both read from the field 'a'"),
        (b"id,text\n1,a\n", {"order": "date"}, "order=date: give one of time, id, file"),
        ("id,text\n".encode("utf-16"), {}, "is not in UTF-8; convert it, as with iconv -t utf-8"),
    ],
)
def test_wrong_use_is_one_sentence(file, data, options, said):
    path = file(data, "a.csv")
    with pytest.raises(UsageError) as caught:
        Delimited(path, **options)
    assert said.format(path=path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_later_file_without_a_text_is_a_dead_letter(file):
    paths = [
        file(b"id,text\n1,a\n", "a.csv"),
        file(b"id,b\n1,a\n", "b.csv"),
        file(b"", "c.csv"),
        file(b"id,text\n2,b\n", "d"),
    ]
    first, second, third, last = Delimited(paths)
    assert (list(first.texts), list(last.texts)) == (["a"], ["b"])
    assert [(second.line, second.stage), (third.line, third.stage)] == [(1, "read"), (1, "read")]
    assert "no column for the text" in second.reason


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress])
@pytest.mark.parametrize("order", [None, "file"])
def test_standard_input(monkeypatch, squeeze, order):
    data = squeeze(b'id,time,text\n1,7,"b\nc"\n2,6,a\n')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    source = Delimited("-", order=order)
    assert texts(source) == (["b\nc", "a"] if order else ["a", "b\nc"])


def test_a_file_that_breaks_off(file):
    whole = gzip.compress(b"id,text\n" + b"".join(b"%d,some text %d\n" % (i, i * i) for i in range(20_000)))
    *items, letter = texts(Delimited(file(whole[: len(whole) // 2], "a.csv.gz")))
    assert len(items) > 1000
    assert letter[1:] == ("read", "the gzip data are incomplete")


@pytest.mark.parametrize(
    ("head", "path", "expected"),
    [
        (b"id,text\n", "x", True),
        (b'"id";"Body"\n', "x", True),
        (b"a\tb\n", "x.tsv.gz", True),
        (b"a\tb\n", "x", False),
        (b"text\n", "x", False),
        (b"", "x.csv.gz", True),
        (b"", "x", False),
        (b'{"id": 1, "text": 2}', "x.csv", False),
        (b"<a>,text", "x", False),
        (b"trade,text 1:0.5\n", "x", False),
    ],
)
def test_recognised_by_content(head, path, expected):
    assert Delimited.recognises(head, path) is expected


def test_share_read_grows_to_the_whole(file):
    source = Delimited(file(b"id,text\n" + b"1,a\n" * 1000, "a.csv"))
    shares = [source.share_read for _ in source]
    assert shares[-1] == 1


@pytest.mark.parametrize(
    "data",
    [
        b"text,labels\rGold,a\rSilver,b\r",
        b'"text","labels"\r"Gold","a"\r"Silver, ""too',
        b"text,labels\r" + b"Gold,a\r" * 20_000,
    ],
)
def test_lines_that_end_in_carriage_returns_alone_are_refused(file, data):
    with pytest.raises(UsageError, match=r"mac.csv end in carriage returns alone.*tr '\\r' '\\n' < "):
        Delimited(file(data, "mac.csv"))


def test_a_further_file_of_lines_that_end_in_carriage_returns_is_a_dead_letter(file):
    good, mac = (
        file(b"id,text,labels\r\r\n1,Gold,a\r\r\n", "good.csv"),
        file(b"id,text,labels\r2,Silver,b\r", "mac.csv"),
    )
    [document, letter] = stories(Delimited([good, mac]))
    assert document[4] == ["a"]
    assert "carriage returns alone" in letter[2]

"""What is said of samples; tests/messy has whole files."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats import look_at, open_archive
from telex.adapters.formats.detection import Guess, Question, encoding_of
from telex.adapters.formats.detection.date_formats import date_format
from telex.adapters.formats.detection.label_checks import seen_always, seen_once
from telex.adapters.formats.detection.markup import html_guess
from telex.adapters.formats.detection.roles import find_roles
from telex.adapters.formats.detection.sample import MOST, take_sample
from telex.adapters.formats.detection.separators import label_separator
from telex.adapters.formats.reading import Input, time_reader

DATES = st.lists(st.dates(datetime.date(1000, 1, 1), datetime.date(9999, 12, 30)), min_size=1, max_size=9)
LABELS = st.lists(st.text("abcdefg", min_size=1, max_size=3), min_size=1, max_size=4, unique=True)


@given(st.lists(st.text(), max_size=5))
def test_what_is_utf8_is_read_as_utf8(lines):
    assert encoding_of("\n".join(lines).encode("utf-8", "replace")) == "utf-8"


@given(st.lists(st.sampled_from(["fällt für", "über Öl", "garçon né", "“so”", "plain"]), min_size=1, max_size=5))
def test_windows_1252_is_told_from_utf8(words):
    text = "\n".join(words)
    assert encoding_of(text.encode("cp1252")) == ("utf-8" if text.isascii() else "cp1252")


@given(DATES, st.sampled_from("./-"), st.booleans())
def test_days_and_months_are_told_apart_or_asked_about(dates, sign, day_first):
    order = ["%d", "%m"] if day_first else ["%m", "%d"]
    texts = [sign.join([date.strftime(order[0]), date.strftime(order[1]), f"{date.year:04}"]) for date in dates]
    found = date_format("date", texts)
    name = "dmy" if day_first else "mdy"
    if any(date.day > 12 for date in dates):
        assert found.value == name
        read = time_reader(found.value)
        midnights = [datetime.datetime.combine(date, datetime.time(), datetime.UTC).timestamp() for date in dates]
        assert list(map(read, texts)) == midnights
    elif sign == ".":
        assert found.value == "dmy"
    else:
        assert [choice.get("time_format") for choice in found.choices] == ["dmy", "mdy", None]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], None),
        (["", " "], None),
        ([1.5, 2], None),
        (["840499200"], None),
        (["840499200000"], "ms"),
        ([840499200000000], "us"),
        ([19960820], "%Y%m%d"),
        ([1996, 1997], "%Y"),
        (["1996-08-20T01:00Z", "x"], None),
        (["20 August 1996", "1 May 1997"], "%d %B %Y"),
        (["1996/08/20"], "%Y/%m/%d"),
        (["Aug 20, 1996 10:30 AM"], "%b %d %Y %I:%M %p"),
        (["Tue Aug 20 01:00:00 +0000 1996"], "%a %b %d %H:%M:%S %z %Y"),
        (["1996-08-20 01:00:00 UTC"], "%Y-%m-%d %H:%M:%S UTC"),
        (["20-Aug-1996"], "%d-%b-%Y"),
        (["20.08.1996 10:30"] * 9 + ["?"], "dmy"),
        (["20/13/1996", "13/20/1996"], "asked"),
        (["soon", "later"], "asked"),
    ],
)
def test_formats_of_times(values, expected):
    found = date_format("date", values)
    assert ("asked" if isinstance(found, Question) else found and found.value) == expected


@given(st.lists(LABELS, min_size=20, max_size=40), st.sampled_from(["|", ";"]))
def test_pipes_and_semicolons_separate(sets, sign):
    cells = [sign.join(some) for some in sets]
    found = label_separator("labels", cells, "\t")
    names = {"|": "pipe", ";": "semicolon"}
    held = sum(sign in cell for cell in cells)
    assert (found and found.value) == (names[sign] if held >= 0.05 * len(cells) and held else None)


@pytest.mark.parametrize(
    ("cells", "single", "expected"),
    [
        (["a;b", "b"], False, None),
        (["a|b", "b", "a"], True, "pipe"),
        (["home; sport"], True, "asked"),
        (["New York", "world"], False, None),
        (["a, b", "b", "a"], False, "comma"),
        (["[1, 2]", "[2]"], False, "list"),
        (["[not a list", "x]"], False, None),
        (["[x", "[y]", "[z]"], False, None),
        (["('war', 'peace')", "('war',)", "()"], False, "list"),
        (["{'war', 'peace'}", "{'war'}", "set()"], False, "list"),
        (["['war' 'peace']", "['war']"], False, "list"),
        (["(war)", "(peace)"], False, None),
        (["Congo (north)", "Congo (south)"], True, None),
        (["[war, peace]", "[war]", "[peace]"], False, "asked"),
        (["[war, peace]", "[war]", "[peace]"], True, "asked"),
        (["[war; peace]", "[war]", "[peace]"], False, "asked"),
        (["array(['war', 'peace'], dtype=object)"], False, "asked"),
        (["{'war': 1, 'peace': 0}"], False, "asked"),
        ([], False, None),
    ],
)
def test_separators(cells, single, expected):
    found = label_separator("labels", cells, None if single else ";", single=single)
    assert ("asked" if isinstance(found, Question) else found and found.value) == expected


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"Text": ["a"], "LABEL": ["x"]}, {"text": "Text", "labels": "LABEL"}),
        ({"title": ["a"], "body": ["b"], "tags": [["x"]]}, {"title": "title", "text": "body", "labels": "tags"}),
        ({"title": ["a"], "label": [1]}, {"text": "title", "labels": "label"}),
        ({"text": [{"a": 1}], "a.text": ["b"], "b.text": ["c"]}, {"text": "a.text"}),
        ({"text": ["a"], "label": [1], "label_name": ["x"]}, {"text": "text", "labels": "label_name"}),
        ({"x": ["long enough to be what is meant by a text"], "y": ["short"]}, {"text": "x"}),
        ({"x": ["long enough to be what is meant by a text"], "y": ["as long as the other, so that it may be it"]}, {}),
        ({"text": ["a"], "labels.war": [True], "labels.peace": [False]}, {"text": "text", "labels": "labels"}),
    ],
)
def test_roles(columns, expected):
    assert {role: name for role, (name, _) in find_roles(columns, {}).items()} == expected


def test_what_is_given_is_left_as_it_is():
    assert find_roles({"text": ["a"], "story": ["b"]}, {"text": "story"})["text"] == ("story", "it is given")


@pytest.mark.parametrize("text", ["1 < 2", "a <b c", "R&D", "<unknown>", "AT&T; and more"])
def test_what_is_no_html(text):
    assert html_guess("text", [text]) is None


@pytest.mark.parametrize("text", ["<P>x", "a<br/>b", 'see <a href="x">this</a>', "x &#8217;", "a&nbsp;b"])
def test_what_is_html(text):
    assert html_guess("text", ["plain"] * 9 + [text]).value == "strip"


def test_odd_labels_need_many():
    assert seen_once([(str(i), 1) for i in range(49)]) is None
    assert seen_once([(str(i), 2) for i in range(100)]) is None
    assert seen_always([("news", 19)], 19) is None


def test_a_sample_of_a_large_file_holds_some_of_its_middle(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"id": {i}, "text": "{"x" * 900}", "label": "{"late" if i > 1500 else "early"}"}}\n'
                            for i in range(5000)))  # fmt: skip
    sample = take_sample("jsonl", Input(path), {})
    assert not sample.whole
    assert {record["label"] for record in sample.records} == {"early", "late"}
    assert MOST < len(sample.records) < 1200
    findings, files = look_at(path)
    assert dict(findings.labels).keys() == {"early", "late"}
    assert files == [str(path)]


@pytest.mark.parametrize("content", ['"features": {"x": 1}', '"features": [["x", 1]]', '"vector": [1, 2]'])
def test_features_and_vectors_are_left_to_the_format_but_for_odd_labels(tmp_path, content):
    path = tmp_path / "a.jsonl"
    for labels, said in (
        ('["war"]', "every one of the 30 documents"),
        ("null", "none of the first 30 records has labels"),
    ):
        path.write_text(f'{{"id": 1, {content}, "labels": {labels}}}\n' * 30)
        findings, _ = look_at(path)
        assert not findings.guesses
        assert not findings.questions
        [warning] = findings.warnings
        assert said in warning


def test_a_parquet_file(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    path = tmp_path / "a.parquet"
    when = [datetime.datetime(1996, 8, 20, tzinfo=datetime.UTC)] * 40
    table = {"article": ["<p>gold</p>"] * 40, "tags": ["a|b", "b", "a", "c|a"] * 10, "date": when}
    pytest.importorskip("pyarrow.parquet").write_table(pa.table(table), path)
    findings, _ = look_at(path)
    assert findings.settings == {"text": "article", "separator": "pipe", "html": "strip"}
    assert dict(findings.labels) == {"a": 30, "b": 20, "c": 10}
    [stories] = open_archive(path)
    assert (stories.texts[0], stories.labels[0], stories.times[0]) == ("gold", ["a", "b"], when[0].timestamp())


def test_a_guess_says_why():
    assert label_separator("labels", ["a|b", "b"], ";") == Guess(
        "separator", "pipe", "'labels' holds 'a|b', and 50% of such parts recur"
    )

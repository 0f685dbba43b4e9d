"""Parquet files; this file alone tests `tables/parquet_reader`, which the format uses."""

import datetime
import gzip
import io
import json
import math
import sys

import pytest

from telex.adapters.formats.parquet import Parquet
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


@pytest.fixture
def table(tmp_path):
    def write(columns, name="a.parquet", **options):
        path = tmp_path / name
        pq.write_table(pa.table(columns), path, **options)
        return path

    return write


def stories(source):
    items = []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append((item.line, item.stage, item.reason))
        else:
            times = [None if math.isnan(time) else time for time in item.times.tolist()]
            items += zip(item.ids, times, item.titles, item.texts, item.labels, strict=True)
    return items


def test_documents_with_all_their_columns(table):
    when = datetime.datetime(1996, 8, 20, tzinfo=datetime.UTC)
    path = table({
        "id": ["7", "8"], "more": [[1], [2]], "Date": pa.array([when, None], pa.timestamp("us", "UTC")),
        "headline": ["Gold", None], "body": ["fällt", ""], "labels": [["a", "b"], None],
    })  # fmt: skip
    assert stories(Parquet(path)) == [("7", 840499200.0, "Gold", "fällt", ["a", "b"]), ("8", None, "", "", None)]


@pytest.mark.parametrize(
    ("times", "value"),
    [
        (pa.array([840499200123456789], pa.timestamp("ns")), 840499200.1234568),
        (pa.array([840499200], pa.timestamp("s", "Europe/Berlin")), 840499200.0),
        (pa.array([datetime.date(1996, 8, 20)], pa.date32()), 840499200.0),
        (pa.array([datetime.date(1996, 8, 20)], pa.date64()), 840499200.0),
        (["1996-08-20T02:00+02:00"], 840499200.0),
        (["840499200.5"], 840499200.5),
        ([840499200], 840499200.0),
        ([840499200.5], 840499200.5),
        ([math.nan], None),
        (pa.array(["1996-08-20"]).dictionary_encode(), 840499200.0),
    ],
)
def test_times(table, times, value):
    assert stories(Parquet(table({"id": ["1"], "text": ["t"], "time": times})))[0][1] == value


@pytest.mark.parametrize(
    ("labels", "options", "expected"),
    [
        ([[]], {}, []),
        (["a;b"], {}, ["a", "b"]),
        (["a;b"], {"separator": "|"}, ["a;b"]),
        ([""], {}, None),
        ([""], {"empty": "none"}, []),
        (pa.array(["a;b"]).dictionary_encode(), {}, ["a", "b"]),
        (pa.array([["a"]], pa.large_list(pa.string())), {}, ["a"]),
        ([["a", None]], {}, "a label is null"),
        ([["a", "a"]], {}, ["a"]),
        ([["a", ""]], {}, "a label is empty"),
        ([7], {}, ["7"]),
        ([[7, 8, 7]], {}, ["7", "8"]),
        (["['a', 'b']"], {"separator": "list"}, ["a", "b"]),
    ],
)
def test_labels(table, labels, options, expected):
    [item] = stories(Parquet(table({"id": ["1"], "text": ["t"], "labels": labels}), **options))
    assert item == ((1, "decode", expected) if isinstance(expected, str) else ("1", None, "", "t", expected))


def test_order_and_a_second_pass(table):
    n = 1000
    path = table({"id": [str(i) for i in range(n)], "time": [(i * 7) % n for i in range(n)], "text": ["t"] * n})
    source = Parquet(path, rows=64)
    assert source.order == "time"
    found = stories(source)
    assert [item[1] for item in found] == list(range(n))
    assert stories(source) == found
    assert [item[0] for item in stories(Parquet(path, order="file"))] == [str(i) for i in range(n)]
    assert source.share_read == 1


def test_without_ids_positions_in_the_stream_are_ids(table):
    source = Parquet([table({"text": ["a", None, "b"]}), table({"id": [9], "text": ["c"]}, "b.parquet")])
    assert source.ids_are_positions
    assert [item[0] for item in stories(source) if len(item) == 5] == ["0", "1", "2"]


def test_rows_that_are_broken_are_dead_letters_as_json(table):
    path = table({"id": ["1", None, "", "4"], "text": ["a", "b", "c", None], "time": ["", "", "", "never"]})
    _, *letters = Parquet(path)
    assert [(letter.line, letter.stage, letter.reason) for letter in letters] == [
        (2, "decode", "the id is missing"),
        (3, "decode", "the id is empty"),
        (4, "decode", "the text is missing"),
    ]
    assert json.loads(letters[2].raw) == {"text": None, "id": "4", "time": "never"}


def test_what_is_not_utf8_is_a_dead_letter_among_the_others(table):
    bad = pa.array([b"a", b"\xff", b"c"], pa.binary()).view(pa.string())
    first, letter, last = Parquet(table({"id": [1, 2, 3], "text": bad}))
    assert (first.texts, last.texts) == (["a"], ["c"])
    assert (letter.line, letter.reason, b"\xff" in letter.raw) == (2, "this is not UTF-8", True)


@pytest.mark.parametrize("cut", [0.5, 0.99])
def test_a_truncated_file_is_a_dead_letter_and_the_next_is_read(table, tmp_path, cut):
    whole = table({"id": [1, 2], "text": ["a", "b"]})
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * cut)])
    items = stories(Parquet([broken, whole]))
    assert (items[0][:2], len(items)) == ((1, "read"), 3)
    assert items[0][2].startswith("this is no parquet file, or an incomplete one: ")


@pytest.mark.parametrize("data", [b"", b"id,text\n1,a\n", b"PAR1" * 1000])
def test_a_foreign_file_is_a_dead_letter(tmp_path, data):
    path = tmp_path / "a"
    path.write_bytes(data)
    [letter] = Parquet(path)
    assert letter.stage == "read"
    assert letter.raw == data


def test_damage_in_the_middle_ends_behind_what_could_be_read(table):
    path = table({"id": list(range(5000)), "text": [f"some text {i * i}" for i in range(5000)]}, row_group_size=1000)
    data = bytearray(path.read_bytes())
    at = len(data) // 2
    data[at : at + 2000] = bytes(2000)
    path.write_bytes(data)
    *items, letter = stories(Parquet(path))
    assert len(items) >= 1000
    assert letter[1] == "read"


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress])
def test_standard_input(table, monkeypatch, squeeze):
    data = squeeze(table({"id": [1, 2], "text": ["a", "b"]}).read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    source = Parquet("-", passes=2)
    assert stories(source) == stories(source) == [("1", None, "", "a", None), ("2", None, "", "b", None)]


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        ({"story": ["a"]}, {}, "has no column for the text; its columns are story: say text=COLUMN"),
        ({"story": ["a"]}, {"text": "storys"}, "did you mean story?"),
        ({"text": [1]}, {}, "the column 'text' holds int64, not texts; say text=COLUMN"),
        (
            {"text": ["a"], "labels": [1.5]},
            {},
            "the column 'labels' holds double, not lists of texts or whole numbers, or texts or whole numbers; say",
        ),
        ({"text": ["a"], "id": [1.5]}, {}, "the column 'id' holds double, not texts or whole numbers; say id="),
        ({"text": ["a"]}, {"order": "id"}, "these documents have no id"),
    ],
)
def test_wrong_use_is_one_sentence(table, columns, options, said):
    with pytest.raises(UsageError) as caught:
        Parquet(table(columns), **options)
    assert said in str(caught.value)


def test_without_the_library_the_extra_is_named(table, monkeypatch):
    path = table({"text": ["a"]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'telex\[parquet\]'"):
        Parquet(path)


def test_recognised_by_content():
    assert Parquet.recognises(b"PAR1\x15", "a")
    assert not Parquet.recognises(b"id,text", "a.parquet")
    assert Parquet.recognises(b"", "a.parquet")


# -- vectors


def vectors(source):
    items = []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append((item.line, item.reason))
        else:
            rows = item.values.reshape(len(item), -1).tolist()
            items += zip(item.ids, rows, map(item.labels_of, range(len(item))), strict=True)
    return items


@pytest.mark.parametrize(
    "kind",
    [pa.list_(pa.float32()), pa.list_(pa.float64()), pa.large_list(pa.float16()), pa.list_(pa.int8()),
     pa.list_(pa.float32(), 2)],
)  # fmt: skip
def test_a_list_column_holds_vectors(table, kind):
    embedding = pa.array([[1, 2], [0, -3], [4, 5]], kind)
    path = table({"id": ["a", "b", "c"], "embedding": embedding, "labels": [["x"], [], None]})
    source = Parquet(path, vector="embedding", rows=2)
    assert vectors(source) == [("a", [1, 2], ["x"]), ("b", [0, -3], []), ("c", [4, 5], [])]
    assert (source.dense, source.scaling, list(source.feature_names)) == (True, "standard", [0, 1])


def test_vectors_in_the_order_of_their_times(table):
    path = table({"embedding": [[1.0], [2.0], [3.0]], "time": [30, 10, 20], "text": ["Gold", "falls", None]})
    assert vectors(Parquet(path, vector="embedding")) == [("0", [2.0], []), ("1", [3.0], []), ("2", [1.0], [])]


def test_broken_vectors_are_dead_letters(table):
    given = [[1.0, 2.0], None, [1.0, None], [math.nan, 1.0], [1.0, math.inf], [1.0], [1.0, 1e300], [3.0, 4.0]]
    path = table({"id": list("abcdefgh"), "embedding": given})
    not_finite = "the vector holds NaN, an infinity or a null"
    first, missing, *others, shorter, large, last = vectors(Parquet(path, vector="embedding"))
    assert (first, missing, last) == (("a", [1, 2], []), (2, "the vector is missing"), ("h", [3, 4], []))
    assert others == [(3, not_finite), (4, not_finite), (5, not_finite)]
    assert shorter[1].startswith("the length of the vector is 1, that of those before it 2")
    assert large == (7, not_finite)  # in float32


def test_a_column_that_holds_no_vectors(table):
    path = table({"embedding": [["a"]], "text": ["Gold"]})
    with pytest.raises(UsageError, match=r"the column 'embedding' holds .*, not lists of numbers; say vector=COLUMN"):
        Parquet(path, vector="embedding")
    with pytest.raises(UsageError, match="no such column; there are embedding, text"):
        Parquet(path, vector="vektor")
    assert Parquet(path).scaling == "none"


@pytest.mark.parametrize(
    ("kind", "labels", "expected"),
    [
        ({"names": ["war", "trade"], "_type": "ClassLabel"}, [1, 0, -1, 2], [["trade"], ["war"], None]),
        (
            {"feature": {"names": ["war", "trade"]}, "_type": "Sequence"},
            [[1, 0], [], None],
            [["trade", "war"], [], None],
        ),
        ([{"names": ["war", "trade"]}], [[0], [1]], [["war"], ["trade"]]),
        ({"dtype": "int64", "_type": "Value"}, [1, 0], [["1"], ["0"]]),
    ],
)
def test_the_classes_of_a_data_set_of_hugging_face_have_their_names(tmp_path, kind, labels, expected):
    table = pa.table({"text": ["t"] * len(labels), "label": labels})
    about = json.dumps({"info": {"features": {"text": {"dtype": "string"}, "label": kind}}})
    path = tmp_path / "train.parquet"
    pq.write_table(table.replace_schema_metadata({"huggingface": about}), path)
    items = stories(Parquet(path))
    assert [item[4] for item in items if len(item) == 5] == expected
    assert [item[2] for item in items if len(item) == 3] == ["the label 2 is none of the 2 classes"] * (2 in labels)


def test_texts_in_html_and_times_of_another_format(table):
    path = table({"text": ["<p>Gold &amp; tin</p>"], "time": ["20.08.1996"], "label": ["a"]})
    assert stories(Parquet(path, html="strip", time_format="dmy")) == [("0", 840499200.0, "", "Gold & tin", ["a"])]


def test_columns_of_0_and_1_are_labels(table):
    marks = {"war": [1, 0, 0], "time": [True, False, False], "trade": [0.0, 1.0, 7.0]}
    path = table({"text": ["a", "b", "c"], **marks, "sport": [1, 1, 1]})
    first, second, broken = stories(Parquet(path, labels="onehot:war..Trade", time="none"))
    assert (first[4], second[4]) == (["war", "time"], ["trade"])
    assert broken[2] == "a label's column holds '7.0', neither 0 nor 1"
    assert [story[4] for story in stories(Parquet(path, labels="onehot:sport", time="none"))] == [["sport"]] * 3
    with pytest.raises(UsageError, match="labels=a: the header has no such column; there are text, war, time"):
        Parquet(path, labels="onehot:a..b")


def test_the_names_of_classes_may_be_given(table):
    path = table({"text": ["a", "b", "c"], "label": [1, 0, -1]})
    assert [story[4] for story in stories(Parquet(path, classes="World|Sports"))] == [["Sports"], ["World"], None]

"""Rows as documents."""

import collections
import json

import numpy as np
import pytest

from telex.adapters.front_door.row_table import row_table
from telex.adapters.front_door.rows import Rows
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter, Stories


def rows(data, *given, **named):
    return Rows(row_table(data), *given, **named)


def stories(data, *given, **named):
    return [
        story for some in rows(data, *given, **named) for story in zip(some.ids, some.texts, some.labels, strict=True)
    ]


def test_columns_by_their_usual_names():
    assert stories([{"Body": "gold", "Topics": "metals; trade"}]) == [("0", "gold", ["metals", "trade"])]
    assert stories([{"content": "gold", "category": "a b", "id": 7}]) == [("7", "gold", ["a b"])]


def test_columns_by_the_names_given():
    assert stories(
        [{"story": "gold", "text": "no", "x": "a|b"}], {"text": "story", "labels": "x", "separator": "pipe"}
    ) == [("0", "gold", ["a", "b"])]


def test_columns_of_0_and_1_are_labels():
    data = [{"text": "a", "war": 1, "trade": True}, {"text": "b", "war": 0, "trade": 2}]
    assert stories(data[:1], "labels=onehot:war..trade") == [("0", "a", ["war", "trade"])]
    [_, letter] = rows(data, "labels=onehot:war..trade")
    assert letter.reason == "a label's column holds '2', neither 0 nor 1"


def test_cells_are_read_as_those_of_files():
    data = [{"text": "<p>b</p>", "date": "21.08.1996", "label": 1}, {"text": "a", "date": "20.08.1996", "label": -1}]
    columns = {"time_format": "dmy", "html": "strip", "classes": "World|Sports"}
    assert [one[1:] for one in stories(data, columns)] == [("a", None), ("b", ["Sports"])]


def test_times_order_the_rows_unless_they_are_not_to():
    data = [{"text": t, "date": d, "tags": []} for t, d in (("b", "1996-08-21"), ("c", None), ("a", "1996-08-20"))]
    assert [text for _, text, _ in stories(data)] == ["a", "b", "c"]
    assert [text for _, text, _ in stories(data, order="file")] == ["b", "c", "a"]
    assert [text for _, text, _ in stories(row for row in data)] == ["b", "c", "a"]


def test_unlabelled_and_without_a_label():
    data = [{"text": "a", "labels": value} for value in (None, [], "", float("nan"))]
    assert [labels for *_, labels in stories(data)] == [None, [], None, None]
    assert [labels for *_, labels in stories(data, "empty=none")] == [[], [], [], []]


def test_broken_rows_are_dead_letters():
    found = list(
        rows([{"text": "a", "labels": []}, {"text": None, "labels": []}, {"text": "b", "labels": [0.5]}, {"text": "c"}])
    )
    assert [type(one).__name__ for one in found] == ["Stories", "DeadLetter", "DeadLetter", "Stories"]
    letters = [one for one in found if isinstance(one, DeadLetter)]
    assert [(letter.line, letter.reason[:19]) for letter in letters] == [
        (2, "the text is missing"),
        (3, "the label '0.5' is "),
    ]
    assert json.loads(letters[1].raw) == {"text": "b", "labels": [0.5]}


@pytest.mark.parametrize("kind", [list, iter])
def test_rows_of_another_width_are_dead_letters(kind):
    [stories, letter] = rows(kind([("gold", ["x"]), ("tin",)]))
    assert (stories.labels, letter.line) == ([["x"]], 2)
    assert letter.reason == "the row has 1 cells, and there are 2 columns"
    [letter] = rows(kind([("gold",)]))
    assert letter.line == 1


def test_short_rows_beside_rows_with_times():
    article = collections.namedtuple("Article", ["text", "labels", "date"])
    data = [article("b", ["x"], "1996-08-21"), ("c", ["x"]), article("a", ["x"], "1996-08-20")]
    assert [len(one) if isinstance(one, Stories) else one.line for one in rows(data)] == [2, 2]


def test_marks_may_be_missing():
    data = [{"text": "a", "war": 1.0, "trade": float("nan")}]
    assert stories(data, "labels=onehot:war..trade") == [("0", "a", ["war"])]


def test_features():
    archive = rows([{"features": {"cup": 1, "final": 2.5}, "labels": ["sport"]}, {"features": 7, "labels": []}])
    batch, letter = list(archive)
    assert (list(batch.feature_names), batch.values.tolist(), archive.scaling) == (["cup", "final"], [1, 2.5], "unit")
    assert "no dict" in letter.reason
    assert list(next(iter(archive)).feature_names) == ["cup", "final"]


def test_vectors():
    archive = rows(
        [{"vector": np.array([0.5, 2]), "labels": ["a"]}, {"vector": [1], "labels": []}, {"vector": "x", "labels": []}]
    )
    batch, *letters = list(archive)
    assert (batch.values.tolist(), archive.dense, archive.scaling) == ([0.5, 2], True, "standard")
    assert ["length" in letter.reason or "no list" in letter.reason for letter in letters] == [True, True]
    [batch] = rows([{"text": "x", "embedding": [1.0], "labels": ["a"]}], "vector=embedding")
    assert batch.values.tolist() == [1]


@pytest.mark.parametrize(
    ("data", "columns", "reason"),
    [
        ([{"story": "a", "labels": []}], "", "no column for the text; its columns are story, labels: say text=COLUMN"),
        (
            [{"text": "a", "kinds": []}],
            "",
            "no column holds labels; there are text, kinds: say columns='labels=COLUMN'",
        ),
        ([{"text": "a", "labels": []}], "txt=a", "no option 'txt' .did you mean 'text'"),
        ([{"text": "a", "labels": "a|b"}], "", "holds 'a|b'.*separator=pipe"),
        ([{"text": "a", "labels": "['a', 'b']"}], "", "holds .*separator=list"),
        ([{"text": "a", "labels": "[a, b]"}], "", "no list as Python .* writes it; .*separator=none'$"),
        ([{"text": "a", "category": "a; b"}], "", "may be one label or several.*separator=semicolon"),
        ([{"text": "a", "labels": []}], "text=text,vector=text", "one of text and vector"),
        ([{"text": "a", "x": 1, "y": 0}], "labels=onehot:y..x", "'x' comes before 'y': say labels=onehot:x..y"),
    ],
)
def test_what_cannot_be_meant(data, columns, reason):
    with pytest.raises(UsageError, match=reason):
        rows(data, columns, labelled=True)


def test_a_separator_that_is_named_is_meant():
    assert stories([{"text": "a", "labels": "a|b"}], "separator=semicolon") == [("0", "a", ["a|b"])]


def test_how_much_is_read():
    archive = rows([{"text": "a", "labels": []}] * 4, "rows=2")
    passing = iter(archive)
    next(passing)
    assert archive.share_read == 0.5

"""What Python gives as documents, as rows."""

import collections
from dataclasses import dataclass

import pandas
import polars
import pyarrow as pa
import pytest

from telex.adapters.front_door.row_table import RowTable, row_table
from telex.learners import BatchBuilder
from telex.learners.base import UsageError
from telex.stream import Source
from telex.stream.testing import ListArchive

NEWS = [{"text": "gold falls", "labels": ["metals"]}, {"text": "cup final", "labels": ["sport"]}]
ROWS = [("gold falls", ["metals"]), ("cup final", ["sport"])]


@dataclass
class ClassLabel:
    names: list


@dataclass
class ListOf:
    feature: object


class DataSet:
    """As Hugging Face's."""

    def __init__(self, rows, features):
        self.rows, self.features, self.column_names = rows, features, list(rows[0])

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)


FRAMES = (
    ("pyarrow", pa.table({"text": [row[0] for row in ROWS], "labels": [row[1] for row in ROWS]})),
    ("pandas", pandas.DataFrame(NEWS)),
    ("polars", polars.DataFrame(NEWS)),
    ("polars", polars.DataFrame(NEWS).lazy()),
)


@pytest.mark.parametrize(("library", "frame"), FRAMES)
def test_frames(library, frame):
    table = row_table(frame)
    assert table.title == f"frame of {library}, 2 rows"
    assert table.names == ("text", "labels")
    for _ in range(2):
        assert [(text, list(labels)) for text, labels in table.read()] == ROWS


def test_lists_and_generators():
    listed = row_table(NEWS)
    assert (listed.title, listed.size, listed.once) == ("list of 2 rows", 2, False)
    assert list(listed.read()) == list(listed.read()) == ROWS
    generated = row_table(row for row in NEWS)
    assert (generated.title, generated.once) == ("generator", True)
    assert list(generated.read()) == ROWS
    with pytest.raises(UsageError, match="a generator can be read only once"):
        generated.read()


def test_fields_that_later_documents_of_a_generator_have():
    table = row_table(row for row in [{"text": "a"}, {"text": "b", "labels": ["x"]}])
    assert (table.names, len(table.sample(9))) == (("text", "labels"), 2)
    assert list(table.read()) == [("a", None), ("b", ["x"])]


def test_pairs_and_named_tuples():
    assert list(row_table(ROWS).read()) == ROWS
    kind = collections.namedtuple("Article", ["body", "topics"])
    assert row_table([kind("a", ["b"])]).names == ("body", "topics")


def test_a_data_set_with_classes():
    table = row_table(DataSet([{"text": "a", "label": 1}], {"text": None, "label": ClassLabel(["x", "y"])}))
    assert (table.names, dict(table.classes), table.size) == (("text", "label"), {"label": ["x", "y"]}, 1)
    table = row_table(DataSet([{"labels": [1]}], {"labels": ListOf(ClassLabel(["x", "y"]))}))
    assert dict(table.classes) == {"labels": ["x", "y"]}
    table = row_table(DataSet([{"labels": [1]}], {"labels": [ClassLabel(["x", "y"])]}))
    assert dict(table.classes) == {"labels": ["x", "y"]}
    assert not row_table(DataSet([{"labels": ["x"]}], None)).classes


def test_the_real_data_sets():
    datasets = pytest.importorskip("datasets")
    kinds = datasets.Features({"text": datasets.Value("string"), "label": datasets.ClassLabel(names=["x", "y"])})
    table = row_table(datasets.Dataset.from_dict({"text": ["a"], "label": [1]}, features=kinds))
    assert (list(table.read()), dict(table.classes)) == ([("a", 1)], {"label": ["x", "y"]})


def test_paths_are_for_others():
    assert row_table("news.jsonl") is None
    assert row_table(["a.jsonl", "b.jsonl"]) is None


def test_batches_and_archives_are_what_they_are():
    builder = BatchBuilder()
    builder.add({"cup": 1.0}, ["sport"])
    assert isinstance(row_table([builder.take()]), Source)
    archive = ListArchive([])
    assert row_table(archive) is archive


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"train": NEWS}, "a dict of 'train' is no documents; give one of its values"),
        (7, "int is nothing that documents can be read from; give dicts"),
        ([], "there is no document in this list of 0 rows; give dicts"),
        ([7], "a document cannot be of type int; give dicts"),
        (["a.csv", 5], "the first of these is a path and a later one of type int; give dicts"),
    ],
)
def test_what_is_no_documents(data, reason):
    with pytest.raises(UsageError, match=reason):
        row_table(data)


def test_a_later_row_of_another_kind():
    with pytest.raises(UsageError, match="a later one of type int"):
        list(row_table([NEWS[0], 7]).read())
    assert isinstance(row_table([NEWS[0], 7]), RowTable)
    with pytest.raises(UsageError, match="the first document is a tuple and a later one of type str"):
        list(row_table([ROWS[0], "ab"]).read())

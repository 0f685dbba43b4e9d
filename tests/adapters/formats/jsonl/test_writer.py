"""What is written as JSON lines is what is read again."""

import gzip
import lzma
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from telex.adapters.formats import open_archive
from telex.adapters.formats.jsonl.writer import JsonLinesFile
from telex.learners.base import BatchBuilder, UsageError
from telex.stream.sources import Story, StoryBuilder

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
NAME = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
LABELS = st.none() | st.lists(NAME.filter(lambda name: name == name.strip()), max_size=3, unique=True)
TIME = st.just(math.nan) | st.integers(0, 2**33).map(lambda n: n / 4)
STORY = st.builds(Story, id=NAME, text=TEXT.filter(str.strip), title=TEXT, time=TIME, labels=LABELS)
VALUE = st.floats(width=32, allow_nan=False, allow_infinity=False)


def written(path, *documents):
    with JsonLinesFile(str(path)) as file:
        for piece in documents:
            file.write(piece)
    return path


def batch(rows):
    builder = BatchBuilder()
    for i, (features, labels) in enumerate(rows):
        builder.add(features, labels, id=f"d{i}", time=60.0 * i)
    return builder.take()


@given(st.lists(STORY, min_size=1, max_size=5))
def test_stories_come_back(tmp_path_factory, given_stories):
    builder = StoryBuilder()
    for story in given_stories:
        builder.add(story)
    stories = builder.take()
    path = written(tmp_path_factory.mktemp("wire") / "a.jsonl", stories)
    [read] = open_archive(path, order="file")
    assert list(read.ids) == list(stories.ids)
    assert (list(read.titles), list(read.texts)) == (stories.titles, stories.texts)
    assert list(read.labels) == stories.labels
    np.testing.assert_array_equal(read.times, stories.times)


@example([({"largest": float(np.finfo(np.float32).max)}, None)])
@given(st.lists(st.tuples(st.dictionaries(NAME, VALUE, max_size=4), LABELS), min_size=1, max_size=4))
def test_features_come_back_to_the_bit(tmp_path_factory, rows):
    given_rows = batch(rows)
    path = written(tmp_path_factory.mktemp("wire") / "a.jsonl", given_rows)
    [read] = open_archive(path, order="file", budget="none")
    for row in range(len(rows)):
        pairs = [
            {b.feature_names[i]: x.tobytes() for i, x in zip(b.features[slice_], b.values[slice_], strict=True)}
            for b in (given_rows, read)
            for slice_ in [slice(b.indptr[row], b.indptr[row + 1])]
        ]
        assert pairs[0] == pairs[1]
        assert read.labels_of(row) == given_rows.labels_of(row)
    assert read.labelled.tolist() == given_rows.labelled.tolist()


def test_values_are_short_where_they_can_be(tmp_path):
    path = written(tmp_path / "a.jsonl", batch([({"a": 0.1, "b": 3.0, "c": 0.000123, "d": 16777217.0}, [])]))
    assert '"features":{"a":0.1,"b":3.0,"c":0.000123,"d":16777216.0}' in path.read_text()


def test_a_slice_is_written_as_it_is(tmp_path):
    rows = batch([({"a": 1.0}, ["x"]), ({"b": 2.0}, None), ({"c": 3.0}, [])])
    lines = written(tmp_path / "a.jsonl", rows.rows(1, 3)).read_text().splitlines()
    assert lines == [
        '{"id":"d1","labels":null,"time":"1970-01-01T00:01:00Z","features":{"b":2.0}}',
        '{"id":"d2","labels":[],"time":"1970-01-01T00:02:00Z","features":{"c":3.0}}',
    ]


def test_compressed_by_name_and_the_same_bytes_each_time(tmp_path):
    rows = batch([({"a": 1.0}, ["x"])] * 50)
    plain = written(tmp_path / "a.jsonl", rows).read_bytes()
    pytest.importorskip("zstandard", reason="the extra zstd is not installed")
    for ending in ("gz", "xz", "zst"):
        one, two = (written(tmp_path / f"{i}.jsonl.{ending}", rows) for i in "ab")
        assert one.read_bytes() == two.read_bytes() != plain
        assert sum(map(len, open_archive(one))) == 50
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == plain
    assert lzma.decompress((tmp_path / "a.jsonl.xz").read_bytes()) == plain


def test_nothing_comes_of_what_breaks_off(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("old")

    def break_off():
        with JsonLinesFile(str(path), overwrite=True) as file:
            file.write(batch([({"a": 1.0}, ["x"])]))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.jsonl", "old")]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match=r"the folder .*no is not there; make it"):
        JsonLinesFile(str(tmp_path / "no" / "a.jsonl")).__enter__()


def test_a_device_is_not_put_out_of_its_place():
    with JsonLinesFile("/dev/null") as file:
        file.write(batch([({"a": 1.0}, ["x"])]))
    assert not Path("/dev/null").is_file()


def test_a_text_that_is_no_unicode_is_not_written(tmp_path):
    builder = StoryBuilder()
    builder.add(Story("1", "sound"))
    builder.add(Story("2", "\ud800"))
    with JsonLinesFile(str(tmp_path / "a.jsonl")) as file, pytest.raises(UnicodeEncodeError):
        file.write(builder.take())
    assert (tmp_path / "a.jsonl").read_text() == ""

"""Converted documents are the documents: the same batches to the bit, or no batches at all."""

from __future__ import annotations

import struct
import zlib

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats import open_archive
from telex.adapters.formats.converted import ConvertedFile, MappedFile, SoundDocuments
from telex.learners import BatchBuilder
from telex.learners.base import StoppedError, UsageError
from telex.stream.sources import DeadLetter, Features, Story, StoryBuilder, as_archive
from telex.stream.words import Words
from telex.testing import ListArchive, crash_at

WORDS = ("gold", "Golden", "the", "falls", "falling", "wheat", "Tokyo", "\ud800", "straße", "rise", "cup")
IDS = st.integers(0, 60).map(str)
ANSWERS = st.none() | st.lists(st.sampled_from(("war", "sport", "trade", "ü")), unique=True, max_size=3)
TIMES = st.just(float("nan")) | st.floats(0, 1e9)
TEXT = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
VALUES = st.floats(-9, 9, width=32, allow_nan=False)
NAMED = st.dictionaries(st.sampled_from(WORDS[:6]), VALUES, max_size=5)
NUMBERED = st.dictionaries(st.integers(0, 40), VALUES, max_size=5)


def converted(path, items, **settings):
    """The archive of the converted items."""
    path.unlink(missing_ok=True)
    documents = SoundDocuments(as_archive(items))
    with ConvertedFile(str(path), documents, **settings) as file:
        for item in documents:
            if not isinstance(item, DeadLetter):
                file.write(item)
        file.finish()
    return open_archive(path)


def plain(source):
    """All that learners see of a pass: documents one by one, whatever the batches."""
    found = []
    for batch in [item for item in source if not isinstance(item, DeadLetter)]:
        first = int(batch.indptr[0])
        forget = (
            {}
            if batch.forget is None
            else dict(zip(batch.forget.rows.tolist(), batch.forget.features.tolist(), strict=True))
        )
        for row, name in enumerate(batch.ids):
            a, b = batch.indptr[row] - first, batch.indptr[row + 1] - first
            found.append(
                (
                    name,
                    np.float64(batch.times[row]).tobytes(),
                    int(batch.numbers[row]),
                    batch.features[first:][a:b].tolist(),
                    batch.values[first:][a:b].tobytes(),
                    None if batch.counts is None else batch.counts[first:][a:b].tobytes(),
                    batch.labels[batch.label_indptr[row] : batch.label_indptr[row + 1]].tolist(),
                    batch.labels_of(row),
                    bool(batch.labelled[row]),
                    forget.get(row),
                )
            )
    return found, list(batch.feature_names), list(batch.label_names)


def stories(documents, ends):
    builder, items = StoryBuilder(), []
    for place, (name, time, title, text, labels) in enumerate(documents, 1):
        builder.add(Story(name, text, title, time, labels))
        if place in ends or place == len(documents):
            items.append(builder.take())
    return items


@given(
    st.lists(st.tuples(IDS, TIMES, TEXT, TEXT, ANSWERS), min_size=1, max_size=40),
    st.sets(st.integers(1, 40)),
    st.sampled_from(
        [
            "",
            "vocabulary=bounded,size=3",
            "vocabulary=hashed,size=4,title=2",
            "weight=Lnu,idf=decayed,halflife=5",
            "idf=windowed,window=3,title=0.5",
            "fit=n:1,stem=none",
            "tokens=blanks,stop=none,products=true",
        ]
    ),
    st.sampled_from(["keep", "skip"]),
)
def test_texts_become_the_same_features(tmp_path_factory, documents, ends, text, duplicates):
    settings = dict(pair.split("=") for pair in text.split(",") if pair)
    cutting = {name: value for name, value in settings.items() if name in {"tokens", "stop", "stem"}}
    path = tmp_path_factory.mktemp("converted") / "texts.telex"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Words, "remembered", 4)  # terms are numbered anew now and then
        archive = converted(path, stories(documents, ends), text=cutting)
    original = Features(stories(documents, ends), settings, duplicates, unique_ids=True)
    again = Features(archive, settings, duplicates, unique_ids=True)
    for _ in range(2):  # a second pass, with the counts of the first
        assert plain(again) == plain(original)
    assert again.duplicates() == original.duplicates()


@given(
    st.lists(st.tuples(IDS, TIMES, ANSWERS, NUMBERED), min_size=1, max_size=40)
    | st.lists(st.tuples(IDS, TIMES, ANSWERS, NAMED), min_size=1, max_size=40),
    st.sets(st.integers(1, 40)),
    st.sampled_from(["none", "unit", "standard", "maxabs"]),
)
def test_features_stay_the_same(tmp_path_factory, documents, ends, scaling):
    def items():
        builder = BatchBuilder()
        for place, (name, time, labels, features) in enumerate(documents, 1):
            builder.add(features, labels, id=name, time=time)
            if place in ends or place == len(documents):
                yield builder.take()

    path = tmp_path_factory.mktemp("converted") / "features.telex"
    archive = converted(path, list(items()), scaling=scaling)
    original = Features(list(items()), features=scaling, unique_ids=True)
    again = Features(archive, unique_ids=True)
    assert plain(again) == plain(original)
    assert plain(again)[0] == plain(original)[0]


@pytest.fixture
def path(tmp_path):
    """A small file of texts."""
    documents = [(str(i), 3600.0 * i, "Gold", f"gold falls {WORDS[i % 6]}", ["war"][: i % 2]) for i in range(9)]
    converted(tmp_path / "texts.telex", stories(documents, {4}))
    return tmp_path / "texts.telex"


def read(path):
    file = MappedFile(str(path))
    file.check()
    return list(open_archive(path, "telex"))


def test_a_file_cut_anywhere_is_refused(path):
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(UsageError, match=r"convert the documents again$"):
            read(path)
    path.write_bytes(whole + b"\n")
    with pytest.raises(UsageError, match=r"something was written behind its end; convert the documents again$"):
        read(path)


def test_each_byte_that_changes_is_noticed(path):
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
        with pytest.raises((UsageError, StoppedError), match=r"convert the documents again$"):
            read(path)
    path.write_bytes(whole)
    assert sum(map(len, read(path))) == 9


def test_a_later_layout_is_refused(path):
    whole = bytearray(path.read_bytes())
    whole[8:12] = struct.pack("<I", 2)
    path.write_bytes(whole)
    with pytest.raises(UsageError, match=r"by a later Telex .* install that, or convert the documents again"):
        MappedFile(str(path))


@pytest.mark.parametrize("name", ["bounds", "words", "label_indptr", "labels", "id_offsets", "title_offsets"])
@pytest.mark.parametrize("value", [-7, 1 << 30])
def test_wrong_arrays_with_right_sums_reach_no_native_code(path, name, value):
    """A file from a stranger may be made so."""
    file, whole = MappedFile(str(path)), bytearray(path.read_bytes())
    arrays, facts = file.block(0), file.facts(0)
    kind = arrays[name].dtype
    at = arrays[name].__array_interface__["data"][0] - np.frombuffer(file._map, np.uint8).__array_interface__["data"][0]
    whole[at : at + kind.itemsize] = np.array([value], kind).tobytes()
    block = slice(facts["offset"], facts["offset"] + facts["bytes"])
    sums = struct.pack("<q", facts["crc32"]), struct.pack("<q", zlib.crc32(whole[block]))
    whole = _signed(whole.replace(*sums), file.contents)
    path.write_bytes(whole)
    with pytest.raises(StoppedError, match=r"is damaged: .*; convert the documents again"):
        list(Features(open_archive(path)))


def _signed(whole, contents):
    """The file with the sums of its directory and contents made right."""
    span = contents.directory
    span.crc32 = zlib.crc32(whole[span.offset : span.offset + span.bytes])
    at, _, _, end = struct.unpack("<QQI4s", whole[-24:])
    found = msgspec.json.encode(contents)
    return bytes(whole[:at]) + found + struct.pack("<QQI4s", at, len(found), zlib.crc32(found), end)


def test_nothing_or_a_whole_file_whatever_fails(tmp_path):
    """Every write, fsync and rename in turn, beside an older file that is to be replaced, and without one."""
    items = stories([(str(i), 0.0, "", "gold", ["war"]) for i in range(3000)], {1000, 2000})

    def convert(path, **how):
        documents = SoundDocuments(as_archive(items))
        with ConvertedFile(str(path), documents, **how) as file:
            for item in documents:
                file.write(item)
            file.finish()

    with crash_at(0) as calls:
        convert(tmp_path / "whole.telex")
    assert calls[-1] in {"rename", "fsync"}
    for number in range(1, len(calls) + 1):
        new, old = tmp_path / f"new{number}.telex", tmp_path / "old.telex"
        old.write_bytes(b"old")
        for path, how in ((new, {}), (old, {"overwrite": True})):
            try:
                with crash_at(number):
                    convert(path, **how)
            except OSError:
                assert not path.with_name(path.name + ".part").exists()
        assert not new.exists() or sum(map(len, read(new))) == 3000
        assert old.read_bytes() == b"old" or sum(map(len, read(old))) == 3000


def test_a_file_cut_while_it_is_read_ends_the_pass(path):
    archive = open_archive(path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StoppedError, match="was cut or written while it was read; convert the documents again"):
        list(archive)


def test_texts_and_features_do_not_mix(tmp_path):
    builder = BatchBuilder()
    builder.add({"cup": 1.0}, ["sport"])
    items = [*stories([("1", 0.0, "", "gold", ["war"])], {1}), builder.take()]
    with pytest.raises(UsageError, match="convert one kind at a time"):
        converted(tmp_path / "mixed.telex", items)
    assert not list(tmp_path.iterdir())


def test_no_document_is_no_file(tmp_path):
    with pytest.raises(UsageError, match="no document that can be read; name its format with --format"):
        converted(tmp_path / "none.telex", [DeadLetter(b"?", "a", 1, 0, "decode", "broken")])
    assert not list(tmp_path.iterdir())


def test_names_that_json_could_mistake_are_refused(tmp_path):
    builder = BatchBuilder()
    builder.add({0.5: 1.0}, ["sport"])
    with pytest.raises(UsageError, match="names of features and labels are texts or whole numbers here"):
        converted(tmp_path / "names.telex", ListArchive([builder.take()]))


def test_what_was_read_is_given_back_and_can_be_read_again(tmp_path, monkeypatch):
    """Batches that someone still has stay what they were."""
    monkeypatch.setattr("telex.adapters.formats.converted.mapped_file._BEHIND", 1 << 12)
    items = stories([(str(i), 0.0, "", f"gold {WORDS[i % 7]}", ["war"]) for i in range(5000)], set(range(0, 5000, 250)))
    archive = converted(tmp_path / "long.telex", items)
    whole = list(archive)
    assert len(whole) > 3
    assert [cut.words.tolist() for cut in whole] == [cut.words.tolist() for cut in archive]
    assert [name for cut in whole for name in cut.ids] == [str(i) for i in range(5000)]

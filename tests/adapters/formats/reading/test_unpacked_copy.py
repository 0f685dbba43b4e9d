"""A compressed file is unpacked once, where there is room; what it holds is the same either way."""

import bz2
import gzip
import lzma

import pytest

from telex.adapters.formats.lyrl_vectors import LyrlVectors
from telex.adapters.formats.reading import unpacked_copy
from telex.adapters.formats.reading.input import Input
from telex.adapters.formats.reading.unpacked_copy import UnpackedCopy
from telex.learners.base import BrokenRecordError, StoppedError

LINES = b"".join(b"%d 1:0.%06d\n" % (i, i * i % 10**6) for i in range(30_000))


@pytest.fixture
def unpacked(monkeypatch):
    """Count how often a file is unpacked."""
    calls = []

    def counted(source):
        calls.append(1)
        return decompressed(source)

    decompressed = Input._decompressed
    monkeypatch.setattr(Input, "_decompressed", counted)
    return calls


def given(tmp_path, data):
    path = tmp_path / "file"
    path.write_bytes(data)
    source = Input(path)
    source.copy_unpacked()
    return source


def read(source):
    return b"".join(source.chunks())


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compressed_file_is_unpacked_once(tmp_path, unpacked, pack):
    source = given(tmp_path, pack(LINES))
    assert [read(source) for _ in range(3)] == [LINES] * 3
    assert len(unpacked) == 1
    assert source.bytes_read == source.size


@pytest.mark.parametrize("pack", [bytes, bz2.compress])
def test_any_other_file_is_read_again(tmp_path, unpacked, pack):
    source = given(tmp_path, pack(LINES))
    assert [read(source) for _ in range(2)] == [pack(LINES)] * 2
    assert len(unpacked) == 2


def test_a_pass_left_in_the_middle_leaves_no_copy(tmp_path, unpacked):
    source = given(tmp_path, gzip.compress(LINES))
    next(source.chunks())
    assert [read(source) for _ in range(2)] == [LINES] * 2
    assert len(unpacked) == 2


def test_two_passes_at_once_read_the_same(tmp_path):
    source = given(tmp_path, gzip.compress(LINES * 9, mtime=0))
    pairs = list(zip(source.chunks(), source.chunks(), strict=True))
    assert all(one == other for one, other in pairs)
    assert b"".join(one for one, _ in pairs) == read(source) == LINES * 9


def test_what_is_damaged_is_damaged_in_every_pass(tmp_path):
    source = given(tmp_path, gzip.compress(LINES)[:-9])
    for _ in range(2):
        found = []
        with pytest.raises(BrokenRecordError, match="incomplete"):
            found.extend(source.chunks())
        assert b"".join(found) == LINES


def test_a_file_that_is_written_after_it_was_copied_ends_the_pass(tmp_path):
    source = given(tmp_path, gzip.compress(LINES))
    read(source)
    (tmp_path / "file").write_bytes(b"other")
    with pytest.raises(StoppedError, match="was cut while it was read"):
        read(source)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_MOST", 1000),  # it unpacks to more
        ("_opened", lambda: None),  # no file can be made
        ("_written", lambda file, chunk, size: size < 1 << 18),  # the disk fills up
    ],
)
def test_without_room_it_is_unpacked_again(tmp_path, unpacked, monkeypatch, name, value):
    source = given(tmp_path, gzip.compress(LINES))
    monkeypatch.setattr(unpacked_copy, name, value)
    assert [read(source) for _ in range(2)] == [LINES] * 2
    assert len(unpacked) == 2


@pytest.mark.parametrize(("lines", "times"), [(LINES, 1), (b"2 1:1\n1 1:1\n", 2)])
def test_the_look_whether_lines_are_in_order_unpacks_for_all_passes(tmp_path, unpacked, lines, times):
    (tmp_path / "file").write_bytes(gzip.compress(lines))
    archive = LyrlVectors(tmp_path / "file")
    unpacked.clear()
    passes = [[name for batch in archive for name in batch.ids] for _ in range(3)]
    assert passes == [sorted((line.split()[0].decode() for line in lines.splitlines()), key=int)] * 3
    assert len(unpacked) == times  # where they are not, it ends at the first line that comes too late


def test_what_is_likely_to_find_no_room_is_not_tried():
    assert not UnpackedCopy.pays(1 << 40)

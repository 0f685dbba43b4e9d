"""Paths, pipes and standard input; `compression` is tested by what is read through it.

`option_checks` is tested by the options of each format.
"""

import gzip
import io
import os
import socket
import sys
import threading

import pytest

from telex.adapters.formats import open_source
from telex.adapters.formats.reading.input import FilePart, Input, reads_once
from telex.learners.base import BrokenRecordError, StoppedError, UsageError


@pytest.fixture
def stdin(monkeypatch):
    def put(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def test_a_file_that_is_not_there_and_what_was_meant(file):
    path = file(b"x", "vectors.dat")
    with pytest.raises(UsageError, match=r"vectros.dat: there is no such file; did you mean .*vectors.dat\?"):
        Input(path.with_name("vectros.dat"))
    with pytest.raises(UsageError, match="there is no such file; check the path"):
        Input(path.with_name("q"))
    with pytest.raises(UsageError, match="there is no folder"):
        Input(path.parent / "nowhere" / "vectors.dat")


def test_a_folder_is_not_a_file(file):
    folder = file(b"x", "vectors.dat").parent
    with pytest.raises(BrokenRecordError, match=r"is a folder; give the files in it, such as .*vectors.dat"):
        list(Input(folder).chunks())
    assert Input(folder).head() == b""


@pytest.mark.parametrize("order", ["time", "file"])
def test_a_folder_among_the_files_is_a_dead_letter(file, order):
    path = file(b'{"id": "1", "features": {"a": 1}, "labels": ["x"]}\n', "one.jsonl")
    letter, batch = open_source([path.parent, path], order=order)
    assert (letter.path, letter.line, letter.stage, len(batch)) == (str(path.parent), 1, "read", 1)
    assert "is a folder" in letter.reason
    [alone] = open_source(path.parent)
    assert list(alone.ids) == ["1"]
    path.rename(path.with_suffix(".old")).write_bytes(b"what is this?\n")
    with pytest.raises(UsageError, match="is a folder"):
        open_source(path.parent)


def test_one_path_or_many(file):
    path = file(b"x")
    assert [source.path for source in Input.all(path)] == [str(path)]
    assert [source.path for source in Input.all([path, str(path)])] == [str(path)] * 2
    with pytest.raises(UsageError, match="no file is given"):
        Input.all([])
    with pytest.raises(UsageError, match="standard input is given twice"):
        Input.all(["-", "-"])


def test_a_file_that_cannot_be_read_breaks_while_running():
    source = Input("/proc/self/mem")
    with pytest.raises(BrokenRecordError, match="reading fails: Input/output error"):
        list(source.chunks())
    assert source.head() == b""


def test_what_is_neither_a_file_nor_a_pipe(tmp_path):
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(tmp_path / "s"))
        with pytest.raises(UsageError, match="/s is a socket; give a file, a pipe, or - for standard input"):
            Input(tmp_path / "s")
    with pytest.raises(UsageError, match="/dev/zero is a device; give a file"):
        Input("/dev/zero")
    assert list(Input(os.devnull).chunks()) == [b""]


def test_what_can_be_read_only_once(tmp_path, file):
    os.mkfifo(tmp_path / "pipe")
    assert [reads_once(path) for path in ("-", tmp_path / "pipe", file(b"x"), tmp_path, tmp_path / "none")] == [
        True, True, False, False, False
    ]  # fmt: skip


def test_standard_input_streams_once(stdin):
    stdin(b"some bytes")
    source = Input("-")
    assert source.head() == b"some bytes"
    assert b"".join(source.chunks()) == b"some bytes"
    with pytest.raises(UsageError, match=r"can be read only once; .*passes=2"):
        list(source.chunks())


@pytest.mark.parametrize("look", [True, False])
def test_standard_input_that_was_put_aside_is_read_again(stdin, look):
    stdin(b"some bytes")
    source = Input("-")
    if look:
        assert source.head() == b"some bytes"
    source.copy_pipe()
    assert [b"".join(source.chunks()) for _ in range(2)] == [b"some bytes"] * 2
    assert source.head() == b"some bytes"


def test_a_pipe_gives_what_it_has_before_it_ends(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    more = threading.Event()

    def write():
        with path.open("wb", buffering=0) as pipe:
            pipe.write(b"first\n")
            more.wait(10)
            pipe.write(b"second\n")

    writer = threading.Thread(target=write)
    writer.start()
    chunks = Input(path).chunks()
    assert next(chunks) == b"first\n"
    assert next(chunks) == b""
    more.set()
    assert [chunk for chunk in chunks if chunk] == [b"second\n"]
    writer.join()


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("data", "length"),
    [
        (b"ab\n" * 100_000, 1 << 16),
        (b"a" * 200_000 + b"\nb\n" * 1000, 200_001),
        (b"a" * 3_000_000 + b"\n", 1 << 16),
        (b"a" * 70_000, 1 << 16),
        (b"a\n", 2),
        (b"", 0),
    ],
)
def test_the_head_goes_as_far_as_the_first_line(file, squeeze, data, length):
    source = Input(file(squeeze(data)))
    assert source.head() == data[:length]
    assert source.head() == data[:length]
    assert b"".join(source.chunks()) == data


def test_what_is_on_disk(file, stdin):
    stdin(b"")
    path = file(b"x")
    assert Input(path).is_on_disk
    assert not Input(path.parent).is_on_disk
    assert not Input("-").is_on_disk


def test_a_part_of_a_file_that_grows(file):
    path = file(b"id,text\n1,a\n2,b\n3,c\n", "a.csv")
    source = Input(path, FilePart(header=8, start=12, end=16, lines=2))
    assert list(source.chunks()) == [b"id,text\n", b"2,b\n"]
    with path.open("ab") as grows:
        grows.write(b"4,d\n")
    source.check_unchanged()
    assert b"".join(source.chunks()) == source.head() == b"id,text\n2,b\n"
    assert source.size == 12
    path.write_bytes(b"id,text\n1,")
    with pytest.raises(StoppedError, match="was cut while it was read; put it back, and resume"):
        list(source.chunks())

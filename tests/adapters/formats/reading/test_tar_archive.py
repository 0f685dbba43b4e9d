"""Tar archives that tarfile would not survive; what honest ones hold is tested with `files`."""

import gzip
import io
import resource
import tarfile
import time

import pytest

from telex.adapters.formats.reading import Input
from telex.adapters.formats.reading.files import files
from telex.adapters.formats.reading.tar_archive import _pax_fields, tar_members
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter

MIB = 1 << 20


def member(name, data=b"", kind=tarfile.REGTYPE, size=None):
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, len(data) if size is None else size
    return info.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512)


GOOD, END = member("good.xml", b"1"), bytes(1024)


def read(path):
    """Each file as (its name within, content), each dead letter as (its name within, reason)."""
    return [
        (file.path[len(str(path)) + 1 :], file.reason if isinstance(file, DeadLetter) else b"".join(file.chunks))
        for file in files([Input(path)])
    ]


@pytest.mark.parametrize("kind", [b"Z", b"V", b"M", b"D", tarfile.REGTYPE])
def test_a_member_larger_than_the_archive_ends_with_it(file, kind):
    path = file(GOOD + member("huge", kind=kind, size=1 << 62) + END)
    assert read(path) == [
        ("good.xml", b"1"),
        ("", "the tar archive is damaged or incomplete: it has no end"),
    ]


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XGLTYPE])
def test_headers_that_extend_headers_are_bounded(file, kind):
    data = b"13 comment=a\n" if kind == tarfile.XGLTYPE else b"name"
    path = file(gzip.compress(GOOD + member("x", data, kind) * 5_000 + GOOD + END))
    assert read(path) == [
        ("good.xml", b"1"),
        ("", "the tar archive is damaged or incomplete: a header does not end"),
    ]
    path = file(GOOD + member("x", data, kind) * 500 + GOOD + END)  # twice too many for Python's stack
    assert read(path)[0] == ("good.xml", b"1")
    assert not any(isinstance(content, str) for _, content in read(path))


def test_a_header_of_digits_takes_no_long_time(file):
    """Searching it for fields with tarfile's pattern takes half an hour."""
    before = time.process_time()
    path = file(GOOD + member("x", b"1" * (MIB - 1024), tarfile.XHDTYPE) + GOOD + END)
    assert "damaged or incomplete" in read(path)[-1][1]
    assert time.process_time() - before < 20


@pytest.mark.parametrize(
    "fields",
    [
        b"0 path=a\n",
        b"3 path=a\n",
        b"-9 path=a\n",
        b"10 path=ab",
        b"7 patha\n",
        b"x path=a\n",
        b"999 path=a\n",
        b"\xff",
    ],
)
def test_broken_fields_of_headers(fields):
    with pytest.raises((tarfile.TarError, ValueError)):
        _pax_fields(fields)


@pytest.mark.parametrize("size", [b"-1", b"x", b"9" * 30, b"9" * 5000])
def test_a_size_that_is_none(file, size):
    record = b" size=" + size + b"\n"
    length = len(record) + 2 + (len(record) > 96) * 2
    path = file(GOOD + member("x", b"%d%s" % (length, record), tarfile.XHDTYPE) + GOOD + END)
    assert [name for name, _ in read(path)][-1] == ""
    assert "damaged or incomplete" in read(path)[-1][1]


@pytest.mark.parametrize("style", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_names_that_are_long_or_no_utf8(file, style):
    out, names = io.BytesIO(), ["é/" + "d" * 90 + "/" + "e" * 90, "caf\udce9.xml"]
    with tarfile.open(fileobj=out, mode="w", format=style) as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = 1
            archive.addfile(info, io.BytesIO(b"1"))
    assert read(file(out.getvalue())) == [(names[0], b"1"), ("caf\\xe9.xml", b"1")]


def test_a_name_longer_than_any_file_has(file):
    path = file(member("x", b"a" * 5000, tarfile.GNUTYPE_LONGNAME) + GOOD + GOOD + END)
    (name, reason), good = read(path)
    assert len(name) < 5000
    assert "longer than any file's" in reason
    assert good == ("good.xml", b"1")


def test_members_with_holes_are_refused(file):
    old = bytearray(member("old", bytes(512), tarfile.GNUTYPE_SPARSE))
    old[482] = 1  # a block of holes follows, with one more
    old[148:156] = b" " * 8
    old[148:156] = b"%06o\0 " % sum(old[:512])
    more = bytearray(bytes(1024))
    more[504] = 1
    new = member("x", b"22 GNU.sparse.major=1\n", tarfile.XHDTYPE) + member("new", b"0\n")
    path = file(bytes(old[:512] + more + old[512:]) + new + GOOD + END)
    reason = "the member is stored with holes; pack it again, without --sparse"
    assert read(path) == [("old", reason), ("new", reason), ("good.xml", b"1")]
    more[504::512] = b"\1\1"
    path = file(bytes(old[:512] + more * 2000))
    assert read(path) == [("", "the tar archive is damaged or incomplete: a header does not end")]


def test_memory_is_bounded_whatever_a_member_holds():
    def chunks():
        yield member("big", size=1 << 40)
        for _ in range(256):
            yield bytes(MIB)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BrokenRecordError, match="it has no end"):
        [read() for _, read in tar_members(chunks())]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10

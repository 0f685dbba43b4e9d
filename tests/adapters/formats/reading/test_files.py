"""Files in folders, zip and tar; `unpacker` is tested by what is found in them.

`temporary_copy` is tested by a member of an archive that is copied.
"""

import gzip
import io
import lzma
import os
import stat
import sys
import tarfile
import tempfile
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.formats.reading import Input
from telex.adapters.formats.reading.files import file_heads, files
from telex.adapters.formats.reading.unpacker import FoundFile, is_archive
from telex.learners.base import BrokenRecordError, StoppedError
from telex.stream.sources import DeadLetter
from telex.testing import crash_at

MIB = 1 << 20


def zipped(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(members, **options):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", **options) as archive:
        for name, data in members:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def read(*paths, suffixes=()):
    """Each file as (path, content), each dead letter as (path, reason)."""
    return [content(file) for file in files(Input.all(paths), suffixes)]


def content(file):
    if isinstance(file, DeadLetter):
        assert file.stage == "read"
        return file.path, file.reason
    try:
        return file.path, b"".join(file.chunks)
    except BrokenRecordError as error:
        return file.path, str(error)


def test_folders_are_read_in_the_order_of_their_names_where_numbers_are_numbers(tmp_path):
    for name in ["b/10.xml", "b/9.xml", "a.xml", ".hidden", ".git/x.xml", "b/c/1.xml", "b/README", "b/2.xml.gz"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(gzip.compress(b"gz") if name.endswith("gz") else name.encode())
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "loop.xml").symlink_to("loop.xml")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "link.xml").symlink_to("a.xml")
    found = [(os.path.relpath(path, tmp_path), data) for path, data in read(tmp_path, suffixes=(".xml",))]
    assert found == [
        ("a.xml", b"a.xml"),
        ("b/2.xml.gz", b"gz"),
        ("b/9.xml", b"b/9.xml"),
        ("b/10.xml", b"b/10.xml"),
        ("b/c/1.xml", b"b/c/1.xml"),
        ("link.xml", b"a.xml"),
    ]
    assert ("b/README", b"b/README") in [(os.path.relpath(path, tmp_path), data) for path, data in read(tmp_path)]


def test_a_folder_with_nothing_in_it_is_a_dead_letter(tmp_path):
    [(path, reason)] = read(tmp_path, suffixes=(".xml", ".sgm"))
    assert (path, reason) == (str(tmp_path), "this folder has no file whose name ends in .xml or .sgm")
    [(_, reason)] = read(tmp_path)
    assert reason == "this folder has no file that could be read"


def test_how_much_of_a_folder_is_read(tmp_path):
    for i in range(4):
        (tmp_path / f"{i}").write_bytes(b"x" * 100)
    source = Input(tmp_path)
    shares = [(source.bytes_read, source.size) for file in files([source]) if content(file)]
    assert shares == [(0, 400), (100, 400), (200, 400), (300, 400)]
    assert source.bytes_read == 400


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress, lzma.compress])
@pytest.mark.parametrize("make", [zipped, tarred])
def test_archives_are_read_as_they_are_packed_and_never_unpacked(file, make, pack, tmp_path):
    data = make(
        [("b.xml", b"1"), ("./a/x.xml", b"2"), ("README", b"3"), ("c.xml.gz", gzip.compress(b"4")), ("e.xml", b"")]
    )
    path = file(pack(data), "archive")
    before = sorted(tmp_path.rglob("*"))
    expected = [("b.xml", b"1"), ("a/x.xml", b"2"), ("c.xml.gz", b"4"), ("e.xml", b"")]
    assert read(path, suffixes=(".xml",)) == [(f"{path}/{name}", data) for name, data in expected]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("make", [zipped, tarred])
def test_an_archive_out_of_a_pipe(make, monkeypatch):
    data = make([("a", b"1"), ("b", b"2")])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert read("-") == [("-/a", b"1"), ("-/b", b"2")]


@pytest.mark.parametrize("make", [zipped, tarred])
def test_archives_in_archives_are_looked_into_once(file, make):
    inner = zipped([("x.xml", b"1")])
    path = file(make([("day.zip", inner), ("b.xml", b"2"), ("deep.tar", tarred([("day.zip", inner)]))]))
    found = read(path, suffixes=(".xml",))
    assert found[:2] == [(f"{path}/day.zip/x.xml", b"1"), (f"{path}/b.xml", b"2")]
    [(name, reason)] = found[2:]
    assert (name, "archive in an archive in an archive" in reason) == (f"{path}/deep.tar/day.zip", True)


@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/etc/evil"])
def test_names_that_lead_out_are_dead_letters(file, make, name):
    path = file(make([(name, b"1"), ("good", b"2")]))
    (_, reason), good = read(path)
    assert "leads out of the archive" in reason
    assert good == (f"{path}/good", b"2")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_links_and_devices_in_tar_archives_are_passed_over(file, kind):
    info = tarfile.TarInfo("evil")
    info.type, info.linkname = kind, "/etc/passwd"
    path = file(tarred([("first", b"1"), (info, b""), ("last", b"2")]))
    assert read(path) == [(f"{path}/first", b"1"), (f"{path}/last", b"2")]
    links = "" if kind == tarfile.DIRTYPE else "; links and devices, of which it has 1, are not read"
    reason = f"this archive has no file that could be read{links}"
    assert read(file(tarred([(info, b"")]))) == [(str(path), reason)]


def test_links_in_zip_archives_are_passed_over(file):
    link = zipfile.ZipInfo("evil")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = file(zipped([(link, b"/etc/passwd"), ("__MACOSX/._x", b"0"), ("x", b"1")]))
    assert read(path) == [(f"{path}/x", b"1")]


def test_members_without_a_name_are_passed_over(file):
    path = file(zipped([(zipfile.ZipInfo("x"), b"0"), ("y", b"1")]).replace(b"x", b"/"))
    assert read(path) == [(f"{path}/y", b"1")]
    data = zipped([("xy", b"0")])
    at = data.index(b"PK\x01\x02")
    nameless = data[:at] + data[at : at + 28] + b"\0\0" + data[at + 30 : at + 46] + data[at + 48 :]
    nameless = nameless[:-10] + (len(nameless) - at - 22).to_bytes(4, "little") + nameless[-6:]
    assert read(file(nameless)) == [(str(path), "this archive has no file that could be read")]


@pytest.mark.parametrize("make", [zipped, tarred])
def test_members_too_large_are_dead_letters(file, make):
    members = [("bomb", bytes(16 * MIB + 1)), ("x.gz", gzip.compress(bytes(16 * MIB + 1))), ("good", b"1" * (16 * MIB))]
    path = file(gzip.compress(make(members), 1))
    bomb, packed, good = read(path)
    assert bomb == (f"{path}/bomb", "the member is larger than 16 MiB; unpack the archive and name the file")
    assert packed[1] == bomb[1]
    assert good == (f"{path}/good", b"1" * (16 * MIB))


def test_a_zip_member_that_lies_about_its_size(file):
    data = bytearray(zipped([("lies", bytes(32 * MIB)), ("good", b"1")]))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    path = file(bytes(data))
    (_, reason), good = read(path)
    assert "damaged" in reason
    assert good == (f"{path}/good", b"1")


def test_an_encrypted_zip_member(file):
    data = bytearray(zipped([("secret", b"1"), ("good", b"2")]))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path = file(bytes(data))
    assert read(path) == [
        (f"{path}/secret", "the member is encrypted; unpack the archive with its password first"),
        (f"{path}/good", b"2"),
    ]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_methods_that_unpack_without_a_bound_are_refused(file, method):
    [(_, reason)] = read(file(zipped([("x", b"1")], method)))
    assert "not packed with deflate" in reason


def test_a_zip_archive_that_breaks_off(file):
    data = zipped([("x", os.urandom(5000)), ("y", b"2")])
    path = file(data[:-30])
    [(name, reason)] = read(path)
    assert (name, "damaged or incomplete" in reason) == (str(path), True)


@pytest.mark.parametrize(("left", "whole"), [(1000, 0), (1536, 1), (1800, 1), (3000, 1), (4096, 2), (5120, 3)])
def test_a_tar_archive_that_breaks_off(file, left, whole):
    members = [("x", b"1" * 600), ("y", b"2" * 2000), ("z", b"3")]
    path = file(tarred(members)[:left])
    *found, (name, reason) = read(path)
    assert found == [(f"{path}/{name}", data) for name, data in members[:whole]]
    assert (name, "damaged or incomplete" in reason) == (str(path), True)


def test_a_compressed_tar_archive_that_breaks_off(file):
    path = file(lzma.compress(tarred([("x", b"1"), ("y", os.urandom(300_000)), ("z", b"3")]))[:200_000])
    assert read(path) == [
        (f"{path}/x", b"1"),
        (str(path), "the tar archive is damaged or incomplete: the xz data are incomplete"),
    ]


def test_a_tar_archive_damaged_in_a_header_does_not_end_silently(file):
    data = bytearray(tarred([("x", b"1"), ("y", b"2")]))
    data[1024 + 150] ^= 1
    path = file(bytes(data))
    assert read(path)[0] == (f"{path}/x", b"1")
    assert "what follows is no header" in read(path)[1][1]


@pytest.mark.parametrize("type_", [b"x", b"g", b"L"])
def test_a_tar_header_without_an_end_is_not_held(file, type_, monkeypatch):
    info = tarfile.TarInfo("long")
    info.type, info.size = type_, 1 << 40
    header = info.tobuf(tarfile.GNU_FORMAT)
    first = tarred([("x", b"1")])[:1024]
    path = file(first + header)
    handed = []

    def endless(self):
        yield first + header
        for _ in range(4096):
            handed.append(MIB)
            yield bytes(MIB)

    monkeypatch.setattr(Input, "chunks", endless)
    found = read(path)
    assert found[0] == (f"{path}/x", b"1")
    assert "a header does not end" in found[1][1]
    assert sum(handed) < 4 * MIB


@settings(max_examples=150)
@given(st.data())
def test_whatever_damage_there_is_it_is_an_event(tmp_path_factory, data):
    make = data.draw(st.sampled_from([zipped, tarred]))
    raw = bytearray(make([("a.xml", b"1" * 300), ("b/c.xml", b"2"), ("d.gz", gzip.compress(b"3"))]))
    for _ in range(data.draw(st.integers(0, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    for name, _ in read(path):
        assert name.startswith(str(path))


def test_heads_of_what_is_inside(file, tmp_path):
    archive = file(tarred([("a", b""), ("b", b"hello"), ("c", b"x" * 100_000)]), "archive")
    assert [(len(head), path) for head, path in file_heads(Input(archive))] == [
        (5, f"{archive}/b"),
        (65536, f"{archive}/c"),
    ]
    assert [path for _, path in file_heads(Input(tmp_path))] == [f"{archive}/b", f"{archive}/c"]


def test_what_is_an_archive():
    assert is_archive(zipped([("x", b"1")]))
    assert is_archive(tarred([("x", b"1")]))
    v7 = bytearray(tarred([("x", b"1")]))
    v7[257:265] = bytes(8)
    v7[148:156] = b" " * 8
    v7[148:156] = b"%06o\0 " % sum(v7[:512])
    assert is_archive(bytes(v7))
    assert not any(map(is_archive, [b"", b"PK", b"From: x\n" * 100, bytes(1024), b"1" * 600]))


def test_a_plain_file_is_handed_on_chunk_by_chunk(file):
    path = file(b"x" * (1 << 20))
    [found] = files([Input(path)])
    assert isinstance(found, FoundFile)
    chunks = list(found.chunks)
    assert len(chunks) > 1
    assert b"".join(chunks) == b"x" * (1 << 20)


def test_a_temporary_folder_that_is_full_stops_the_run(monkeypatch):
    tempfile.gettempdir()  # which writes a file to find out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(zipped([("a", b"1")]))))
    with (
        crash_at(1, stays=True),
        pytest.raises(StoppedError, match=r"is full \(No space left on device\); point TMPDIR"),
    ):
        read("-")

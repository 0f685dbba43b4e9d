"""Zip archives made to do harm; what honest ones hold is tested with `files`."""

import gzip
import io
import stat
import struct
import zipfile

import pytest

from telex.adapters.formats.reading import Input, compression, zip_archive
from telex.adapters.formats.reading.files import files
from telex.stream.sources import DeadLetter

MIB = 1 << 20


def zipped(*members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def read(path):
    """Each file as (its name within, content), each dead letter as (its name within, reason)."""
    return [
        (file.path[len(str(path)) + 1 :], file.reason if isinstance(file, DeadLetter) else b"".join(file.chunks))
        for file in files([Input(path)])
    ]


def overlapping(count, data=b"1"):
    """An archive whose directory names one member again and again."""
    whole = zipped(("a.xml", data))
    at = whole.index(b"PK\x01\x02")
    entry, end = whole[at:-22], whole[-22:]
    head = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, len(entry) * count, at, 0)
    assert len(head) == len(end)
    return whole[:at] + entry * count + head


def test_members_that_overlap_are_refused(file):
    assert read(file(overlapping(1))) == [("a.xml", b"1")]
    for count in (2, 60_000):
        path = file(overlapping(count, bytes(10 * MIB)))
        assert read(path) == [("", "the zip archive is damaged or incomplete: its members overlap")]


def test_a_directory_is_bounded(file, monkeypatch):
    monkeypatch.setattr(zip_archive, "_DIRECTORY", 4_000)
    few, many = (zipped(*((f"{i:04}.xml", b"1") for i in range(count))) for count in (70, 80))
    assert len(read(file(few))) == 70
    reason = "the zip archive is damaged or incomplete: its directory has more than 0 MiB; unpack it"
    assert read(file(many)) == [("", reason)]
    assert read(file(gzip.compress(many))) == [("", reason)]  # by way of a temporary file


@pytest.mark.parametrize("place", [1 << 62, 1 << 63, (1 << 64) - 1])
def test_members_at_places_that_no_file_has(file, place):
    whole = zipped(("a.xml", b"1"))
    at = whole.index(b"PK\x01\x02")
    entry = bytearray(whole[at:-22])
    entry[42:46] = b"\xff" * 4  # look in the extra field
    entry[30:32] = struct.pack("<H", 12)
    entry += struct.pack("<HHQ", 1, 8, place)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), at, 0)
    data = whole[:at] + bytes(entry) + end
    [(_, reason)] = read(file(data))
    assert "damaged or incomplete" in reason
    (name, reason), good = read(file(zipped(("in.zip", data), ("b.xml", b"2"))))
    assert name.startswith("in.zip")
    assert "damaged or incomplete" in reason
    assert good == ("b.xml", b"2")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR])
def test_links_and_devices_are_passed_over(file, kind):
    info = zipfile.ZipInfo("evil")
    info.external_attr = (kind | 0o777) << 16
    assert read(file(zipped((info, b"/etc/passwd"), ("x", b"1")))) == [("x", b"1")]
    [(_, reason)] = read(file(zipped((info, b"/etc/passwd"))))
    assert reason.startswith("this archive has no file that could be read")
    assert reason.endswith("of which it has 1, are not read") == (kind != stat.S_IFDIR)


def test_archives_that_unpack_to_too_much_are_not_read_to_their_end(file, monkeypatch):
    """Archives of zeros in an archive of them."""
    monkeypatch.setattr(compression, "_FREE", MIB)
    bomb = zipped(*((f"{i}.xml", bytes(MIB)) for i in range(64)))
    path = file(zipped(*((f"{i}.zip", bomb) for i in range(20))))
    *members, (name, reason) = read(path)
    assert name == ""
    assert reason == (
        "the members of this archive unpack to more than 1000 times their size, which documents never do; "
        "the rest is not read"
    )
    assert 0 < sum(len(data) for _, data in members) <= 1000 * path.stat().st_size + MIB


def test_members_that_repeat_themselves_are_read(file):
    """The same story thousands of times over is as far as news go."""
    story = b"<newsitem>" + b"Gold rose in thin trade. " * 200 + b"</newsitem>"
    path = file(zipped(*((f"{i}.zip", zipped(*((f"{j}.xml", story) for j in range(50)))) for i in range(50))))
    assert len(read(path)) == 2_500

"""Archives that lie: bombs, overlaps, chains, loops, members that are no files, and whatever is cut off."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
from functools import partial
from typing import TYPE_CHECKING, Any

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from abuse.box import Box

POST = b"From: a@b\nMessage-ID: <%d@x>\nNewsgroups: sci.space\nSubject: gold\n\nwheat and oil\n"
ITEM = b'<?xml version="1.0"?><newsitem itemid="%d" date="1996-08-20"><title>gold</title><text><p>oil</p></text></newsitem>'


def header(name: bytes, size: int, kind: bytes = b"0", **fields: bytes) -> bytes:
    """Return a header of tar with any size."""
    if 0 <= size < 8**11:
        number = b"%011o\0" % size
    else:
        number = b"\x80" + size.to_bytes(11, "big") if size >= 0 else b"\xff" + (size + 256**11).to_bytes(11, "big")
    block = bytearray(
        name[:100].ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2 + number + b"00000000000\0" + b" " * 8 + kind
    )
    block += fields.get("link", b"").ljust(100, b"\0") + b"ustar\x0000" + bytes(247)
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block[:512])


def member(name: bytes, data: bytes, kind: bytes = b"0", **fields: bytes) -> bytes:
    """Return a member of tar."""
    return header(name, len(data), kind, **fields) + data + bytes(-len(data) % 512)


def posts(count: int = 3) -> bytes:
    """Return some sound members."""
    return b"".join(member(b"posts/%d" % i, POST % i) for i in range(count))


END = bytes(1024)
TAR: dict[str, Callable[[], bytes]] = {
    "an unknown type of 2^62 bytes": lambda: posts() + header(b"x", 1 << 62, b"Z") + END,
    "a file of 2^62 bytes": lambda: posts() + header(b"x", 1 << 62) + END,
    "a negative size": lambda: posts() + header(b"x", -1) + posts() + END,
    "a size that leads back": lambda: posts() + header(b"x", -1024) + END,
    "a long name of 2^40 bytes": lambda: posts() + header(b"././@LongLink", 1 << 40, b"L") + END,
    "a pax header of 2^40 bytes": lambda: posts() + header(b"pax", 1 << 40, b"x") + END,
    "chained long names": lambda: posts() + member(b"././@LongLink", b"x\0", b"L") * 5000 + posts() + END,
    "chained pax headers": lambda: posts() + member(b"pax", b"11 path=abc\n", b"x") * 5000 + posts() + END,
    "chained global headers": lambda: posts() + member(b"pax", b"11 path=abc\n", b"g") * 5000 + posts() + END,
    "pax lies of the size": lambda: posts() + member(b"pax", b"30 size=99999999999999999999\n", b"x") + posts() + END,
    "pax lies of a length": lambda: posts() + member(b"pax", b"99999999999999999999 path=a\n", b"x") + posts() + END,
    "pax of length 0": lambda: posts() + member(b"pax", b"0 path=a\n", b"x") + posts() + END,
    "pax sparse": lambda: (
        posts() + member(b"pax", b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n", b"x") + posts() + END
    ),
    "a pax time": lambda: posts() + member(b"pax", b"13 mtime=1e999\n", b"x") + posts() + END,
    "sparse": lambda: posts() + header(b"x", 512, b"S") + bytes(512) + END,
    "symlinks": lambda: posts() + member(b"x", b"", b"2", link=b"/etc/passwd") + END,
    "hard links": lambda: posts() + member(b"x", b"", b"1", link=b"../../etc/passwd") + END,
    "a link to itself": lambda: posts() + member(b"x", b"", b"1", link=b"x") + END,
    "devices": lambda: posts() + member(b"x", b"", b"3") + member(b"y", b"", b"4") + member(b"z", b"", b"6") + END,
    "absolute names": lambda: posts() + member(b"/tmp/absolute", POST % 8) + END,
    "names that lead out": lambda: posts() + member(b"../../outside/x", POST % 8) + END,
    "names of escapes": lambda: (
        posts() + member(b"\x1b]0;x\x07\x1b[2J", b"x") + member(b"\xe2\x80\xae\xc2\x9b", b"x") + END
    ),
    "names of line ends": lambda: posts() + member(b"a\nb\rc", b"x") + END,
    "names that are no UTF-8": lambda: posts() + member(b"\xff\xfe", POST % 8) + END,
    "an empty name": lambda: posts() + member(b"", POST % 8) + END,
    "one name twice": lambda: posts() + posts() + END,
    "20,000 empty members": lambda: posts() + b"".join(header(b"%d" % i, 0) for i in range(20_000)) + END,
    "a wrong checksum": lambda: posts() + bytes(member(b"x", POST % 8)).replace(b"ustar", b"ustaR") + posts() + END,
    "garbage behind": lambda: posts() + END + bytes(range(256)) * 100,
    "no end": posts,
    "only an end": lambda: END,
    "NUL": lambda: bytes(100_000),
    "a bomb": lambda: posts() + header(b"x", 300 << 20) + bytes(300 << 20) + END,
}
PACK: dict[str, Callable[[bytes], bytes]] = {}


def zipped(*members: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as file:
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name), data, how)
    return out.getvalue()


def items(count: int = 3) -> list[tuple[str, bytes]]:
    """Return some sound members of a zip file."""
    return [(f"{i}newsML.xml", ITEM % (i + 1)) for i in range(count)]


def patched(data: bytes, signature: bytes, at: int, code: str, value: int) -> bytes:
    """Return a zip file with another number in each record of a kind."""
    found, start = bytearray(data), 0
    while (start := data.find(signature, start)) >= 0:
        struct.pack_into(code, found, start + at, value)
        start += 4
    return bytes(found)


LOCAL, CENTRAL, CLOSING = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def overlapping(count: int) -> bytes:
    """Return a zip file of members that all lie at the same place."""
    inner = zipped(("a.xml", bytes(5 << 20)))
    start = inner.index(CENTRAL)
    entry = inner[start : inner.index(CLOSING)]
    data = inner[:start] + b"".join(
        entry[:46] + b"%05d.xml"[:5] % i + entry[51:] if False else entry for i in range(count)
    )
    closing = bytearray(inner[inner.index(CLOSING) :])
    struct.pack_into("<HHII", closing, 8, count, count, len(entry) * count, start)
    return data + bytes(closing)


ZIP: dict[str, Callable[[], bytes]] = {
    "a bomb": lambda: zipped(*items(), ("x.xml", bytes(300 << 20))),
    "ten bombs": lambda: zipped(*items(), *((f"{i}.xml", bytes(60 << 20)) for i in range(10))),
    "2,000 overlapping members": lambda: overlapping(2000),
    "60,000 overlapping members": lambda: overlapping(60_000),
    "a zip in a zip": lambda: zipped(*items(), ("in.zip", zipped(*items(5)))),
    "zips in zips in zips": lambda: nested(30),
    "a tar in a zip": lambda: zipped(*items(), ("in.tar", posts() + END)),
    "encrypted": lambda: patched(patched(zipped(*items()), LOCAL, 6, "<H", 1), CENTRAL, 8, "<H", 1),
    "an unknown method": lambda: patched(patched(zipped(*items()), LOCAL, 8, "<H", 77), CENTRAL, 10, "<H", 77),
    "a wrong checksum": lambda: patched(zipped(*items()), CENTRAL, 16, "<I", 12345),
    "a size that is too small": lambda: patched(zipped(*items()), CENTRAL, 24, "<I", 3),
    "a size that is too large": lambda: patched(zipped(*items()), CENTRAL, 24, "<I", 0xFFFFFFF0),
    "a packed size that is too large": lambda: patched(zipped(*items()), CENTRAL, 20, "<I", 0xFFFFFFF0),
    "zip64 without its field": lambda: patched(
        patched(zipped(*items()), CENTRAL, 24, "<I", 0xFFFFFFFF), CENTRAL, 20, "<I", 0xFFFFFFFF
    ),
    "an offset beyond the end": lambda: patched(zipped(*items()), CENTRAL, 42, "<I", 0x7FFFFFFF),
    "offsets of the directory": lambda: patched(zipped(*items()), CENTRAL, 42, "<I", zipped(*items()).index(CENTRAL)),
    "a count that lies": lambda: patched(zipped(*items()), CLOSING, 10, "<H", 60_000),
    "a directory of 4 GB": lambda: patched(zipped(*items()), CLOSING, 12, "<I", 0xFFFFFFF0),
    "a directory beyond the end": lambda: patched(zipped(*items()), CLOSING, 16, "<I", 0xFFFFFFF0),
    "zip64 beyond everything": lambda: zip64(1 << 62),
    "zip64 negative": lambda: zip64((1 << 64) - 5),
    "a comment that is too long": lambda: patched(zipped(*items()), CLOSING, 20, "<H", 0xFFFF),
    "a name that is too long": lambda: patched(zipped(*items()), CENTRAL, 28, "<H", 0xFFFF),
    "the year 2107, month 15": lambda: patched(zipped(*items()), CENTRAL, 14, "<H", 0xFFFF),
    "names of escapes": lambda: zipped(*items(), ("\x1b]0;x\x07.xml", b"<"), ("\u202e\x9b.xml", b"<")),
    "names that lead out": lambda: zipped(*items(), ("../../outside/x.xml", ITEM % 9), ("/tmp/x.xml", ITEM % 9)),
    "30,000 members": lambda: zipped(*((f"{i}.xml", b"<") for i in range(30_000))),
    "one name 1,000 times": lambda: zipped(*items(), *(("x.xml", b"<") for _ in range(1000))),
    "nothing": zipped,
    "only a closing record": lambda: CLOSING + bytes(18),
    "something before it": lambda: b"#!/bin/sh\n" * 5000 + zipped(*items()),
    "lzma": lambda: zipped(*items(), ("x.xml", bytes(60 << 20)), how=zipfile.ZIP_LZMA),
    "bzip2": lambda: zipped(*items(), ("x.xml", bytes(60 << 20)), how=zipfile.ZIP_BZIP2),
}


def nested(depth: int) -> bytes:
    """Return zip files within each other."""
    data = zipped(*items())
    for _ in range(depth):
        data = zipped(("in.zip", data), ("a.xml", ITEM % 1))
    return data


def zip64(offset: int) -> bytes:
    """Return a zip file whose large directory is at any place."""
    data = zipped(*items())
    at, closing = data.index(CENTRAL), data.index(CLOSING)
    large = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 3, 3, closing - at, offset)
    where = struct.pack("<4sIQI", b"PK\x06\x07", 0, closing, 1)
    return (
        data[:closing]
        + large
        + where
        + struct.pack("<4sHHHHIIH", CLOSING, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    )


def archive(box: Box, file: str, make: Callable[[], bytes], form: str, both: bool = True) -> None:
    """Read an archive by name, and by what it looks like."""
    box.put(file, make())
    names: list[str | None] = [form, None] if both else [form]
    for number, name in enumerate(names):
        words: list[Any] = ["--format", name] if name else []
        box.telex("publish", file, *words, "--out", f"o{number}.jsonl", codes={0, 1, 2}, seconds=15)


def cut(box: Box, file: str, make: Callable[[], bytes], form: str) -> None:
    """Cut an archive off at many places."""
    data = make()
    places = sorted({*range(0, min(len(data), 1100), 149), *range(0, len(data), len(data) // 12 + 1)})
    for at in places:
        box.put(file, data[:at])
        box.telex("publish", file, "--format", form, "--out", "o.jsonl", codes={0, 1, 2})
        (box.work / "o.jsonl").unlink(missing_ok=True)


def turned(box: Box, file: str, make: Callable[[], bytes], form: str) -> None:
    """Turn bytes over, at places of the heads and at others."""
    data = make()
    for i in range(24):
        found = bytearray(data)
        for at in range(i * 7, len(found), 311):
            found[at] ^= 1 << i % 8
        box.put(file, bytes(found))
        box.telex("publish", file, "--format", form, "--out", "o.jsonl", codes={0, 1, 2})
        (box.work / "o.jsonl").unlink(missing_ok=True)


def tarred(how: str) -> Callable[[], bytes]:
    """Return what makes a packed tar file."""

    def make() -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=f"w:{how}") as file:
            for i in range(20):
                one = tarfile.TarInfo(f"sci.space/{i}")
                one.size = len(POST % i)
                file.addfile(one, io.BytesIO(POST % i))
        return out.getvalue()

    return make


def sound(box: Box) -> None:
    """What is sound is read to its end: otherwise the cases above would show nothing."""
    for file, data, form, count in (
        ("t.tar", posts() + END, "newsgroups", 3),
        ("t.zip", zipped(*items()), "newsml", 3),
    ):
        box.put(file, data)
        box.telex("publish", file, "--format", form, "--out", f"{file}.jsonl", says=f"{count} documents")
    box.demand(len(fixtures.documents(1)) == 1, "no documents")


def cases() -> Iterator[Case]:
    """Yield the cases."""
    yield Case("sound", sound)
    for name, make in TAR.items():
        yield Case(
            f"tar: {name}",
            partial(archive, file="t.tar", make=make, form="newsgroups"),
            0.6 if "bomb" not in name else 3,
        )
    for name, make in ZIP.items():
        slow = "bomb" in name or "members" in name or name in {"lzma", "bzip2"}
        yield Case(f"zip: {name}", partial(archive, file="t.zip", make=make, form="newsml"), 3 if slow else 0.6)
    for name, make in (("chained long names", TAR["chained long names"]), ("a bomb", TAR["a bomb"])):
        import gzip  # noqa: PLC0415

        yield Case(
            f"tar.gz: {name}",
            partial(archive, file="t.tar.gz", make=lambda make=make: gzip.compress(make(), 1), form="newsgroups"),
            4,
        )
    for ending in ("gz", "xz", "bz2"):
        yield Case(f"tar.{ending} cut", partial(cut, file=f"t.tar.{ending}", make=tarred(ending), form="newsgroups"), 4)
        yield Case(
            f"tar.{ending} turned", partial(turned, file=f"t.tar.{ending}", make=tarred(ending), form="newsgroups"), 4
        )
    yield Case("tar cut", partial(cut, file="t.tar", make=lambda: posts(8) + END, form="newsgroups"), 4)
    yield Case("tar turned", partial(turned, file="t.tar", make=lambda: posts(8) + END, form="newsgroups"), 4)
    yield Case("zip cut", partial(cut, file="t.zip", make=lambda: zipped(*items(8)), form="newsml"), 4)
    yield Case("zip turned", partial(turned, file="t.zip", make=lambda: zipped(*items(8)), form="newsml"), 4)

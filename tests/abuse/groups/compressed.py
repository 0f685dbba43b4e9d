"""Packed files: bombs, what is cut off, turned over, put together, or followed by something else."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from functools import partial
from typing import TYPE_CHECKING

import zstandard

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from abuse.box import Box

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda data: gzip.compress(data, mtime=0),
    "xz": lzma.compress,
    "zst": lambda data: zstandard.ZstdCompressor().compress(data),
    "bz2": bz2.compress,
}
WORDS = ("--learner", "mmp", "--no-baselines", "--json", "--order", "file")


def replayed(box: Box, name: str, data: bytes, **how: object) -> None:
    """Replay a file, and publish it."""
    box.put(name, data)
    box.telex("replay", name, *WORDS, codes={0, 1, 2}, seconds=30, **how)  # type: ignore[arg-type]


def bomb(box: Box, ending: str, what: str) -> None:
    """A gigabyte of one line, of blank lines, or of documents."""
    piece = {"one line": b"x" * (1 << 20), "blank lines": b"\n" * (1 << 20), "NUL": bytes(1 << 20)}[what]
    data = PACK[ending](piece * 64) * 4
    replayed(box, f"b.jsonl.{ending}", data, megabytes=700)


def cut(box: Box, ending: str) -> None:
    """A packed file that ends too early."""
    data = PACK[ending](fixtures.wire(200))
    for at in sorted(
        {
            0,
            1,
            2,
            3,
            5,
            10,
            11,
            12,
            18,
            30,
            len(data) // 3,
            len(data) // 2,
            len(data) - 9,
            len(data) - 8,
            len(data) - 4,
            len(data) - 1,
        }
    ):
        replayed(box, f"w.jsonl.{ending}", data[:at])


def turned(box: Box, ending: str) -> None:
    """A packed file with other bits."""
    data, draw = PACK[ending](fixtures.wire(200)), random.Random(ending)
    for _ in range(15):
        found = bytearray(data)
        found[draw.randrange(len(found))] ^= 1 << draw.randrange(8)
        replayed(box, f"w.jsonl.{ending}", bytes(found))


def joined(box: Box, ending: str) -> None:
    """Several packed files behind each other, which are one."""
    pack = PACK[ending]
    half = fixtures.wire(200).splitlines(keepends=True)
    data = pack(b"".join(half[:100])) + pack(b"") + pack(b"".join(half[100:]))
    box.put(f"w.jsonl.{ending}", data)
    ended = box.telex("replay", f"w.jsonl.{ending}", *WORDS, codes={0, 2} if ending == "bz2" else 0)
    if ended.code == 0:
        box.demand(box.summary(ended).get("documents") == 200, f"{ending}: not all documents of files put together")
    for more in (b"garbage", bytes(1000), PACK["gz"](b"{}") if ending != "gz" else PACK["xz"](b"{}"), data[:20]):
        replayed(box, f"g.jsonl.{ending}", data + more)
    box.put(f"thousand.jsonl.{ending}", pack(b"\n") * 5000)
    box.telex("replay", f"thousand.jsonl.{ending}", *WORDS, codes={0, 1, 2})


def mistaken(box: Box) -> None:
    """Files whose names say something else than their bytes."""
    wire = fixtures.wire(50)
    for ending, pack in PACK.items():
        for name in (f"plain.jsonl.{ending}", f"{ending}.jsonl"):
            replayed(box, name, wire if name.startswith("plain") else pack(wire))
        replayed(box, f"twice.jsonl.{ending}", pack(pack(wire)))
    replayed(box, "quine.jsonl.gz", PACK["gz"](PACK["gz"](PACK["gz"](PACK["gz"](wire)))))


def large_window(box: Box) -> None:
    """Streams that ask for much memory before they give anything."""
    wire = fixtures.wire(50)
    parameters = zstandard.ZstdCompressionParameters(window_log=31, enable_ldm=True)
    replayed(
        box,
        "w.jsonl.zst",
        zstandard.ZstdCompressor(compression_params=parameters).compressobj().compress(b"")
        + b"\x28\xb5\x2f\xfd\x00\xa8"
        + wire[:100],
    )
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    replayed(box, "w.jsonl.xz", lzma.compress(wire, filters=filters))


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for ending in PACK:
        for what in ("one line", "blank lines", "NUL"):
            yield Case(f"{ending} bomb of {what}", partial(bomb, ending=ending, what=what), 3)
        yield Case(f"{ending} cut", partial(cut, ending=ending), 2)
        yield Case(f"{ending} turned", partial(turned, ending=ending), 2)
        yield Case(f"{ending} joined", partial(joined, ending=ending), 1.5)
    yield Case("mistaken for another", mistaken, 2)
    yield Case("large windows", large_window, 1)

"""Run folders that somebody has changed: each field of run.json and of a checkpoint, and their files."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import zipfile
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from abuse import fixtures
from abuse.case import Case
from telex.stream.checkpoints.reader import sum_of, sum_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from abuse.box import Box

GONE = object()
WRONG = (GONE, None, -1, 1e308, 10**400, "", "x\x1b]0;x\x07\u202e", [], {}, [[]], {"a": []}, True)
CALLS = (
    ("replay", "--run", "r", "--resume"),
    ("report", "r", "-o", "page.html"),
    ("inspect", "r"),
    ("predict", "--run", "r", "--text", "gold oil"),
    ("compare", "r"),
    ("replay", "w.jsonl", "--from-run", "r", "--run", "n", "--limit", "30"),
)
READS = {0, 1, 2}
VALUES = 3  # of the wrong ones at each place


def called(box: Box, calls: Any = CALLS) -> None:
    """Call what reads a run folder."""
    for words in calls:
        box.telex(*words, codes=READS, changes=["r"])
        for name in ("n", "page.html"):
            box_remove(box.work / name)


def box_remove(path: Path) -> None:
    """Remove a file or a folder."""
    shutil.rmtree(path, ignore_errors=True)
    path.unlink(missing_ok=True)


def again(box: Box) -> Path:
    """Put the run folder back as it was."""
    box_remove(box.work / "r")
    return box.run_folder()


def paths(tree: Any, depth: int) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value of a JSON object, down to a depth."""
    if isinstance(tree, dict) and depth:
        for name, value in tree.items():
            yield (name,)
            yield from ((name, *rest) for rest in paths(value, depth - 1))


def changed(tree: Any, way: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of a tree with another value at one place."""
    name, *rest = way
    found = dict(tree)
    if rest:
        found[name] = changed(tree[name], tuple(rest), value)
    elif value is GONE:
        del found[name]
    else:
        found[name] = value
    return found


def tampered(box: Box, file: str, way: tuple[Any, ...], turn: int) -> None:
    """Wrong values at one place of a file of JSON; a stranger would know how to seal the file again."""
    for i in range(VALUES):
        path = again(box) / file
        path.write_text(json.dumps(changed(json.loads(path.read_text()), way, WRONG[(turn + 3 * i) % len(WRONG)])))
        if path.name == "header.json" and len(way) > 1:
            seal(path)
        called(box, [CALLS[(turn + i) % len(CALLS)] if i else CALLS[0]])


def seal(header: Path) -> None:
    """Write the checksums of a checkpoint anew."""
    found = json.loads(header.read_text())
    body = found["body"]
    if isinstance(body, dict):
        with contextlib.suppress(TypeError, OSError):
            body["sums"] = {name: sum_of_file(header.parent / name) for name in body.get("sums", {})}
        with contextlib.suppress(TypeError, ValueError):
            header.write_text(json.dumps({**found, "sum": sum_of(body)}))


def as_whole(box: Box, file: str, how: str, turn: int) -> None:
    """A file of the run folder that is something else."""
    path = again(box) / file
    data = path.read_bytes() if path.is_file() else b""
    box_remove(path)
    whats = {
        "empty": b"", "NUL": b"\0" * 1000, "garbage": bytes(range(256)) * 20, "half": data[: len(data) // 2],
        "one byte less": data[:-1], "one byte more": data + b"x", "twice": data + data, "brackets": b"[" * 200_000,
        "braces": b'{"a":' * 200_000, "long number": b"9" * 5_000, "list": b"[]", "bit": flipped(data), "no UTF-8": b"\xff\xfe{}",
        "blank lines": b"\n" * 1000, "BOM": b"\xef\xbb\xbf" + data,
    }  # fmt: skip
    if how in whats:
        path.write_bytes(whats[how])
    elif how == "FIFO":
        os.mkfifo(path)
    elif how == "folder":
        path.mkdir()
    elif how == "loop":
        os.symlink(path.name, path)
    elif how == "link away":
        (box.outside / "there").write_bytes(data)
        os.symlink(box.outside / "there", path)
    elif how == "/dev/zero":
        os.symlink("/dev/zero", path)
    called(box, [CALLS[turn % len(CALLS)], CALLS[(turn + 1) % 2]])


def flipped(data: bytes) -> bytes:
    """Return bytes with some bits turned over in the middle."""
    found = bytearray(data)
    for at in range(len(found) // 3, len(found), 997):
        found[at] ^= 0x55
    return bytes(found)


def arrays(box: Box, how: str) -> None:
    """Arrays of a checkpoint that are not what the header says."""
    path = again(box) / "checkpoints" / newest() / "state.npz"
    with np.load(path) as found:
        known = dict(found)
    names = list(known)
    if how == "bomb":
        bomb(path)
    elif how == "objects":
        np.savez(path, **{**known, names[0]: np.array([{"a": 1}], dtype=object)})
    elif how == "none":
        np.savez(path)
    elif how == "others":
        np.savez(path, **{f"x{name}": table for name, table in known.items()})
    else:
        turn = {
            "NaN": lambda a: np.full_like(a, np.nan) if a.dtype.kind == "f" else a,
            "negative": lambda a: np.full_like(a, -1) if a.dtype.kind in "if" else a,
            "largest": lambda a: np.full_like(a, np.iinfo(a.dtype).max) if a.dtype.kind in "iu" else a,
            "shorter": lambda a: a[:-1],
            "longer": lambda a: np.concatenate([a, a]),
            "other type": lambda a: a.astype("U8"),
            "zeros": np.zeros_like,
        }[how]
        np.savez(path, **{name: turn(table) if table.ndim else table for name, table in known.items()})
    seal(path.with_name("header.json"))
    called(box, CALLS[:4])


def bomb(path: Path) -> None:
    """Write an array of 4 GB in some megabytes."""
    head = BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "|u1", "fortran_order": False, "shape": (4 << 30,)})
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("a0.npy", "w", force_zip64=True) as file,
    ):
        file.write(head.getvalue())
        for _ in range(1 << 8):
            file.write(bytes(1 << 20))


def newest() -> str:
    """Return the name of the newest checkpoint of the run."""
    return max(os.listdir(fixtures.RUN / "checkpoints"))


def cases() -> Iterator[Case]:
    """Yield the cases."""
    facts = json.loads((fixtures.RUN / "run.json").read_text()) if fixtures.RUN.exists() else {}
    header = json.loads((fixtures.RUN / "checkpoints" / newest() / "header.json").read_text()) if facts else {}
    for turn, way in enumerate(paths(facts, 2)):
        yield Case(f"run.json, {'.'.join(way)}", partial(tampered, file="run.json", way=way, turn=turn))
    name = f"checkpoints/{newest()}" if facts else ""
    ways = (way for way in paths(header, 4) if "summary" not in way or len(way) < 4)
    for turn, way in enumerate(ways):
        yield Case(f"header.json, {'.'.join(way)}", partial(tampered, file=f"{name}/header.json", way=way, turn=turn))
    hows = ("empty", "NUL", "garbage", "half", "one byte less", "one byte more", "twice", "brackets", "braces", "long number",
            "list", "bit", "no UTF-8", "blank lines", "BOM", "FIFO", "folder", "loop", "link away", "/dev/zero", "missing")  # fmt: skip
    files = ("run.json", "curves.csv", "labels.csv", "losses.bin", "losses.json", "events.jsonl", "dead-letters.jsonl",
             "label-history.csv", "speed.csv", f"{name}/header.json", f"{name}/state.npz")  # fmt: skip
    for number, file in enumerate(files):
        whole = file.endswith(("run.json", "header.json", "state.npz"))
        for turn, how in list(enumerate(hows))[0 if whole else number % 4 :: 1 if whole else 4]:
            run = partial(as_whole, file=file, how=how, turn=turn)
            yield Case(f"{file.rpartition('/')[2]} is {how}", run)
    for how in (
        "bomb",
        "objects",
        "none",
        "others",
        "NaN",
        "negative",
        "largest",
        "shorter",
        "longer",
        "other type",
        "zeros",
    ):
        yield Case(f"arrays, {how}", partial(arrays, how=how), 2)

"""Two processes on one folder or file, and files that change while they are read."""

from __future__ import annotations

import gzip
import io
import os
import signal
import tarfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from abuse.box import Box
    from abuse.process import Process

DOCUMENTS = 20_000


def two_runs(box: Box, words: tuple[str, ...]) -> None:
    """A second run in the folder of one that goes on."""
    box.wire()
    first = box.start("replay", "synthetic:n=1000000", "--learner", "mmp", "--run", "n", seconds=60)
    until((box.work / "n" / "run.json").exists, first)
    box.telex(*words, codes=2, changes=["n"])
    first.send(signal.SIGTERM)
    box.check(first, first.wait(), 0)


def two_writers(box: Box) -> None:
    """Two processes that write one file: at most one of them has it in the end."""
    box.put("w.jsonl", fixtures.wire(5000))
    processes = [box.start("publish", "w.jsonl", "--out", "o.jsonl") for _ in range(3)]
    codes = [process.wait().code for process in processes]
    box.demand(sorted(codes)[0] == 0 and set(codes) <= {0, 1, 2}, f"three writers ended {codes}")
    lines = (box.work / "o.jsonl").read_bytes().count(b"\n")
    box.demand(lines == 5000, f"the file has {lines} lines")
    box.demand(len(os.listdir(box.work)) == 2, f"left behind: {os.listdir(box.work)}")


def reads_while_written(box: Box) -> None:
    """Reports, predictions and comparisons of a run that goes on."""
    box.put("w.jsonl", fixtures.wire(DOCUMENTS))
    first = box.start("replay", "w.jsonl", "--run", "n", "--checkpoint-every", "256", seconds=60)
    until((box.work / "n" / "curves.csv").exists, first)
    for _ in range(3):
        for words in (
            ("report", "n", "-o", "page.html"),
            ("predict", "--run", "n", "--text", "gold"),
            ("compare", "n"),
            ("inspect", "n"),
        ):
            (box.work / "page.html").unlink(missing_ok=True)
            box.telex(*words, codes={0, 2}, changes=["n"])
    box.check(first, first.wait(), 0)


def until(there: Callable[[], object], process: Process, seconds: float = 10) -> bool:
    """Wait until something is there, or the process has ended."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        if there():
            return True
        if process.ended_within(0.002):
            return False
    return False


def halfway(process: Process, path: Path) -> bool:
    """Stop a process while it has read some of a file, and not all; return whether that was to be seen."""
    size = path.stat().st_size

    def within() -> bool:
        folder = Path(f"/proc/{process.pid}/fd")
        try:
            for one in os.listdir(folder):
                if os.path.realpath(folder / one) == str(path):
                    at = int((folder.parent / "fdinfo" / one).read_text().split()[1])
                    return 0 < at < size * 0.8
        except OSError:
            pass
        return False

    if not until(within, process):
        return False
    os.kill(process.pid, signal.SIGSTOP)
    return True


def packed(kind: str) -> bytes:
    """Return many documents in a file of a kind."""
    wire = fixtures.wire(DOCUMENTS)
    if kind == "gz":
        return gzip.compress(wire, 1)
    if kind == "tar":
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as file:
            for i in range(6000):
                post = (
                    b"From: a@b\nMessage-ID: <%d@x>\nNewsgroups: sci.space\nSubject: gold\n\n" % i + b"wheat oil\n" * 40
                )
                one = tarfile.TarInfo(f"sci.space/{i}")
                one.size = len(post)
                file.addfile(one, io.BytesIO(post))
        return out.getvalue()
    if kind == "unsorted":
        lines = wire.splitlines(keepends=True)
        return b"".join(lines[1::2] + lines[::2])
    return wire


NAMES = {"plain": "w.jsonl", "gz": "w.jsonl.gz", "tar": "w.tar", "unsorted": "w.jsonl"}


def changing(box: Box, kind: str, how: str, order: str) -> None:
    """A file that changes while it is read."""
    data = packed(kind)
    path = box.put(NAMES[kind], data)
    words = ["--format", "newsgroups"] if kind == "tar" else []
    process = box.start("replay", path.name, *words, "--learner", "mmp", "--order", order, "--run", "n", seconds=60)
    seen = halfway(process, path)
    if how == "cut":
        os.truncate(path, len(data) // 3)
    elif how == "emptied":
        os.truncate(path, 0)
    elif how == "rewritten":
        path.write_bytes(bytes(reversed(data)))
    elif how == "patched":
        with open(path, "r+b") as file:
            file.seek(len(data) * 9 // 10)
            file.write(b"x" * 2000)
    elif how == "grown":
        with open(path, "ab") as file:
            file.write(data[: len(data) // 3])
    elif how == "replaced":
        box.put("other", fixtures.wire(50))
        os.replace(box.work / "other", path)
    elif how == "deleted":
        path.unlink()
    process.send(signal.SIGCONT)
    ended = process.wait()
    broken = how in {"cut", "emptied", "rewritten", "patched"} and seen
    box.check(process, ended, {1} if broken and kind != "tar" else {0, 1, 2})


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for words in (
        ("replay", "w.jsonl", "--learner", "mmp", "--run", "n"),
        ("replay", "--run", "n", "--resume"),
        ("replay", "w.jsonl", "--learner", "mmp", "--run", "n", "--resume"),
    ):
        yield Case(f"two runs: {' '.join(words)}", partial(two_runs, words=words), 1)
    yield Case("three writers of one file", two_writers, 2)
    yield Case("readers of a run that goes on", reads_while_written, 6)
    for kind in NAMES:
        for how in ("cut", "emptied", "rewritten", "patched", "grown", "replaced", "deleted"):
            yield Case(
                f"{kind} is {how} while it is read",
                partial(changing, kind=kind, how=how, order="time" if kind == "unsorted" else "file"),
                3,
            )

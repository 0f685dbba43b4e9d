"""``telex predict`` of what strangers send: broken lines, long ones, many, and answers that stay in order."""

from __future__ import annotations

import json
import os
import threading
from functools import partial
from typing import TYPE_CHECKING

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

LINES: dict[str, bytes] = {
    "garbage": b"garbage\n",
    "an empty object": b"{}\n",
    "a list": b"[1,2,3]\n",
    "no UTF-8": b"\xff\xfe\xfd\n",
    "NUL": b"\0\0\0\0\n",
    "half an object": b'{"id": "x", "text": "go\n',
    "a wrong type": b'{"id": "x", "text": [1]}\n',
    "escapes": b'{"id": "\x1b]0;x\x07", "text": 3}\n',
}
COUNT = 100_000


def broken(box: Box, name: str) -> None:
    """So many broken lines from standard input, and a sound one behind them."""
    box.run_folder()
    data = LINES[name] * COUNT + fixtures.wire(3)
    ended = box.telex(
        "predict",
        "--run",
        "r",
        "-",
        "--format",
        "jsonl",
        "--json",
        stdin=data,
        megabytes=350,
        seconds=60,
        codes={0, 2},
        raw=True,
    )
    if ended.code == 0:
        found = [json.loads(line)["id"] for line in ended.out.splitlines()]
        box.demand(found[-3:] == ["0", "1", "2"], f"the sound documents were not predicted: {found[-3:]}")
    box.demand(len(ended.err) < 1 << 20, f"{len(ended.err)} bytes on standard error")


def long_lines(box: Box, size: int, count: int) -> None:
    """Long lines."""
    box.run_folder()
    line = b'{"id": "x", "text": "' + b"gold " * (size // 5) + b'"}\n'
    box.telex(
        "predict", "--run", "r", "-", "--format", "jsonl", "--top", "1", stdin=line * count, megabytes=700, seconds=60
    )
    box.telex("predict", "--run", "r", "--text", b"gold " * 20_000, seconds=60)


def one_by_one(box: Box) -> None:
    """Documents that come one by one are answered one by one."""
    box.run_folder()
    read, write = os.pipe()
    out_read, out_write = os.pipe()
    process = box.start("predict", "--run", "r", "-", "--format", "jsonl", "--json", stdin=read, stdout=out_write)
    os.close(read)
    os.close(out_write)
    answers: list[bytes] = []
    came = threading.Event()

    def listen() -> None:
        with os.fdopen(out_read, "rb") as file:
            for line in file:
                answers.append(line)
                came.set()

    thread = threading.Thread(target=listen)
    thread.start()
    for i in range(3):
        came.clear()
        os.write(write, fixtures.wire(i + 1).splitlines(keepends=True)[i])
        os.write(write, b"broken\n")
        box.demand(came.wait(10), f"no answer to document {i} while others are to come")
    os.close(write)
    box.check(process, process.wait(), 0)
    thread.join(10)
    box.demand(len(answers) == 3, f"{len(answers)} answers to 3 documents")


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name in LINES:
        yield Case(f"100,000 lines of {name}", partial(broken, name=name), 5 if name != "garbage" else 2)
    for size, count in ((100_000, 100), (10_000_000, 2)):
        yield Case(f"{count} lines of {size:,} bytes", partial(long_lines, size=size, count=count), 4)
    yield Case("one by one", one_by_one, 1)

"""Standard streams that are closed, full, ASCII, broken, terminals, or give everything at once."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

COMMANDS: dict[str, tuple[str, ...]] = {
    "help": ("--help",),
    "version": ("--version",),
    "replay": ("replay", "w.jsonl", "--learner", "mmp", "--limit", "60"),
    "replay --json": ("replay", "w.jsonl", "--learner", "mmp", "--limit", "60", "--json"),
    "publish": ("publish", "w.jsonl", "--out", "-"),
    "predict": ("predict", "--run", "r", "w.jsonl", "--limit", "60"),
    "compare": ("compare", "r"),
    "inspect": ("inspect", "r"),
    "learners": ("learners",),
    "formats": ("formats",),
    "completion": ("completion", "bash"),
    "a mistake": ("replay", "--mystery"),
}


def closed(box: Box, command: str, fds: tuple[int, ...]) -> None:
    """Some of the streams are closed."""
    box.run_folder()
    codes = {2} if command == "a mistake" else {0, 1, 2}
    box.telex(*COMMANDS[command], closed=fds, codes=codes, raw=True, fresh=True)


def full(box: Box, command: str, fd: int) -> None:
    """A stream that takes nothing."""
    box.run_folder()
    with open("/dev/full", "wb") as device:
        name = "stdout" if fd == 1 else "stderr"
        codes = {2} if command == "a mistake" else {1} if fd == 1 and command != "replay" else {0, 1, 2}
        box.telex(*COMMANDS[command], codes=codes, raw=True, fresh=True, **{name: device.fileno()})


def broken(box: Box, command: str, fd: int) -> None:
    """A pipe without a reader."""
    box.run_folder()
    read, write = os.pipe()
    os.close(read)
    name = "stdout" if fd == 1 else "stderr"
    box.telex(
        *COMMANDS[command], codes={2} if command == "a mistake" else {0, 1}, raw=True, fresh=True, **{name: write}
    )
    os.close(write)


def ascii_only(box: Box, command: str) -> None:
    """A locale of ASCII, and labels that are not."""
    wire = [{**one, "labels": ["Rohöl", "Gold\u2009"], "text": "Öl é \U0001f4f0"} for one in fixtures.documents(60)]
    box.put("w.jsonl", wire)
    box.telex("replay", "w.jsonl", "--learner", "mmp", "--learner", "nb", "--run", "r")
    for environment in (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ):
        box.telex(
            *COMMANDS[command], fresh=True, environment=environment, codes=2 if command == "a mistake" else 0, raw=True
        )


def terminal(box: Box, command: str) -> None:
    """A terminal, and a title that would change it."""
    wire = [
        {**one, "labels": ["\x1b]0;owned\x07", "\x1b[2Jx"], "title": "\x1b]0;owned\x07", "id": f"\x1b]0;owned\x07{i}"}
        for i, one in enumerate(fixtures.documents(100))
    ]
    box.put("w.jsonl", wire)
    box.put("broken\x1b]0;owned\x07.jsonl", b"x\n[]\n")
    box.telex("replay", "w.jsonl", "--learner", "mmp", "--learner", "nb", "--run", "r", codes={0, 1})
    words = [*COMMANDS[command], *(["broken\x1b]0;owned\x07.jsonl"] if command == "replay" else [])]
    main, end = os.openpty()
    seen: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):
            while piece := os.read(main, 65536):
                seen.append(piece)

    process = box.start(*words, stdout=end, stderr=end, environment={"TERM": "xterm-256color"})
    os.close(end)
    thread = threading.Thread(target=read)
    thread.start()
    ended = process.wait()
    thread.join(10)
    os.close(main)
    text = b"".join(seen)
    box.demand(ended.code in {0, 2}, f"{command} ended {ended.code} at a terminal: {text[-300:]!r}")
    box.demand(
        b"\x1b]0;owned" not in text and b"\x1b[2Jx" not in text, f"{command} sends what it reads to the terminal raw"
    )
    box.demand(b"Traceback" not in text, f"{command} printed a traceback at a terminal")


def inputs(box: Box, kind: str) -> None:
    """Standard input of any kind."""
    box.run_folder()
    words: list[Any] = ["-", "--format", "jsonl"]
    for command in (
        ("replay", *words, "--learner", "mmp"),
        ("publish", *words, "--out", "o.jsonl"),
        ("predict", "--run", "r", *words),
    ):
        (box.work / "o.jsonl").unlink(missing_ok=True)
        if kind == "closed":
            box.telex(*command, closed=(0,), codes={1, 2}, fresh=True)
        elif kind == "a folder":
            fd = os.open(box.work, os.O_RDONLY)
            process = box.start(*command, stdin=fd, fresh=True)
            box.demand(process.wait().code == 1, "a folder was read")  # Python refuses it, before telex begins
            os.close(fd)
        elif kind == "only for writing":
            fd = os.open(box.folder / "written", os.O_WRONLY | os.O_CREAT)
            box.telex(*command, stdin=fd, codes={1, 2})
            os.close(fd)
        elif kind == "a socket":
            ours, theirs = socket.socketpair()
            ours.sendall(fixtures.wire(20))
            ours.close()
            box.telex(*command, stdin=theirs.fileno(), codes={0, 1})
            theirs.close()
        elif kind == "not blocking":
            read, write = os.pipe()
            os.set_blocking(read, False)
            os.write(write, fixtures.wire(20))
            process = box.start(*command, stdin=read)
            process.ended_within(0.3)
            os.write(write, b"{}\n")
            os.close(write)
            box.check(process, process.wait(), {0, 1})
            os.close(read)
        elif kind == "/dev/zero":
            with open("/dev/zero", "rb") as device:
                process = box.start(*command, stdin=device.fileno(), seconds=20)
                process.ended_within(2)
                process.send(15)
                box.check(process, process.wait(), {0, 1, 2})
        elif kind == "/dev/urandom":
            with open("/dev/urandom", "rb") as device:
                process = box.start(*command, "--limit", "50", stdin=device.fileno(), seconds=20)
                process.ended_within(1)
                process.send(15)
                box.check(process, process.wait(), {0, 1, 2})
        else:
            data = {"nothing": b"", "a blank line": b"\n", "no line end": fixtures.wire(20).rstrip(), "gz": __import__("gzip").compress(fixtures.wire(20)),
                    "CRLF": fixtures.wire(20).replace(b"\n", b"\r\n"), "BOM": b"\xef\xbb\xbf" + fixtures.wire(20), "UTF-16": fixtures.wire(20).decode().encode("utf-16")}[kind]  # fmt: skip
            box.telex(*command, stdin=data, codes={0, 1, 2})


def reader_leaves(box: Box, command: str) -> None:
    """A reader that takes some lines and goes, as ``head`` does."""
    box.run_folder()
    program = str(__import__("pathlib").Path(sys.executable).with_name("telex"))
    for count in (0, 1, 100):
        box.calls += 1
        environment = {"PATH": os.environ["PATH"], "HOME": str(box.home), "TMPDIR": str(box.tmp)}
        with subprocess.Popen(
            [program, *COMMANDS[command]], cwd=box.work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as one:
            assert one.stdout
            one.stdout.read(count)
            one.stdout.close()
            assert one.stderr
            err = one.stderr.read()
            code = one.wait(20)
        codes = {2} if command == "a mistake" else {0, 1}
        box.demand(
            code in codes and not re.search(rb"Traceback|Exception ignored|BrokenPipe", err),
            f"{command} whose reader left after {count} bytes ended {code}: {err[-200:]!r}",
        )


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for command in COMMANDS:
        for fds in ((0,), (1,), (2,), (0, 1, 2)):
            yield Case(f"{command} without {', '.join(map(str, fds))}", partial(closed, command=command, fds=fds), 0.6)
        for fd in (1, 2):
            yield Case(f"{command}, {fd} is full", partial(full, command=command, fd=fd), 0.6)
            yield Case(f"{command}, {fd} has no reader", partial(broken, command=command, fd=fd), 0.6)
        yield Case(f"{command} in ASCII", partial(ascii_only, command=command), 1.5)
        yield Case(f"{command} whose reader leaves", partial(reader_leaves, command=command), 1.2)
    for command in ("replay", "predict", "inspect", "compare", "a mistake"):
        yield Case(f"{command} at a terminal", partial(terminal, command=command), 1)
    for kind in (
        "closed",
        "a folder",
        "only for writing",
        "a socket",
        "not blocking",
        "nothing",
        "a blank line",
        "no line end",
        "gz",
        "CRLF",
        "BOM",
        "UTF-16",
    ):
        yield Case(f"standard input is {kind}", partial(inputs, kind=kind), 0.8)
    for kind in ("/dev/zero", "/dev/urandom"):
        yield Case(f"standard input is {kind}", partial(inputs, kind=kind), 6)

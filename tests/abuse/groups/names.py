"""Names of strangers: of files, labels, learners and words, with what a terminal, a page or a table would obey."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from functools import partial
from typing import TYPE_CHECKING

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

NAMES: dict[str, bytes] = {
    "no UTF-8": b"\xff\xfe",
    "escapes": b"\x1b]0;owned\x07\x1b[2J",
    "C1": "\x9b31m\x90".encode(),
    "a line end": b"a\nb",
    "a carriage return": b"a\rb",
    "bidi": "\u202egpj.\u2066x".encode(),
    "a line separator": "a\u2028b\u2029".encode(),
    "zero width": "\u200b\ufeff".encode(),
    "leading dash": b"-rf",
    "an option": b"--help",
    "blanks": b"  a  b  ",
    "a formula": b"=cmd|' /C calc'!A0",
    "quotes": b"a\"b'c`d$(e)",
    "HTML": b"<script>alert(1)<|script>",
    "long": b"x" * 240,
    "combining": b"a" + "\u0301".encode() * 100,
    "percent": b"%s%n%d{0}{x!r}",
    "backslashes": b"..\\..\\a",
    "a glob": b"*[!a]?{b,c}",
    "an address": b"http:x",
    "emoji": "\U0001f4f0".encode(),
    "decomposed": "e\u0301".encode(),
}


def file(box: Box, name: bytes) -> None:
    """A file of documents of this name, one that is broken, one that is not there, and a folder."""
    path = b"./" + name if name.startswith(b"-") else name
    box.put(name + b".jsonl", fixtures.wire(20))
    box.put(name + b".broken", b"{}\n[]\nx\n")
    box.put(b"in" + name + b"/w.jsonl", fixtures.wire(20))
    box.telex("replay", path + b".jsonl", "--learner", "mmp")
    box.telex("replay", path + b".broken", "--learner", "mmp", "--format", "jsonl", codes={0, 2})
    box.telex("replay", path + b".broken", "--learner", "mmp", "--format", "jsonl", "--strict", codes={1, 2})
    box.telex("replay", path + b".none", "--learner", "mmp", codes=2)
    box.telex("replay", path + b".jsonl", "--format", b"x" + name, codes=2)
    box.telex("replay", b"in" + name, "--learner", "mmp", codes={0, 2})


def output(box: Box, name: bytes) -> None:
    """Outputs of this name, and a run folder that is resumed, reported and compared."""
    path = b"./" + name if name.startswith(b"-") else name
    box.wire(n=300)
    box.telex(
        "replay",
        "w.jsonl",
        "--learner",
        "mmp",
        "--learner",
        "nb",
        "--limit",
        "260",
        "--run",
        path,
        "--predictions",
        path + b".p",
    )
    box.telex(
        "replay",
        "--run",
        path,
        "--resume",
        "--predictions",
        path + b".p",
        "--limit",
        "300",
        changes=[os.fsdecode(name), os.fsdecode(name) + ".p"],
    )
    box.telex("report", path, "-o", path + b".html", changes=[os.fsdecode(name)])
    box.telex("compare", path)
    box.telex("inspect", path)
    box.telex("predict", "--run", path, "--text", "gold")
    box.telex("publish", "w.jsonl", "--out", path + b".out")
    page = (
        (box.work / os.fsdecode(name + b".html")).read_bytes()
        if (box.work / os.fsdecode(name + b".html")).exists()
        else b""
    )
    box.demand(b"<script>alert(1)" not in page, "the page has a name as markup")


def label(box: Box, name: bytes) -> None:
    """Labels, words, titles and ids of this name, in all outputs."""
    text = name.decode(errors="replace")
    wire = [
        {**one, "labels": [text, "crops"][i % 2 :], "title": text, "text": f"{text} {one['text']}"}
        for i, one in enumerate(fixtures.documents(60))
    ]
    wire[7]["id"] = text
    box.put("w.jsonl", wire)
    box.telex("replay", "w.jsonl", "--learner", "mmp", "--learner", "nb", "--run", "r", "--predictions", "p")
    box.telex("report", "r", "-o", "page.html", changes=["r"])
    box.telex("predict", "--run", "r", "w.jsonl", "--limit", "5")
    box.telex("predict", "--run", "r", f"--text={text}")
    box.telex("predict", "--run", "r", "--text", "gold", "--threshold", b"none" + name + b"=1", codes=2)
    box.telex("inspect", "r")
    box.telex("crossval", "w.jsonl", "--learner", "nb", "--folds", "2", "--run", "c")
    page = (box.work / "page.html").read_bytes() if (box.work / "page.html").exists() else b""
    box.demand(b"<script>alert(1)" not in page, "the page has a label as markup")
    for table in ("r/labels.csv", "c/confusion.csv"):
        if (box.work / table).exists():
            rows = list(csv.reader(io.StringIO((box.work / table).read_text())))
            box.demand(len({len(row) for row in rows}) == 1, f"{table} has rows of several lengths")
    for line in (box.work / "p").read_text().split("\n")[:-1]:
        json.loads(line)


def learner(box: Box, name: bytes) -> None:
    """A learner of this name."""
    box.wire()
    alias = name.replace(b"=", b"").replace(b":", b"")
    box.telex("replay", "w.jsonl", "--learner", alias + b"=mmp", "--learner", "nb", "--run", "r", codes={0, 2})
    if (box.work / "r" / "curves.csv").exists():
        box.telex("report", "r", "-o", "page.html", codes={0, 2}, changes=["r"])
        box.telex("compare", "r", codes={0, 2})
        box.demand(
            not re.search(rb"<script>alert\(1\)", (box.work / "page.html").read_bytes()),
            "the page has a learner as markup",
        )
    box.telex("replay", "w.jsonl", "--learner", name, codes=2)


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for what, name in NAMES.items():
        yield Case(f"files: {what}", partial(file, name=name.replace(b"/", b"|")), 0.8)
        yield Case(f"outputs: {what}", partial(output, name=name.replace(b"/", b"|")), 1.8)
        yield Case(f"labels: {what}", partial(label, name=name), 1.8)
        yield Case(f"learners: {what}", partial(learner, name=name), 0.8)

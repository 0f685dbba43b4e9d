"""Runs that are killed at any moment, and the one command line that begins them and continues them."""

from __future__ import annotations

import json
import os
import random
import shutil
from functools import partial
from typing import TYPE_CHECKING

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

WORDS = ("replay", "w.jsonl", "--learner", "mmp", "--run", "n", "--checkpoint-every", "256", "--resume")
DOCUMENTS = 3000


def killed(box: Box, moments: tuple[float, ...]) -> None:
    """Kill the same command line at these moments, then let it go to its end."""
    box.put("w.jsonl", fixtures.wire(DOCUMENTS))
    for moment in moments:
        process = box.start(*WORDS)
        process.ended_within(moment)
        process.send(9)
        process.wait()
    ended = box.telex(*WORDS, "--json", changes=["n"])
    if ended.code == 0:
        box.demand(box.summary(ended).get("documents") == DOCUMENTS, "the run has not come to its end")
        facts = json.loads((box.work / "n" / "run.json").read_text())
        box.demand(facts["finished"] is True, "run.json says that it has not finished")
    box.telex(*WORDS, changes=["n"])


def nothing_there(box: Box, what: str) -> None:
    """--resume where there is nothing yet, or nothing of use."""
    box.wire()
    folder = box.work / "n"
    if what != "nothing":
        folder.mkdir()
    if what == "empty run.json":
        (folder / "run.json").write_bytes(b"")
    elif what == "half a run.json":
        (folder / "run.json").write_bytes(b'{"command_line": ["te')
    elif what == "empty checkpoints":
        (folder / "checkpoints").mkdir()
    elif what == "a strange file":
        (folder / "precious").write_bytes(b"x")
    elif what == "a temporary checkpoint":
        (folder / "checkpoints" / ".000001.tmp").mkdir(parents=True)
    begins = what in {"nothing", "an empty folder"}
    box.telex(*WORDS, codes=0 if begins else {0, 2}, changes=["n"] if what != "a strange file" else [])
    if what == "nothing":
        shutil.rmtree(folder, ignore_errors=True)
        box.telex("replay", "--run", "n", "--resume", codes=2)
        box.demand(not folder.exists(), "a folder was made where nothing could begin")


def without(box: Box, name: str) -> None:
    """A run folder without one of its files."""
    folder = box.run_folder()
    shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink(missing_ok=True)
    box.telex("replay", "--run", "r", "--resume", "--limit", "700", codes={0, 1, 2}, changes=["r"])
    box.telex("report", "r", "-o", "page.html", codes={0, 1, 2}, changes=["r"])


def other_input(box: Box, how: str) -> None:
    """The documents have changed before the run resumes."""
    box.run_folder()
    path = box.work / "w.jsonl"
    data = path.read_bytes()
    wanted = {2}
    if how == "gone":
        path.unlink()
    elif how == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif how == "other":
        path.write_bytes(data.replace(b"gold", b"lead"))
    elif how == "grown":
        path.write_bytes(data + b'{"id": "more", "text": "x", "labels": []}\n')
    elif how == "touched":
        os.utime(path, (1, 1))
        wanted = {0}
    elif how == "a folder":
        path.unlink()
        path.mkdir()
    elif how == "packed":
        path.write_bytes(__import__("gzip").compress(data))
    box.telex("replay", "--run", "r", "--resume", "--limit", "700", codes=wanted, changes=["r"])


def cases() -> Iterator[Case]:
    """Yield the cases."""
    draw = random.Random(5)
    for count in (1, 1, 1, 2, 2, 3, 4, 6):
        moments = tuple(round(draw.uniform(0.0, 0.7), 2) for _ in range(count))
        yield Case(f"killed after {', '.join(map(str, moments))} s", partial(killed, moments=moments), 1 + count)
    for what in (
        "nothing",
        "an empty folder",
        "empty run.json",
        "half a run.json",
        "empty checkpoints",
        "a strange file",
        "a temporary checkpoint",
    ):
        yield Case(f"resumed where there is {what}", partial(nothing_there, what=what))
    for name in (
        "run.json",
        "curves.csv",
        "labels.csv",
        "losses.bin",
        "losses.json",
        "events.jsonl",
        "dead-letters.jsonl",
        "speed.csv",
        "label-history.csv",
        "checkpoints",
    ):
        yield Case(f"without {name}", partial(without, name=name))
    for how in ("gone", "cut", "other", "grown", "touched", "a folder", "packed"):
        yield Case(f"its documents are {how}", partial(other_input, how=how))

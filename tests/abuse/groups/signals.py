"""Ctrl-C and SIGTERM at any moment, also in the midst of one long document: each process ends soon and in order."""

from __future__ import annotations

import json
import os
import random
import signal
from functools import partial
from typing import TYPE_CHECKING

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

SOON = 5.0  # seconds of a processor
COMMANDS: dict[str, tuple[str, ...]] = {
    "replay": ("replay", "w.jsonl", "--run", "n", "--checkpoint-every", "256"),
    "replay without a folder": ("replay", "w.jsonl", "--learner", "mmp"),
    "predictions": ("replay", "w.jsonl", "--learner", "mmp", "--predictions", "p"),
    "refit": ("replay", "w.jsonl", "--learner", "refit:model=mpboost,every=500,window=2000", "--run", "n"),
    "sweep": ("sweep", "w.jsonl", "--learner", "mmp:r=1|2|4", "--at-once", "2"),
    "publish": ("publish", "w.jsonl", "--out", "o.jsonl"),
    "publish slowly": ("publish", "w.jsonl", "--out", "o.jsonl", "--rate", "20"),
    "publish packed": ("publish", "w.jsonl", "--out", "o.jsonl.xz"),
    "crossval": ("crossval", "w.jsonl", "--learner", "mpboost:rounds=500", "--folds", "3", "--run", "n"),
    "predict": ("predict", "--run", "r", "w.jsonl"),
    "demo": ("demo", "--n", "20000", "-o", "page.html"),
    "serve": ("replay", "w.jsonl", "--learner", "mmp", "--serve", "127.0.0.1:0"),
}


def stopped(box: Box, command: str, number: int, moment: float, again: bool = False) -> None:
    """A signal after ``moment`` seconds, and perhaps another soon after it."""
    box.run_folder()
    box.put("w.jsonl", fixtures.wire(20_000))
    # MLPP's table grows with the stream, and a quick machine comes further before the signal.
    process = box.start(*COMMANDS[command], seconds=60, megabytes=1200)
    process.ended_within(moment)
    process.send(number)
    if again:
        process.ended_within(0.05)
        process.send(number)
    if not process.ends_within(SOON):
        box.note(process, f"did not end within {SOON:g} s of {signal.Signals(number).name} at {moment:.2f} s")
        process.send(signal.SIGKILL)
        process.wait()
        return
    # A signal before Python's own handlers are there ends a process as it ends any other.
    # So does a second signal while a command closes what it has open.
    early = {-number} if moment < 0.5 or again else set()
    box.check(process, process.wait(), {0, 130} | early)
    left = [
        name
        for name in os.listdir(box.work)
        if name not in {"r", "w.jsonl", "n", "p", "o.jsonl", "o.jsonl.xz", "page.html"}
    ]
    box.demand(not left or again, f"{command} left {left} behind")
    if (box.work / "n" / "run.json").exists() and command != "crossval":
        facts = json.loads((box.work / "n" / "run.json").read_text())
        box.demand(isinstance(facts, dict), "run.json is no object")


def stalled(box: Box, number: int, what: str) -> None:
    """A signal in the midst of one document."""
    wire = fixtures.documents(40)
    wire[20] = {
        **wire[20],
        **({"labels": [f"l{i}" for i in range(100_000)]} if what == "labels" else {"text": "gold " * 4_000_000}),
    }
    box.put("w.jsonl", wire)
    budget = ("--budget", "labels=1000000,new-labels=1000000,length=1000000000,terms=100000000")
    process = box.start("replay", "w.jsonl", "--learner", "mmp", "--learner", "br", *budget, seconds=60, megabytes=4000)
    process.ended_within(1.5)
    process.send(number)
    if not process.ends_within(SOON):
        box.note(process, f"did not end within {SOON:g} s of a signal")
        process.send(signal.SIGKILL)
        process.wait()
        return
    box.check(process, process.wait(), {0, 1, 130})


def waiting(box: Box, number: int, command: str) -> None:
    """A signal while nothing comes from standard input, or from a FIFO."""
    box.run_folder()
    words = {
        "replay": ("replay", "-", "--learner", "mmp"),
        "predict": ("predict", "--run", "r", "-"),
        "publish": ("publish", "-", "--out", "o"),
    }
    read, write = os.pipe()
    os.write(write, fixtures.wire(20))
    process = box.start(*words[command], "--format", "jsonl", stdin=read)
    process.ended_within(0.8)
    process.send(number)
    if not process.ends_within(SOON):
        box.note(process, f"did not end within {SOON:g} s of a signal")
        process.send(signal.SIGKILL)
    ended = process.wait()
    if ended.code != -signal.SIGKILL:
        box.check(process, ended, {0, 130})
    os.close(read)
    os.close(write)


def cases() -> Iterator[Case]:
    """Yield the cases."""
    draw = random.Random(3)
    for command in COMMANDS:
        for number in (signal.SIGINT, signal.SIGTERM):
            for again in (False, True):
                moment = draw.choice((0.15, 0.3, 0.6, 1.0, 1.5))
                run = partial(stopped, command=command, number=number, moment=moment, again=again)
                yield Case(f"{command}, {'two ' * again}{signal.Signals(number).name} after {moment} s", run, 2)
    for number in (signal.SIGINT, signal.SIGTERM):
        for what in ("labels", "text"):
            yield Case(
                f"{signal.Signals(number).name} within a document of many {what}",
                partial(stalled, number=number, what=what),
                4,
            )
        for command in ("replay", "predict", "publish"):
            yield Case(
                f"{signal.Signals(number).name} while {command} waits",
                partial(waiting, number=number, command=command),
                1.2,
            )

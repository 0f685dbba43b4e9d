"""Runs that are killed, or whose writes fail, compared with undisturbed runs."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.stream.checkpoints import Checkpoints

if TYPE_CHECKING:
    import random

HERE = Path(__file__).parent
FILES = ("curves.csv", "labels.csv", "losses.bin", "dead-letters.jsonl", "events.jsonl")
DECISIVE = ("learners", "parts", "dead_letters", "finished", "late", "settings", "watching")
KILL, HALF = -1, -2
PATIENCE = 120.0


class DisturbedError(Exception):
    """A run resumed to another result than the undisturbed one, or printed the wrong message, or did not end."""


class GoneError(Exception):
    """The process that others are forked from is no more: there is nothing to try any longer."""


@dataclass(frozen=True)
class Fault:
    """What happens at the ``at``-th call under a folder: it fails with an errno, or the process is killed there.

    ``kinds`` are those counted ("" for all); with ``stays`` all later ones fail too; ``log`` is where each is noted.
    """

    at: int = 0
    what: int = 0
    kinds: str = ""
    stays: bool = False
    log: str = ""

    def arguments(self, folder: Path) -> list[Any]:
        """Return the arguments of faults_arm."""
        return [str(folder), self.kinds, self.at, self.what, int(self.stays), self.log]


@dataclass
class Ended:
    """How a process ended."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def sentence(self) -> str:
        """What it complained of."""
        return next((line for line in reversed(self.err.splitlines()) if line.startswith("telex: ")), "")


def compiler() -> str | None:
    """Return a C compiler, None where there is none, or where it could not make what is preloaded on Linux."""
    if sys.platform != "linux":
        return None
    return shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")


def build(folder: Path) -> Path:
    """Compile the shim."""
    library = folder / "shim.so"
    call = [compiler() or "cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "shim.c"), "-ldl"]
    subprocess.run(call, check=True)
    return library


class Zygote:
    """One process from which command lines are forked, so that they need not load anything.

    A command line that does not end within ``patience`` seconds prints the stack of each thread, and is ended.
    """

    def __init__(self, folder: Path, library: Path | None = None, patience: float = PATIENCE) -> None:
        self.folder, self.patience = folder, patience
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        if library:
            environment["LD_PRELOAD"] = str(library)
        # Unbuffered, so that what can be read is what has not been read.
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "zygote.py")],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip
        self._argv: list[str] = []
        self._pid = 0
        self._line()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def start(self, argv: list[str], fault: Fault | None = None, under: Path | None = None, piece: int = 7) -> int:
        """Start a command line, and return the number of its process."""
        outputs = {name: str(self.folder / name) for name in ("stdout", "stderr")}
        task = {"argv": argv, "piece": piece, **outputs}
        if fault:
            task["fault"] = fault.arguments(under or self.folder)
        assert self.process.stdin
        try:
            self.process.stdin.write(f"{json.dumps(task)}\n".encode())
        except BrokenPipeError as error:
            raise self._gone() from error
        self._began, self._argv = time.perf_counter(), argv
        self._pid = int(self._line())
        return self._pid

    def wait(self) -> Ended:
        """Wait for its end."""
        if not self._ready(self._began + self.patience - time.perf_counter()):
            self._stuck()
        code = int(self._line())
        seconds = time.perf_counter() - self._began
        out, err = ((self.folder / name).read_text(errors="replace") for name in ("stdout", "stderr"))
        return Ended(code, out, err, seconds)

    def run(self, argv: list[str], fault: Fault | None = None, under: Path | None = None, piece: int = 7) -> Ended:
        """Start a command line and wait for its end."""
        self.start(argv, fault, under, piece)
        return self.wait()

    def killed(self, argv: list[str], seconds: float, number: int = signal.SIGKILL) -> Ended:
        """Start a command line, and kill it after so long, or send it another signal."""
        pid = self.start(argv)
        # Once it has ended by itself its number may be another process's.
        if not self._ready(seconds):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        return self.wait()

    def _stuck(self) -> None:
        os.kill(self._pid, signal.SIGUSR1)
        self._ready(5.0)
        stacks = (self.folder / "stderr").read_text(errors="replace")
        os.kill(self._pid, signal.SIGKILL)
        self._line()
        raise DisturbedError(
            f"`telex {' '.join(self._argv)}` did not end within {self.patience:g} seconds; it stood at\n{stacks}"
        )

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self.process.stdout], [], [], max(0.0, seconds))[0])

    def _line(self) -> str:
        assert self.process.stdout
        if not (line := self.process.stdout.readline()):
            raise self._gone()
        return line.decode().strip()

    def _gone(self) -> GoneError:
        code = self.process.wait()
        doing = f" while `telex {' '.join(self._argv)}` was at work" if self._argv else " before it began"
        return GoneError(f"the process that others are forked from has ended ({code}){doing}")


@dataclass
class Result:
    """What a run has left: its files, its summary, its weights."""

    files: dict[str, bytes]
    summary: dict[str, Any]
    state: dict[str, Any] = field(repr=False)


def result(run: Path) -> Result:
    """Read what a run that came to its end has left in its folder."""
    files = {name: (run / name).read_bytes() for name in FILES}
    files |= {path.name: path.read_bytes() for path in run.glob("losses*")}  # of a test part too, where there is one
    predictions = run.with_suffix(".predictions")
    files["predictions"] = predictions.read_bytes() if predictions.is_file() else b""
    facts = json.loads((run / "run.json").read_text())
    if facts["finished"] is not True:
        raise DisturbedError("run.json says that the run did not come to its end")
    summary = {name: value for name, value in facts["summary"].items() if name not in {"seconds", "docs_per_second"}}
    _, state = Checkpoints(run / "checkpoints").newest()
    kept = {name: state[name] for name in DECISIVE}
    kept["learners"] = {name: weights(state) for name, state in kept["learners"].items()}
    if kept["late"]:
        kept["late"] = {**kept["late"], "waiting": None}  # how documents that wait are cut depends on when they came
    return Result(files, summary, kept)


def weights(state: dict[str, Any]) -> dict[str, Any]:
    """Return a learner's state without what is of no account.

    That is the order of its rows, and what river's estimators call a feature whose id has been given to another: the
    name that it had when a batch was seen.
    """
    if "kept" in state:
        return {**state, "kept": {**state["kept"], "texts": None, "text_offsets": None}}
    packed = state.get("packed", {})
    if "row_features" not in packed:
        return state
    order = np.argsort(packed["row_features"])
    found = {**packed, "row_features": packed["row_features"][order]}
    for name in ("rows", "rows_sum"):
        if len(order) and name in packed:
            tiles = packed[name]
            found[name] = tiles.reshape(len(tiles), len(order), -1)[:, order].reshape(tiles.shape)
    return {**state, "packed": found}


def differences(one: Result, other: Result) -> list[str]:
    """Name what differs."""
    found = [name for name in {**one.files, **other.files} if one.files.get(name) != other.files.get(name)]
    found += [
        f"summary: {name}"
        for name in one.summary
        if json.dumps(one.summary[name]) != json.dumps(other.summary.get(name))
    ]
    return found + list(_unlike(one.state, other.state, "state"))


def _unlike(one: Any, other: Any, path: str):
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from _unlike(one.get(name), other.get(name), f"{path}.{name}")
    elif isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        if one.dtype != other.dtype or one.shape != other.shape or one.tobytes() != other.tobytes():
            yield path
    elif repr(one) != repr(other):
        yield f"{path} ({one!r:.60}, not {other!r:.60})"


class Trial:
    """One command, its undisturbed result, and disturbances of it."""

    def __init__(self, zygote: Zygote, variant: Any, folder: Path) -> None:
        self.zygote, self.variant, self.folder = zygote, variant, folder
        folder.mkdir(parents=True, exist_ok=True)
        self._number = 0
        self.kills = self.stops = self.code = 0
        self.places: Counter[str] = Counter()
        run = folder / "undisturbed"
        ended = zygote.run([*variant.argv(run), "--checkpoint-every", "5m"], piece=256)
        if ended.code:
            raise DisturbedError(f"{variant.name}: {ended.err}")
        self.expected = result(run)
        # What is disturbed writes far more checkpoints than the run that it is compared with.
        busy = self.new()
        self.seconds = zygote.run(variant.argv(busy)).seconds
        self._check(busy, ended, "checkpoint after checkpoint")

    def new(self) -> Path:
        """Name a folder for a run."""
        self._number += 1
        return self.folder / f"run{self._number}"

    def calls(self) -> list[str]:
        """Return the calls that a run makes, each as ``kind path``."""
        log = self.folder / "calls"
        log.unlink(missing_ok=True)
        run = self.new()
        self.zygote.run(self.variant.argv(run), Fault(log=str(log)), run.parent)
        self._clear(run)
        return [line.partition(" ")[2] for line in log.read_text().splitlines() if f"/{run.name}" in line]

    def killed(self, draw: random.Random) -> int:
        """Kill a run again and again until it has come to its end; return how often.

        Every other run is first killed while it begins, before its first document or soon after.
        """
        run, kills = self.new(), 0
        argv, early = self.variant.argv(run), draw.randrange(2) * draw.randrange(4)
        while True:
            # Ever later, so that it ends.
            longest = 0.06 if kills < early else (0.7 + 0.05 * kills) * self.seconds
            ended = self.zygote.killed(argv, draw.uniform(0.0, longest))
            if ended.code != -signal.SIGKILL:
                break
            kills += 1
            self._struck(run)
        self._check(run, ended, f"{kills} kills")
        return kills

    def stopped(self, draw: random.Random, number: int) -> int:
        """End a run by a signal that it can hear, again and again until it has come to its end; return how often."""
        run, stops = self.new(), 0
        argv = self.variant.argv(run)
        while True:
            ended = self.zygote.killed(argv, draw.uniform(0.0, 0.7 + 0.05 * stops) * self.seconds, number)
            if ended.code not in {0, 130, -number}:
                raise DisturbedError(f"{self.variant.name}, told to stop: exit code {ended.code}, and {ended.err}")
            if ended.code != -number and (run / "run.json").is_file():
                facts = json.loads((run / "run.json").read_text())
                if facts["finished"]:
                    break
                if not Checkpoints(run / "checkpoints").numbers() and facts.get("summary"):
                    raise DisturbedError(f"{self.variant.name}, told to stop: there is no checkpoint")
            stops += 1
            self.stops += 1
        ended.code = 0
        self._check(run, ended, f"{stops} signals {number}")
        return stops

    def struck(self, fault: Fault, again: Fault | None = None) -> Ended:
        """Have a run meet ``fault`` (and the resumed one ``again``), then let it continue to its end.

        Returned is how the first process ended.
        """
        run = self.new()
        argv, under = self.variant.argv(run), run.parent
        struck = self.zygote.run(argv, fault, under)
        self.code = struck.code
        for ended in (struck, self.zygote.run(argv, again, under)) if again else (struck,):
            if ended.code == -signal.SIGKILL:
                self._struck(run)
            else:
                self._complained(ended, run)
        self._check(run, self.zygote.run(argv), f"{fault}, {again}, which ended {struck.code}: {struck.sentence}")
        return struck

    def _struck(self, run: Path) -> None:
        """Count a kill, and where it came: before checkpoint 0, before the first document was in one, or later."""
        self.kills += 1
        numbers = Checkpoints(run / "checkpoints").numbers()
        self.places["no checkpoint" if not numbers else "checkpoint 0" if numbers == [0] else "later"] += 1

    def _complained(self, ended: Ended, run: Path) -> None:
        if ended.code not in {0, 1, 2} or "Traceback" in ended.err or bool(ended.code) != bool(ended.sentence):
            raise DisturbedError(f"{self.variant.name} in {run}: exit code {ended.code}, and {ended.err}")

    def _check(self, run: Path, ended: Ended, what: str) -> None:
        if ended.code or "Traceback" in ended.err:
            raise DisturbedError(f"{self.variant.name} after {what}: it ended {ended.code}, and said {ended.err}")
        found = differences(self.expected, result(run))
        if found:
            raise DisturbedError(f"{self.variant.name} after {what}, in {run}: another {', '.join(found)}")
        self._clear(run)

    @staticmethod
    def _clear(run: Path) -> None:
        shutil.rmtree(run, ignore_errors=True)
        run.with_suffix(".predictions").unlink(missing_ok=True)

"""Feeds every parser with bytes of any kind: ``python tests/fuzz [TARGET ...] --seconds 600``.

Each target runs in a process of its own, from the files in ``corpus/TARGET`` on: first with short inputs, then with
long ones, the longest of a megabyte. An input has a budget of time, memory and stack. Python targets need atheris
(``pip install .[fuzz]``), native ones a C++ compiler: clang with libFuzzer finds its way by coverage, g++ goes blindly.
It stores what makes a target fail, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from native_targets import SOURCES, BuildError, build, write_unicode
from targets import NAMES, PYTHON

HERE = Path(__file__).parent
SEEDS = HERE / "corpus"
MEMORY = "/dev/shm"  # each input of a target is written to this file
GRACE = 60  # seconds that a process may take to begin and to end
PHASES = ((0.8, 1024, 20), (0.15, 1 << 16, 20), (0.05, 1 << 20, 60))  # share of time, most bytes, seconds for one input
RUNS = (0.97, 0.0299, 0.0001)  # share of the executions, where they are counted: long inputs take long
LONG = (1 << 14, 1 << 18, 1 << 20)  # bytes: lengths to which seeds are repeated for the later phases
STACK = 4 << 20  # bytes of native stack: what recurses over its input shows
MOST_CRASHES = 5  # of one target, each at another place: then it is known to be broken
TOLD = 40  # last lines of a process that failed
NOISE = ("#", "INFO:", "WARNING:", "stat::")
PLACE = re.compile(r' +File "|SUMMARY: |.*this does not hold: ')


@dataclass
class Outcome:
    """What became of a target."""

    name: str
    driver: str
    seconds: float = 0.0
    executions: int = 0
    skipped: str = ""
    places: set[str] = field(default_factory=set)

    @property
    def crashes(self) -> int:
        """At how many places it failed."""
        return len(self.places)

    def row(self) -> str:
        """Return a line of the table."""
        if self.skipped:
            return f"{self.name:<20}{'-':>12}{'-':>10}{'-':>9}  skipped: {self.skipped}"
        rate = self.executions / self.seconds if self.seconds else 0
        return f"{self.name:<20}{self.executions:>12,}{rate:>10,.0f}{self.crashes:>9}  {self.driver}"


def main() -> None:
    """Fuzz what is asked for, print a table."""
    options = arguments()
    options.crashes.mkdir(parents=True, exist_ok=True)
    print(f"{'target':<20}{'executions':>12}{'a second':>10}{'crashes':>9}  by", flush=True)
    names = options.targets or NAMES
    failed = False
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with (
        tempfile.TemporaryDirectory(prefix="telex-fuzz-") as name,
        tempfile.TemporaryDirectory(prefix="telex-fuzz-", dir=memory) as files,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        folder, os.environ["TELEX_FUZZ_FILES"] = Path(name), files
        if set(names) & set(SOURCES):
            write_unicode(folder / "unicode")
        for outcome in pool.map(lambda name: fuzz(name, options, folder), names):
            print(outcome.row(), flush=True)
            failed = failed or outcome.crashes > 0
    sys.exit(1 if failed else 0)


def fuzz(name: str, options: argparse.Namespace, folder: Path) -> Outcome:
    """Fuzz one target until its time is over, beginning again after each crash at a place not seen before."""
    outcome = Outcome(name, "atheris")
    path = [str(HERE), str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    if name in PYTHON:
        if find_spec("atheris") is None:
            outcome.skipped = "atheris is not installed; pip install '.[fuzz]'"
            return outcome
        call = [sys.executable, str(HERE / "one.py"), PYTHON[name], *(["--unguided"] if options.unguided else [])]
    else:
        try:
            program, outcome.driver = build(name, folder)
        except BuildError as error:
            outcome.driver = str(error)
            outcome.places.add(outcome.driver)
            return outcome
        if program is None:
            outcome.skipped = outcome.driver
            return outcome
        call = [str(program)]
        environment["TELEX_FUZZ_UNICODE"] = str(folder / "unicode")
    grown = (options.corpus or folder / "grown") / name
    grown.mkdir(parents=True, exist_ok=True)
    if options.seed is not None:
        environment["PYTHONHASHSEED"] = "0"
    for number, (share, longest, patience) in enumerate(PHASES):
        seconds = share * options.seconds
        if number and seconds < 1:
            break  # there is no time for long inputs
        ends = outcome.seconds + max(1.0, seconds)
        seeds = SEEDS / name if not number else lengthened(SEEDS / name, folder / "long" / name, longest)
        words = [
            *call,
            f"-artifact_prefix={options.crashes}/{name}-",
            f"-max_len={longest}",
            f"-timeout={options.timeout or patience}",
            "-rss_limit_mb=2500",
            "-print_final_stats=1",
            *(["-len_control=0"] if number or options.unguided else []),
            *(["-keep_seed=1"] if options.unguided else []),  # else those that lead nowhere new are left out
            *([] if options.seed is None else [f"-seed={options.seed + number}"]),
            *([] if options.runs is None else [f"-runs={max(1, math.ceil(options.runs * RUNS[number]))}"]),
            str(grown),
            *([str(seeds)] if seeds.is_dir() else []),
        ]
        while outcome.crashes < MOST_CRASHES and (left := ends - outcome.seconds) >= 1:
            if not run(words, left, environment, folder, outcome):
                break
    return outcome


def lengthened(seeds: Path, folder: Path, longest: int) -> Path:
    """Write seeds repeated to some lengths, of which mutations alone would take long to come; return their folder."""
    folder = folder / str(longest)
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(seeds.iterdir()) if seeds.is_dir() else []
    for number, path in enumerate(path for path in files if path.stat().st_size):
        data, size = path.read_bytes(), min(longest, LONG[number % len(LONG)])
        (folder / path.name).write_bytes((data * (size // len(data) + 1))[:size])
    return folder


def run(call: list[str], seconds: float, environment: dict[str, str], folder: Path, outcome: Outcome) -> bool:
    """Run a fuzzer once, and add what it says to the outcome; return whether it is worth to run it again."""
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [*call, f"-max_total_time={int(seconds)}"],
            check=False, cwd=folder, env=environment, preexec_fn=_limit_stack,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds + GRACE,
        )  # fmt: skip
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as error:
        code, output = 1, (error.stdout or b"") + b"\nit did not end in time"
    said = output.decode(errors="replace")
    outcome.seconds += time.perf_counter() - start
    units = re.findall(r"stat::number_of_executed_units: (\d+)", said) or re.findall(r"^#(\d+)\s", said, re.MULTILINE)
    outcome.executions += int(units[-1]) if units else 0
    if not code:
        return False
    lines = [line for line in said.splitlines() if not line.startswith(NOISE)]
    place = next((line for line in reversed(lines) if PLACE.match(line)), f"exit code {code}")
    if place in outcome.places:
        return False
    outcome.places.add(place)
    print(f"{outcome.name} failed with exit code {code}:", *lines[-TOLD:], sep="\n  ", file=sys.stderr, flush=True)
    return True


def _limit_stack() -> None:
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.RLIM_INFINITY))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument(
        "targets", nargs="*", choices=[[], *NAMES], metavar="TARGET", help=f"of {', '.join(NAMES)}; all"
    )
    parser.add_argument("--seconds", type=float, default=600, help="for each target, at most (600)")
    parser.add_argument("--runs", type=int, help="executions of each target; with --seed the same ones each time")
    parser.add_argument("--corpus", type=Path, help="folder in which the inputs that lead somewhere new are kept")
    parser.add_argument("--crashes", type=Path, default=Path("build/fuzz-crashes"), help="folder for inputs that fail")
    parser.add_argument("--timeout", type=int, help="seconds after which one input hangs (20, for the longest 60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time (as many as processors)")
    parser.add_argument("--unguided", action="store_true", help="Python targets without coverage, which begin at once")
    parser.add_argument("--seed", type=int, help="of the fuzzers, to see the same again")
    options = parser.parse_args()
    options.corpus = options.corpus and options.corpus.resolve()
    options.crashes = options.crashes.resolve()
    return options


if __name__ == "__main__":
    main()

"""Kills replays, makes their disk fail, and compares the results with those of undisturbed runs.

``python tests/faults --kills 1000`` kills at random instants; ``--sweep`` kills, and fails, at every call in turn that
changes a file; ``--stops`` ends runs by Ctrl-C and SIGTERM. What goes wrong is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import errno
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from faults.harness import HALF, KILL, PATIENCE, DisturbedError, Fault, GoneError, Trial, Zygote, build, compiler
from faults.wires import variants

WHATS = {"killed before": KILL, "killed after": HALF, "disk full": errno.ENOSPC, "disk broken": errno.EIO}


def main() -> None:
    """Disturb what is asked for."""
    options = arguments()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="telex-faults-", dir=options.folder) as temporary:
        folder = Path(temporary)
        library = build(folder) if compiler() else None
        if options.sweep and library is None:
            sys.exit("there is no C compiler, without which no call can be made to fail; leave out --sweep")
        every = variants(folder / "wires", options.size)
        names = options.variants or list(every)
        with Zygote(folder, library, options.patience) as zygote:
            for number, name in enumerate(names):
                trial = Trial(zygote, every[name], folder / name)
                draw = random.Random(f"{options.seed} {name}")
                kills = options.kills * (number + 1) // len(names) - options.kills * number // len(names)
                failed += killed(trial, draw, kills) + stopped(trial, draw, options.stops)
                if options.sweep:
                    failed += swept(trial, draw, options.sweep, options.what)
    sys.exit(1 if failed else 0)


def killed(trial: Trial, draw: random.Random, kills: int) -> int:
    """Kill runs at random instants."""
    began, done, failed, chains = time.perf_counter(), 0, 0, 0
    while done < kills:
        before = trial.kills
        failed += tried(trial.killed, draw)
        done += max(1, trial.kills - before)
        chains += 1
    if kills:
        places = ", ".join(f"{count} at {place}" for place, count in sorted(trial.places.items()))
        told(trial, f"{done} kills in {chains} runs ({places})", failed, began)
    return failed


def stopped(trial: Trial, draw: random.Random, runs: int) -> int:
    """End runs by signals that they can hear."""
    began, stops, failed = time.perf_counter(), 0, 0
    for number in range(runs):
        before = trial.stops
        failed += tried(trial.stopped, draw, signal.SIGTERM if number % 2 else signal.SIGINT)
        stops += trial.stops - before
    if runs:
        told(trial, f"{stops} signals in {runs} runs", failed, began)
    return failed


def swept(trial: Trial, draw: random.Random, step: int, only: str | None) -> int:
    """Make every ``step``-th call that changes a file fail, and kill there; every second time after resuming too."""
    total = 0
    calls = len(trial.calls())
    for what, number in WHATS.items() if only is None else [(only, WHATS[only])]:
        began, failed = time.perf_counter(), 0
        codes: Counter[int] = Counter()
        places = range(1 + draw.randrange(step), calls + 1, step)
        for at in places:
            again = Fault(draw.randrange(1, calls), number, stays=number > 0) if at // step % 2 else None
            fault = Fault(at, number, stays=number == errno.ENOSPC)
            failed += tried(trial.struck, fault, again)
            codes.update([trial.code])
        said = ", ".join(f"{count} ended {code}" for code, count in sorted(codes.items()))
        told(trial, f"{what} at {len(places)} of {calls} calls ({said})", failed, began)
        total += failed
    return total


def tried(disturb, *how) -> int:
    """Disturb a run; return 1 where that shows."""
    try:
        disturb(*how)
    except DisturbedError as error:
        print(f"FAILED {error}", flush=True)
        return 1
    return 0


def told(trial: Trial, what: str, failed: int, began: float) -> None:
    """Print a line."""
    seconds = time.perf_counter() - began
    print(f"{trial.variant.name:<10} {what}, {failed} wrong, {seconds:.0f} s", flush=True)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/faults", description=__doc__)
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="kinds of runs, as in wires.py (all)")
    parser.add_argument("--kills", type=int, default=0, help="at random instants, over all variants (0)")
    parser.add_argument("--stops", type=int, default=0, help="runs of each variant ended by signals (0)")
    parser.add_argument("--sweep", type=int, default=0, metavar="K", help="disturb at every K-th call that writes (0)")
    parser.add_argument("--size", type=int, default=1, help="of the streams, times 400 documents (1)")
    parser.add_argument("--what", choices=list(WHATS), help="what the sweep does (everything, one after the other)")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds that a process may take (120)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where runs are kept meanwhile (the temporary folder)")
    options = parser.parse_args()
    if not (options.kills or options.stops or options.sweep):
        parser.error("say what to do: --kills 1000, --stops 10 or --sweep 1")
    return options


if __name__ == "__main__":
    try:
        main()
    except GoneError as error:
        sys.exit(str(error))

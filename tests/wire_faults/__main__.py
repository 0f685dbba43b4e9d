"""Disturbs learners of topics, and compares their results with those of undisturbed runs.

``python tests/wire_faults [SCENARIO ...] [--seed S] [--times N]`` starts a Kafka of its own. What goes wrong is
printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.remove(str(Path(__file__).resolve().parent))  # its modules are those of a package

from broker.jars import NoBrokerError
from faults.harness import DisturbedError
from wire_faults.ground import Ground
from wire_faults.scenarios import SCENARIOS, Field


def main() -> int:
    """Go through the scenarios that are asked for."""
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="telex-wire-faults-", dir=options.folder) as temporary:
        folder = Path(temporary)
        with Ground(folder, keeps=bool(options.keep)) as ground:
            for name in options.scenarios or SCENARIOS:
                failed += went_wrong(name, ground, options)
        if failed and options.keep:
            folder.rename(options.keep)
            folder.mkdir()
    return 1 if failed else 0


def went_wrong(name: str, ground: Ground, options: argparse.Namespace) -> bool:
    """Go through one, print its line, and return whether something was wrong."""
    field = Field(ground, random.Random(f"{options.seed} {name}"), options.times, options.count)
    began, wrong = time.perf_counter(), ""
    try:
        SCENARIOS[name](field)
    except DisturbedError as error:
        wrong = str(error)
    state = "WRONG" if wrong else "right"
    print(f"{name:<22}{state}  {time.perf_counter() - began:4.0f} s  {', '.join(field.told)}", flush=True)
    if wrong:
        print(f"    {wrong}", flush=True)
    return bool(wrong)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/wire_faults", description=__doc__)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=f"{', '.join(SCENARIOS)} (all)")
    parser.add_argument("--times", type=int, default=3, help="runs of each scenario that are disturbed (3)")
    parser.add_argument("--count", type=int, default=1200, help="documents of a stream (1200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where runs are kept meanwhile (the temporary folder)")
    parser.add_argument("--keep", type=Path, help="where to keep all runs if something is wrong")
    options = parser.parse_args()
    if unknown := [name for name in options.scenarios if name not in SCENARIOS]:
        parser.error(f"there is no scenario {unknown[0]}; there are {', '.join(SCENARIOS)}")
    return options


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NoBrokerError as error:
        sys.exit(str(error))

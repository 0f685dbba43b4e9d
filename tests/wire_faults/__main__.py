"""Disturbs learners of topics, and compares their results with those of undisturbed runs.

``python tests/wire_faults [SCENARIO ...] [--seed S] [--times N]`` starts a Kafka of its own. What goes wrong is
printed, and the exit code is 1. With ``--hours N`` one run follows a live wire for so long, and all that can go wrong
does so at random.
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
from kafka.errors import KafkaError
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
            if options.hours:
                failed += hours_went_wrong(ground, options)
            for name in () if options.hours else options.scenarios or SCENARIOS:
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


def hours_went_wrong(ground: Ground, options: argparse.Namespace) -> bool:
    """Disturb one run for hours, print what happened, and return whether something was wrong."""
    try:
        from wire_faults.hours import Hours  # noqa: PLC0415 - it needs another client than Telex has
    except ImportError as error:
        raise NoBrokerError(f"{error}; pip install confluent-kafka") from error
    hours, wrong = Hours(ground, options.seed, options.rate), ""
    try:
        hours.go(3600 * options.hours)
    except (DisturbedError, NoBrokerError, AssertionError, KafkaError) as error:
        wrong = str(error)
    for name, times in sorted(hours.count.items()):
        print(f"{name:<22}{times:>5}")
    for end, times in hours.supervisor.ends.most_common():
        print(f"the run ended {times} times: {end}")
    written, reader = hours.writer, hours.reader
    print(f"{len(written.ids)} documents, {len(written.answered)} answers and {written.broken} broken records; "
          f"{sum(reader.predictions.values())} predictions and {sum(reader.letters.values())} letters")  # fmt: skip
    print(f"WRONG: {wrong}" if wrong else "right: nothing lost, nothing twice, no hand on it", flush=True)
    return bool(wrong)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/wire_faults", description=__doc__)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=f"{', '.join(SCENARIOS)} (all)")
    parser.add_argument("--times", type=int, default=3, help="runs of each scenario that are disturbed (3)")
    parser.add_argument("--count", type=int, default=1200, help="documents of a stream (1200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hours", type=float, help="instead of scenarios: one run, and all faults at random")
    parser.add_argument("--rate", type=float, default=20.0, help="documents a second with --hours (20)")
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

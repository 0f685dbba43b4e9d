"""Abuses the command line: ``python tests/abuse [--short] [--jobs N] [GROUP ...]``.

Each module of ``groups/`` has cases of one theme. A case calls telex with hostile inputs or words, once or several
times, and says how each call must end. Of every call this holds too: it ends within its time and memory, with a
documented exit code and, unless that is 0, a sentence; it prints no traceback and nothing that a terminal would obey;
it changes no file that was there, and none outside its folder. What fails is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from abuse import fixtures, process
from abuse.box import Box
from abuse.case import Case, collect, groups

CASES: list[Case] = []


def main() -> None:
    """Run the cases, print a table."""
    options = arguments()
    if options.list:
        print(*(f"{case.group}: {case.name}" for case in collect(options.groups, short=options.short)), sep="\n")
        return
    process.preload()
    began, done, failures = time.perf_counter(), defaultdict(list), 0
    with tempfile.TemporaryDirectory(prefix="telex-abuse-", dir=options.folder) as name:
        fixtures.make(Path(name))
        CASES.extend(case for case in collect(options.groups, short=options.short) if options.only in case.name)
        order = sorted(range(len(CASES)), key=lambda i: -CASES[i].cost)  # the longest first: the cores end together
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
            for future in as_completed([pool.submit(run, i, name) for i in order]):
                number, calls, seconds, wrong = future.result()
                case = CASES[number]
                done[case.group].append((calls, seconds, bool(wrong)))
                for one in wrong:
                    print(f"FAILED {case.group}: {case.name}: {one}", flush=True)
                failures += len(wrong)
                if options.verbose:
                    print(
                        f"{seconds:7.2f} s {calls:4} {'FAILED' if wrong else 'ok':<7}{case.group}: {case.name}",
                        flush=True,
                    )
    report(done)
    cases, calls = sum(map(len, done.values())), sum(one[0] for group in done.values() for one in group)
    print(f"{cases} cases, {calls} calls, {failures} wrong, {time.perf_counter() - began:.0f} s")
    sys.exit(1 if failures else 0)


def run(number: int, folder: str) -> tuple[int, int, float, list[str]]:
    """Run one case in a worker; return how many calls it made, how long it took, and what was wrong."""
    case, began = CASES[number], time.perf_counter()
    box = Box(Path(folder) / f"case{number}")
    try:
        case.run(box)
    except Exception as error:
        box.wrong.append(f"the case itself failed: {type(error).__name__}: {error}")
    finally:
        box.close()
    return number, box.calls, time.perf_counter() - began, box.wrong


def report(done: dict[str, list[tuple[int, float, bool]]]) -> None:
    """Print a line for each group."""
    print(f"{'group':<20}{'cases':>7}{'calls':>7}{'failed':>8}{'seconds':>9}")
    for name in groups():
        if name in done:
            calls, seconds, wrong = (sum(column) for column in zip(*done[name], strict=True))
            print(f"{name:<20}{len(done[name]):>7}{calls:>7}{wrong:>8}{seconds:>9.0f}")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/abuse", description=__doc__)
    parser.add_argument("groups", nargs="*", choices=[[], *groups()], metavar="GROUP", help=f"of {', '.join(groups())}")
    parser.add_argument("--short", action="store_true", help="leave out the cases that take long, and most variations")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at a time (as many as processors)")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with this text in their name")
    parser.add_argument("--folder", type=Path, help="where the cases work (the temporary folder)")
    parser.add_argument("--verbose", action="store_true", help="print each case as it ends")
    parser.add_argument("--list", action="store_true", help="only name the cases")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""What something costs a run, by pairs of runs in processes of their own: one without, one with."""

import argparse
import json
import statistics
import subprocess
import sys


def main(script, once, doc, varied, without, *, kind, default, told, name, counted):
    """Be the program of a bench: ``once(documents, VARIED, learner)`` runs in a process of its own each time.

    The option ``varied`` (``told`` is its help) is ``without`` in the first of each pair; what counts
    is the time of the processors, which a neighbour disturbs less than the speed. ``counted`` names what the second
    says that it did so often.
    """
    parser = argparse.ArgumentParser(prog=f"python tests/bench/{script.rpartition('/')[2]}", description=doc)
    parser.add_argument("--documents", type=int, default=300_000, help="of each run (300000)")
    parser.add_argument(f"--{varied}", type=kind, default=default, help=f"{told} ({default})")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs (5)")
    parser.add_argument("--learner", help="one alone, without baselines; all four by default")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(once(**json.loads(options.one))))
        return
    ratios = []
    for _ in range(options.rounds):
        first, second = (
            _run(script, {"documents": options.documents, varied: value, "learner": options.learner})
            for value in (without, getattr(options, varied))
        )
        ratios.append(second["processors"] / first["processors"])
        print(
            f"without {first['processors']:.2f} s of processors ({options.documents / first['clock']:,.0f} docs/s), "
            f"with {second['processors']:.2f} s, {second[counted]:.0f} {counted}: {ratios[-1]:.4f}", flush=True
        )  # fmt: skip
    print(f"{name} costs {statistics.median(ratios) - 1:+.2%} by the median of {options.rounds} pairs")


def _run(script, given):
    command = [sys.executable, script, "--one", json.dumps(given)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

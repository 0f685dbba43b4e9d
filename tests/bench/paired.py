"""What something costs a run, by pairs of runs in processes of their own: one without, one with."""

import json
import statistics
import subprocess
import sys


def cost(script, given, *, documents, rounds, name, counted):
    """Have ``script --one GIVEN`` run for both of ``given`` in turn, and print the ratios of their processors' time.

    A neighbour disturbs that less than the speed. ``counted`` names what the second says that it did so often.
    """
    ratios = []
    for _ in range(rounds):
        without, with_ = (_run(script, one) for one in given)
        ratios.append(with_["processors"] / without["processors"])
        print(
            f"without {without['processors']:.2f} s of processors ({documents / without['clock']:,.0f} docs/s), "
            f"with {with_['processors']:.2f} s, {with_[counted]:.0f} {counted}: {ratios[-1]:.4f}", flush=True
        )  # fmt: skip
    print(f"{name} costs {statistics.median(ratios) - 1:+.2%} by the median of {rounds} pairs")


def _run(script, given):
    command = [sys.executable, script, "--one", json.dumps(given)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

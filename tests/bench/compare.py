"""What comparing learners promises, sees and costs: ``python tests/bench/compare.py``; docs/compare.md has its figures.

``--streams`` simulated streams of ``--documents`` each in which neither learner is better, watched after every
document; then how many documents it takes to see a difference; then which share of the work of the run's own thread
goes into storing and comparing losses, of the processor's time: a neighbour slows both.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracles.differences import EQUAL, signs

from telex.adapters.formats import open_source
from telex.learners import learners
from telex.stream import Run, RunFolder
from telex.stream.compare import Comparison
from telex.stream.compare.confidence_sequence import Mixture
from telex.stream.compare.running_sums import RunningSums
from telex.stream.run_folder.losses_bin import LossesFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALPHA, AT_ONCE = 0.05, 500
SEEN = ((0.1, 0.2), (0.05, 0.2), (0.02, 0.1), (0.02, 0.2), (0.02, 0.4), (0.01, 0.1), (0.005, 0.05))


def watched(
    make: Callable[..., Any], level: float, streams: int, documents: int, seed: int
) -> Iterator[tuple[Any, Any]]:
    """Yield what is seen after each document, some documents at a time."""
    rng, running, mixture = np.random.default_rng(seed), RunningSums(streams), Mixture(level)
    for start in range(0, documents, AT_ONCE):
        trace = running.add(make(rng, (streams, min(AT_ONCE, documents - start)), start))
        yield trace, mixture.crossed(trace.sums, trace.spreads)


def promised(streams: int, documents: int, seed: int) -> None:
    """Print in how many streams a learner is ever called better, though neither is."""
    most = ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / streams)
    print(f"{streams:,} streams of {documents:,} documents, alpha {ALPHA}: at most {most:.4f} may be wrong")
    for name, make in EQUAL.items():
        ever, naive = np.zeros(streams, bool), np.zeros(streams, bool)
        for trace, crossed in watched(make, ALPHA / 2, streams, documents, seed):
            ever |= crossed.any(axis=1)
            late = trace.counts >= 100
            naive |= (late & (np.abs(trace.sums) > 1.96 * np.sqrt(trace.spreads))).any(axis=1)
        print(f"  {name:<9} {ever.mean():.4f}; 95 % intervals for one moment, from document 100 on: {naive.mean():.3f}")


def seen(streams: int, documents: int, seed: int) -> None:
    """Print how many documents it takes to see a difference of a loss that is 0 or 1."""
    print("documents until a difference is seen, median and 90 %, of one pair and of six:")
    for difference, share in SEEN:
        found = []
        for pairs in (1, 6):
            first = np.full(streams, np.inf)

            def make(rng: Any, shape: tuple[int, int], _: int, by: float = difference, of: float = share) -> Any:
                return np.where(rng.random(shape) < by / of, -1.0, np.sign(signs(rng, shape, 1.0))) * (
                    rng.random(shape) < of
                )

            for number, (_, crossed) in enumerate(watched(make, ALPHA / (2 * pairs), streams, documents, seed)):
                new = (crossed < 0).any(axis=1) & np.isinf(first)
                first[new] = number * AT_ONCE + 1 + (crossed[new] < 0).argmax(axis=1)
                if not np.isinf(first).any():
                    break
            found += [f"{np.quantile(first, q, method='lower'):>8,.0f}" for q in (0.5, 0.9)]
        print(f"  {difference:<6} where {share:<5} of the documents tell them apart: {' '.join(found)}", flush=True)


def costs(documents: int, names: list[str]) -> None:
    """Print the share of a run's time that keeping and comparing losses takes."""
    spent = {"kept": 0.0, "compared": 0.0}

    def clocked(what: str, call: Any) -> Any:
        def timed(*arguments: Any) -> Any:
            start = time.thread_time()
            try:
                return call(*arguments)
            finally:
                spent[what] += time.thread_time() - start

        return timed

    for cls, method, what in ((LossesFile, "scored", "kept"), (Comparison, "add", "compared")):
        setattr(cls, method, clocked(what, getattr(cls, method)))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "run"
        made = learners(names, seed=0)
        run = Run(open_source([f"synthetic:n={documents},seed=1"]), made, sinks=[RunFolder(folder)])
        importlib.import_module("scipy.special")  # a third of a second, once
        start = time.thread_time()
        for _ in run:
            pass
        total = time.thread_time() - start
        size = (folder / "losses.bin").stat().st_size
    print(
        f"{documents:,} documents, {', '.join(made)}: {run.seconds:.1f} s, {total:.1f} s of them at work in the run's "
        f"own thread; losses are {size / documents:.0f} bytes a document; "
        + ", ".join(f"{what} {x / total:.2%}" for what, x in spent.items())
    )


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(prog="python tests/bench/compare.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--streams", type=int, default=2000, help="simulated (2000)")
    parser.add_argument("--documents", type=int, default=20_000, help="of each (20000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cost", type=int, default=100_000, help="documents of the run that is clocked (100000)")
    parser.add_argument(
        "--learner", action="append", default=[], help="in that run, as in telex replay (the usual four)"
    )
    parser.add_argument("--only", choices=("promised", "seen", "cost"), help="one of the three")
    options = parser.parse_args()
    if options.only in {None, "promised"}:
        promised(options.streams, options.documents, options.seed)
    if options.only in {None, "seen"}:
        seen(400, 100_000, options.seed)
    if options.only in {None, "cost"}:
        costs(options.cost, options.learner)


if __name__ == "__main__":
    main()

"""How long documents wait while a model is fitted in the background: ``python tests/bench/refit.py``.

MMP and a refitted LinearSVC go over synthetic documents of 103 labels, which come at half of the pace that a run of
both takes, each at its own time. A document's latency is the time from its arrival until both have judged and learnt
it. The window is as large as a fit of half a minute asks for; documents that came during the fit are compared with
those that came without one. Two cores do all of it, the fitting process among it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from documents import synthetic
from ours import BATCH, batch_of
from stall import Feed, Latencies

from telex.adapters.sklearn.family import SklearnModel
from telex.learners import MMP
from telex.stream import Refit, Run

if TYPE_CHECKING:
    from telex.learners.base import Batch
    from telex.stream import StepResult

MOST = 2.0


class During(Latencies):
    """Latencies, and which documents were learnt while a model was being fitted."""

    def __init__(self, feed: Feed, learner: Refit) -> None:
        super().__init__(feed)
        self.learner, self.fitting = learner, np.zeros(feed.count, np.bool_)

    def step(self, result: StepResult) -> None:
        super().step(result)
        self.fitting[result.documents.numbers] = self.learner.state.running


def main() -> None:
    """Fit, feed, print; exit code 1 where documents waited too long."""
    parser = argparse.ArgumentParser(prog="python tests/bench/refit.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--window", type=int, default=20_000, help="documents of the window")
    parser.add_argument("--seconds", type=float, default=60, help="of the feed without a refit, and with one (60)")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    batch = batch_of(synthetic(options.window))
    refit = Refit(
        SklearnModel("LinearSVC"), every=10**9, window=options.window, mode="background", after=options.window
    )
    start = time.perf_counter()
    refit.learn(batch)
    refit.settle()
    result: dict[str, Any] = {"load": os.getloadavg()[0], "window": len(batch), "fit": refit.state.seconds}
    print(f"the first fit took {result['fit']:.1f} s, {time.perf_counter() - start:.1f} s in all", file=sys.stderr)
    learners = {"mmp": MMP(), "refit": refit}
    result["rate"] = rate = capacity(learners, batch.rows(0, min(len(batch), 5000))) / 2
    for case in ("without", "with"):
        feed = Feed(batch, rate, int(rate * options.seconds))
        sink = During(feed, refit)
        if case == "with":
            refit.ask_for_refit()
        for _ in Run(feed, learners, sinks=[sink]):
            pass
        here = sink.fitting if case == "with" else ~sink.fitting
        p50, p99 = np.quantile(sink.seconds[here], [0.5, 0.99]).tolist()
        result[case] = {"documents": int(here.sum()), "p50": p50, "p99": p99, "max": float(sink.seconds[here].max())}
        figures = ", ".join(f"{name} {result[case][name] * 1e3:.2f} ms" for name in ("p50", "p99", "max"))
        print(f"{case} a refit: {result[case]['documents']:,} documents at {rate:,.0f} a second, {figures}")
    refit.settle()
    result["fit_beside"] = refit.state.seconds
    refit.close()
    result["ratio"] = result["with"]["p99"] / result["without"]["p99"]
    print(
        f"the fit beside the stream took {result['fit_beside']:.1f} s; p99 {result['ratio']:.2f} times (goal {MOST:g})"
    )
    if options.json:
        print(json.dumps(result))
    sys.exit(0 if result["ratio"] <= MOST else 1)


def capacity(learners: dict[str, Any], batch: Batch) -> float:
    """Return how many documents a second a run takes that never waits."""
    run = Run([batch.rows(i, min(i + BATCH, len(batch))) for i in range(0, len(batch), BATCH)], learners)
    start = time.perf_counter()
    for _ in run:
        pass
    return len(batch) / (time.perf_counter() - start)


if __name__ == "__main__":
    main()

"""How long documents wait, with checkpoints and without: ``python tests/bench/stall.py``.

MLPP over 103 labels, which is 5,253 pairs, learns 20,000 synthetic documents as fast as it can through a run. Then they
come at half of that pace, each at its own time, for a minute without and a minute with a checkpoint every ten seconds.
A document's latency is the time from its arrival until it is learnt. Two cores do all of it.

A checkpoint stops the stream while the state is copied; how long, and how fast next to a plain copy, is printed too,
and how much of what is copied changes meanwhile on a wire that brings news.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from documents import real, synthetic
from ours import BATCH, batch_of

from telex.learners import MLPP
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.run import Sink

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Batch
    from telex.stream import StepResult


@dataclass
class Feed:
    """The documents of ``batch``, over and over, ``rate`` a second; what has come meanwhile comes at once."""

    batch: Batch
    rate: float
    count: int
    start: float = 0.0

    def __iter__(self) -> Iterator[Batch]:
        self.start, sent, size = time.perf_counter(), 0, len(self.batch)
        while sent < self.count:
            now = time.perf_counter() - self.start
            first = sent % size
            rows = min(int(now * self.rate) + 1 - sent, self.count - sent, size - first, BATCH)
            if rows <= 0:
                time.sleep(max(0.0, sent / self.rate - now))
                continue
            numbers = np.arange(sent, sent + rows, dtype=np.int64)
            yield replace(self.batch.rows(first, first + rows), numbers=numbers)
            sent += rows


class Latencies(Sink):
    """Holds the time at which each document was learnt against that at which it came."""

    def __init__(self, feed: Feed) -> None:
        self.feed, self.seconds = feed, np.zeros(feed.count)

    def step(self, result: StepResult) -> None:
        numbers = result.documents.numbers
        came = self.feed.start + numbers / self.feed.rate
        self.seconds[numbers] = time.perf_counter() - came


class Timed(MLPP):
    """MLPP whose copies of the state are clocked."""

    def save(self) -> dict[str, Any]:
        start = time.perf_counter()
        state = super().save()
        took = time.perf_counter() - start
        if not hasattr(self, "copies"):
            self.copies: list[tuple[float, int]] = []
        self.copies.append((took, sum(table.nbytes for table in state["packed"].values())))
        return state


def main() -> None:
    """Learn, feed, print."""
    options = arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    whole = batch_of(real(options.data) if options.data else synthetic(2 * options.documents))
    batch, fresh = whole.rows(0, len(whole) // 2), whole.rows(len(whole) // 2, len(whole))
    learner = Timed()
    learner.learn(batch)
    rate = options.rate or capacity(learner, batch) / 2
    result: dict[str, Any] = {"load": os.getloadavg()[0], "rate": rate, "model_bytes": learner.memory_bytes}
    with tempfile.TemporaryDirectory(prefix="telex-stall-", dir=options.folder) as name:
        for case, folder in (("without", None), ("with", Path(name) / "checkpoints")):
            result[case] = latencies(learner, Feed(batch, rate, int(rate * options.seconds)), folder, options.every)
            print(told(case, result[case]), file=sys.stderr, flush=True)
    result["copies"] = [{"seconds": seconds, "bytes": size} for seconds, size in getattr(learner, "copies", [])]
    result["plain_copy_bytes_per_second"] = plain_copy(learner)
    result["fresh"], result["changed"] = len(fresh), changed(learner, fresh)
    print(json.dumps(result) if options.json else report(result))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/bench/stall.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--data", type=Path, help="folder of the real RCV1, instead of synthetic documents")
    parser.add_argument("--seconds", type=float, default=60, help="of the feed, without and with checkpoints (60)")
    parser.add_argument("--every", default="10s", help="time between checkpoints (10s)")
    parser.add_argument("--rate", type=float, help="documents a second; half of what is measured by default")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where checkpoints are put meanwhile; the system's by default")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def capacity(learner: MLPP, batch: Batch) -> float:
    """Return how many documents a second a run takes that never waits."""
    run = Run([batch.rows(i, min(i + BATCH, len(batch))) for i in range(0, len(batch), BATCH)], {"mlpp": learner})
    start = time.perf_counter()
    for _ in run:
        pass
    return len(batch) / (time.perf_counter() - start)


def latencies(learner: MLPP, feed: Feed, folder: Path | None, every: str) -> dict[str, float]:
    """Feed a run, and return quantiles of how long its documents waited, in seconds."""
    sink = Latencies(feed)
    checkpoints = Checkpoints(folder) if folder else None
    for _ in Run(feed, {"mlpp": learner}, sinks=[sink], checkpoints=checkpoints, checkpoint_every=every):
        pass
    p50, p99, p999 = np.quantile(sink.seconds, [0.5, 0.99, 0.999]).tolist()
    longest = float(sink.seconds.max())
    return {"documents": feed.count, "p50": p50, "p99": p99, "p999": p999, "max": longest}


def plain_copy(learner: MLPP) -> float:
    """Return how many bytes a second numpy copies of the same arrays, to memory that is there."""
    tables = list(learner._begun().pack().values())
    there = [table.copy() for table in tables]
    start = time.perf_counter()
    for to, table in zip(there, tables, strict=True):
        np.copyto(to, table)
    return sum(table.nbytes for table in tables) / (time.perf_counter() - start)


def changed(learner: MLPP, fresh: Batch) -> float:
    """Return the share of the rows of 64 pairs that documents not met before change."""
    before = learner._begun().pack()["rows"]
    learner.learn(fresh)
    after = learner._begun().pack()["rows"]
    rows = before.shape[1] // 64
    pairs = after[:, : rows * 64].reshape(-1, rows, 64) != before.reshape(-1, rows, 64)
    return float(pairs.any(axis=2).mean())


def told(case: str, found: dict[str, float]) -> str:
    """Return a line about a minute."""
    figures = ", ".join(f"{name} {found[name] * 1e3:.1f} ms" for name in ("p50", "p99", "p999", "max"))
    return f"{case} checkpoints: {found['documents']:,.0f} documents, {figures}"


def report(result: dict[str, Any]) -> str:
    """Return what was found, in lines."""
    rows = [
        f"{result['rate']:,.0f} documents a second, half of the capacity; the model holds "
        f"{result['model_bytes'] / 1e6:,.1f} MB; load of the machine {result['load']:.1f}",
        *(told(case, result[case]) for case in ("without", "with")),
    ]
    for number, copy in enumerate(result["copies"], 1):
        rows.append(
            f"copy {number}: {copy['bytes'] / 1e6:,.1f} MB in {copy['seconds'] * 1e3:.1f} ms, "
            f"{copy['bytes'] / copy['seconds'] / 1e9:.2f} GB/s"
        )
    rows.append(f"{result['fresh']:,} documents not met before change {result['changed']:.0%} of the rows of 64 pairs")
    return "\n".join([*rows, f"a plain copy: {result['plain_copy_bytes_per_second'] / 1e9:.2f} GB/s"])


if __name__ == "__main__":
    main()

"""A wire as long as the whole of RCV1, through every online learner: ``python tests/bench/whole_wire.py``.

RCV1 has 804,414 documents in 103 topics; this is a made-up wire of that size, with a vocabulary of 50,000 words, in one
pass through all online learners and MP-Boost refitted in the background. It prints, for each learner, its losses, its
time a document in each tenth of the wire, and its memory: time a document is to stay flat. ``--documents`` takes less.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from telex.adapters.formats import open_archive, open_source
from telex.adapters.terminal import text_table
from telex.learners.learner import memory_of
from telex.learners.registry import learners as made
from telex.stream import Run
from telex.stream.run import Sink

WHOLE = 804_414
VOCABULARY = "50000"
EVERY, WINDOW = 40_000, 20_000  # of MP-Boost, for the whole; a part refits as often
LEARNERS = (
    *("mmp", "br", "arow", "pa", "logistic", "uneven", "chain", "plt", "hrls-online"),
    *("mlpp", "nb", "prior", "last"),
)
LOSSES = ("iserr", "avgp", "micro_f1", "macro_f1")
TENTHS = 10


@dataclass(slots=True)
class Costs(Sink):
    """Adds up the seconds of each learner, in each tenth of the wire."""

    total: int
    documents: list[int] = field(default_factory=lambda: [0] * TENTHS)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    _seen: int = 0

    def step(self, result: Any) -> None:
        """Add one stretch."""
        tenth = min(self._seen * TENTHS // self.total, TENTHS - 1)
        self._seen += len(result.documents)
        self.documents[tenth] += len(result.documents)
        for name, seconds in result.seconds.items():
            self.seconds.setdefault(name, [0.0] * TENTHS)[tenth] += seconds

    def microseconds(self, name: str) -> list[float]:
        """Return what a document cost a learner, for each tenth."""
        return [1e6 * took / count for took, count in zip(self.seconds[name], self.documents, strict=True)]


def main() -> None:
    """Run it once, and print."""
    options = arguments()
    every, window = (max(1000, round(size * options.documents / WHOLE)) for size in (EVERY, WINDOW))
    refitted = f"mpboost=refit:model=mpboost,every={every},window={window},mode=background"
    result = measured(options.documents, [*(options.learner or [*LEARNERS, refitted])])
    print(json.dumps(result) if options.json else table(result))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/bench/whole_wire.py", description=__doc__)
    parser.add_argument("--documents", type=int, default=WHOLE, help=f"of the wire ({WHOLE:,})")
    parser.add_argument("--learner", action="append", help="these instead of all")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def measured(documents: int, specs: list[str]) -> dict[str, Any]:
    """Take the wire through the learners, once."""
    wire = f"synthetic:n={documents},seed=1"
    source = open_source(wire, words={"vocabulary": "bounded", "size": VOCABULARY})
    costs = Costs(documents)
    learners = made(specs, baselines=False)
    run = Run(source, learners, sinks=[costs], points=max(1, documents // TENTHS), tree=open_archive(wire).tree)
    start = time.perf_counter()
    for point in run:
        if not sys.stderr.isatty():
            continue
        print(f"\r{point.documents:,} documents", end="", file=sys.stderr, flush=True)
    wall, summary = time.perf_counter() - start, run.summary()
    rows = {}
    for name, losses in summary["learners"].items():
        each = costs.microseconds(name)
        rows[name] = {
            **{loss: losses[loss] for loss in LOSSES},
            "microseconds": each,
            # the first tenth meets new words and topics; the median says less of a moment's noise than the last does
            "growth": median(each[-3:]) / median(each[1:4]),
            "bytes": memory_of(learners[name]),
        }
    return {
        "documents": summary["documents"],
        "labels": summary["labels"],
        "features": summary["features"],
        "seconds": wall,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "learners": rows,
    }


def table(result: dict[str, Any]) -> str:
    """Return the figures as text."""
    head = ("learner", *LOSSES, "us a document", "in the last tenths / the first", "MB")
    rows = [
        (
            name,
            *("-" if row[loss] is None else f"{row[loss]:.3f}" for loss in LOSSES),
            f"{sum(row['microseconds']) / TENTHS:.1f}",
            f"{row['growth']:.2f}",
            "-" if row["bytes"] is None else f"{row['bytes'] / 1e6:,.1f}",
        )
        for name, row in result["learners"].items()
    ]
    return (
        f"{text_table(head, rows)}\n\n{result['documents']:,} documents, {result['labels']} labels, "
        f"{result['features']:,} features: {result['seconds']:,.0f} s, "
        f"{result['documents'] / result['seconds']:,.0f} documents a second, "
        f"at most {result['peak_bytes'] / 1e9:.2f} GB"
    )


if __name__ == "__main__":
    main()

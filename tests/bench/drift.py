"""How often drift detectors cry wolf, and how soon they see one: ``python tests/bench/drift.py --documents 1000000``.

Learners go through made-up newswires once; then each detector reads the stored losses.

- Alarms a million documents, after the first 20,000: on a wire on which nothing changes (ten topics, which are there
  all the time; no drift, no repeats); on the same losses shuffled (the control: the learner's own rate, and nothing
  else); on the default wire, whose topics come and go; on one that drifts at a steady rate; and in the first 20,000.
- Documents until a worsening is seen, after labels have been exchanged among all topics or a tenth of them, every
  20,000 documents again.

Wires, losses and alarms are the same on every machine; only the seconds are not.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.terminal import text_table
from telex.learners.base import Events
from telex.learners.losses import LOSSES, judge
from telex.learners.registry import learner as made
from telex.stream.monitor.drift import Drift, drift_settings
from telex.stream.newswire import Newswire, NewswireSettings
from telex.stream.sources import Features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.stream.monitor.drift import Detection
    from telex.stream.sources import Stories

WARM = 20_000  # documents in which learners improve fast; also those between two changes
LEAST = 15 * WARM
SLOW = {"KSWIN": 30_000}  # documents that a detector reads at most: this one takes 0.4 ms for each
DETECTORS = (
    "ADWIN", "ADWIN:delta=0.0002", "ADWIN:delta=0.00001", "ADWIN:loss=avgp", "ADWIN:delta=0.00001,loss=avgp",
    "PageHinkley", "PageHinkley:threshold=100", "PageHinkley:loss=avgp", "KSWIN", "DDM", "EDDM", "FHDDM", "HDDM_A",
    "HDDM_A:drift_confidence=0.00001", "HDDM_W",
)  # fmt: skip
TEXT = {"vocabulary": "bounded", "size": 50_000}  # or a million documents would be a matter of memory
STILL = {"topics": 10, "repeats": 0.0}
PAIRS = "mlpp:update=perceptron,ties=first"


@dataclass(frozen=True, slots=True)
class Case:
    """A learner on a wire, of which detectors read a part; ``exchanged`` is the share of topics that change labels."""

    name: str
    learner: str
    documents: int
    wire: dict[str, float]
    exchanged: float = 0.0
    shuffled: bool = False
    first: int = WARM
    last: int | None = None


class Exchanged:
    """A wire with other topics' labels, exchanged again after every ``every`` documents."""

    def __init__(self, wire: Newswire, share: float, seed: int, every: int = WARM) -> None:
        self.wire, self.share, self.seed, self.every = wire, share, seed, every

    def __iter__(self) -> Iterator[Stories]:
        for first in range(0, self.wire.settings.n, self.wire.rows):
            stories = self.wire.stories(first, min(self.wire.rows, self.wire.settings.n - first))
            said = self.said(first // self.every) if self.share else {}
            yield replace(stories, labels=[[said.get(c, c) for c in labels or ()] for labels in stories.labels])

    def said(self, stretch: int) -> dict[str, str]:
        """Return what each of the topics in turn is called in a stretch."""
        draw = random.Random(f"{self.seed} {stretch}")
        chosen = draw.sample(self.wire.labels, max(2, round(self.share * len(self.wire.labels)))) if stretch else []
        return dict(zip(chosen, chosen[1:] + chosen[:1], strict=True))


def losses(case: Case, seed: int) -> dict[str, np.ndarray]:
    """Return the losses that detectors watch, a value a document."""
    # rows divide a stretch, so that labels change between two batches
    wire = Newswire(NewswireSettings(n=case.documents, seed=seed, **case.wire), rows=250)
    learner = made(case.learner, seed)
    found: dict[str, list[np.ndarray]] = {"iserr": [], "avgp": []}
    for batch in Features(Exchanged(wire, case.exchanged, seed), TEXT):
        judged = judge(learner.progress(Events(batch)), batch)
        for name, values in found.items():
            values.append(LOSSES[name].of(judged))
    return {name: np.concatenate(values) for name, values in found.items()}


def detections(text: str, values: dict[str, np.ndarray], part: slice) -> tuple[list[Detection], int, float]:
    """Return the alarms, how many documents were read for them, and the seconds."""
    settings = drift_settings(text)
    seen = values[settings.loss][part][: SLOW.get(settings.detector)]
    watch = Drift(settings, ["it"], list(values))
    documents = np.arange(part.start, part.start + len(seen)) + 1
    start = time.process_time()
    found = [one for i in range(0, len(seen), 250) for one in watch.add("it", documents[i:][:250], seen[i:][:250])]
    return found, len(seen), time.process_time() - start


def alarms(case: Case, values: dict[str, np.ndarray], text: str) -> dict[str, object]:
    """Count alarms."""
    found, read, seconds = detections(text, values, slice(case.first, case.last))
    worse = sum(one.worse for one in found)
    better = len(found) - worse
    return {
        "case": case.name, "detector": text, "documents": read, "worse": worse, "better": better,
        "worse a million": 1e6 * worse / read, "better a million": 1e6 * better / read, "us": 1e6 * seconds / read,
    }  # fmt: skip


def delays(case: Case, values: dict[str, np.ndarray], text: str) -> dict[str, object]:
    """Measure how many documents after each change the first worsening is seen, and count the other alarms."""
    # a slow one sees the first change only, and all of what follows it
    first = WARM // 2 if text.partition(":")[0] in SLOW else 0
    found, read, _ = detections(text, values, slice(first, None))
    worse = [one.document for one in found if one.worse]
    changes = range(WARM, first + read, WARM)
    seen = [next((d - change for d in worse if change < d <= change + WARM), None) for change in changes]
    waits = [wait for wait in seen if wait is not None]
    return {
        "case": case.name, "detector": text, "changes": len(changes), "seen": len(waits),
        "median": median(waits) if waits else None, "slowest": max(waits, default=None),
        "other worse": len(worse) - len(waits), "better": len(found) - len(worse),
    }  # fmt: skip


def cases(documents: int) -> list[Case]:
    """Return what is measured; learners and wires that take longer get fewer documents."""
    fifth, tenth = documents // 5, documents // 10
    still = [Case("mmp, still", "mmp", documents, STILL), Case("mlpp, still", PAIRS, fifth, STILL)]
    return [
        *still,
        *(replace(case, name=f"{case.learner}, shuffled", shuffled=True) for case in still),
        Case("mmp, topics come and go", "mmp", documents // 2, {}),
        Case("mmp, the first 20,000", "mmp", documents // 2, {}, first=0, last=WARM),
        Case("mlpp, topics come and go", PAIRS, tenth, {}),
        Case("mmp, steady drift 0.3", "mmp", fifth, {**STILL, "drift": 0.3}),
        Case("mmp, all exchanged", "mmp", fifth, {}, 1.0),
        Case("mmp, a tenth exchanged", "mmp", fifth, {}, 0.1),
        Case("mlpp, all exchanged", PAIRS, tenth, {}, 1.0),
    ]


def main() -> None:
    """Measure and print."""
    options = arguments()
    kept: dict[tuple[str, int, str], dict[str, np.ndarray]] = {}
    results = []
    for case in cases(options.documents):
        key = case.learner, case.documents, f"{case.wire} {case.exchanged}"
        if key not in kept:
            start = time.process_time()
            kept[key] = losses(case, options.seed)
            rate = np.mean(kept[key]["iserr"][WARM:])
            print(f"{case.name}: {case.documents:,} documents, iserr {rate:.4f}, "
                  f"{time.process_time() - start:.0f} s of CPU", file=sys.stderr)  # fmt: skip
        values = kept[key]
        if case.shuffled:
            late = np.random.default_rng(options.seed).permutation(np.arange(WARM, case.documents))
            order = np.append(np.arange(WARM), late)
            values = {name: x[order] for name, x in values.items()}
        measure = delays if case.exchanged else alarms
        found = [measure(case, values, text) for text in options.detectors or DETECTORS]
        results += found
        if not options.json:
            rows = [[shown(x) for key, x in result.items() if key != "case"] for result in found]
            print(case.name, text_table([key for key in found[0] if key != "case"], rows), "", sep="\n", flush=True)
    if options.json:
        print(json.dumps(results))


def shown(x: object) -> str:
    """Return a cell."""
    if isinstance(x, float):
        return f"{x:.2f}" if abs(x) < 10 else f"{x:.0f}"
    return "-" if x is None else str(x)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000, help="of the longest wire; the others follow")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="one array of results instead of tables")
    parser.add_argument("detectors", nargs="*", help="such as ADWIN:delta=0.0001; without any, those of docs/drift.md")
    options = parser.parse_args()
    if options.documents < LEAST:
        parser.error(f"--documents: give {LEAST} or more, so that every wire goes on after its first {WARM}")
    return options


if __name__ == "__main__":
    main()

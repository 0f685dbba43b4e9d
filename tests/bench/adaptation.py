"""How soon boosting is back after a drift, windowed, refitted, frozen: ``python tests/bench/adaptation.py``.

Made-up newswires, on which all topics or some exchange their labels half-way. A learner is back with the first
document after it where the mean loss of the last 500, all of them after the drift, is within a tenth of what it was
over the last 2,000 before. Windowed and refitted boosting have the same window, act on the same documents and have as
many rounds; the frozen one is fitted once, half-way to the drift. The median over the seeds is shown; a learner not
back by the end counts as later than all others. Losses are the same on every machine, only the seconds are not.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from statistics import median

import numpy as np
from drift import STILL, TEXT, Exchanged

from telex.adapters.terminal import text_table
from telex.learners.base import Events
from telex.learners.losses import LOSSES, judge
from telex.learners.registry import learner as made
from telex.stream.newswire import Newswire, NewswireSettings
from telex.stream.sources import Features

LAST, BEFORE = 500, 2000
NEAR = 1.1
SHOWN = ("iserr", "hamming")


def learners(drift: int, window: int, every: int, rounds: int) -> dict[str, str]:
    """Return what is compared, by name; a windowed committee is as old as its window."""
    at = f"window={window},every={every}"
    add = max(1, rounds * every // window)
    return {
        "windowed": f"windowed:boost=mpboost,{at},add={add},rounds={rounds}",
        "windowed, exponential": f"windowed:boost=mpboost,{at},add={add},rounds={rounds},weights=exponential",
        "windowed MH": f"windowed:boost=adaboost-mh,{at},add={add},rounds={rounds}",
        "refit": f"refit:model=mpboost,{at},model.rounds={rounds}",
        "refit MH": f"refit:model=adaboost-mh,{at},model.rounds={rounds}",
        "frozen": f"refit:model=mpboost,window={window},every=1000000000,after={drift // 2},model.rounds={rounds}",
        "mmp": "mmp",
    }


def losses(spec: str, share: float, documents: int, seed: int) -> tuple[dict[str, np.ndarray], float]:
    """Return each shown loss, a value a document, and the learner's seconds of CPU."""
    wire = Exchanged(Newswire(NewswireSettings(n=documents, seed=seed, **STILL), rows=250), share, seed, documents // 2)
    model = made(spec, seed)
    found: dict[str, list[np.ndarray]] = {name: [] for name in SHOWN}
    seconds = 0.0
    for batch in Features(wire, TEXT):
        start = time.process_time()
        predictions = model.progress(Events(batch))
        seconds += time.process_time() - start
        judged = judge(predictions, batch)
        for name, values in found.items():
            values.append(LOSSES[name].of(judged))
    return {name: np.concatenate(values) for name, values in found.items()}, seconds


def back(values: np.ndarray) -> tuple[float, float, float]:
    """Return the mean before the drift, that of the last documents, and after how many it was back.

    >>> values = np.concatenate([np.full(4000, 0.2), np.full(1000, 0.9), np.full(3000, 0.2)])
    >>> before, end, when = back(values)
    >>> round(before, 3), round(end, 3), when
    (0.2, 0.2, 1486.0)
    """
    change = len(values) // 2
    before = float(values[change - BEFORE : change].mean())
    sums = np.cumsum(np.concatenate([[0.0], values[change:]]))
    means = (sums[LAST:] - sums[:-LAST]) / LAST
    near = np.flatnonzero(means <= NEAR * before)
    return before, float(values[-LAST:].mean()), float(near[0] + LAST) if len(near) else math.inf


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=30_000, help="of a wire, the drift in the midst of them")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--share", type=float, action="append", help="of the topics that drift; several may be given")
    parser.add_argument("--window", type=int, default=5000)
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--json", action="store_true", help="one array of results instead of tables")
    options = parser.parse_args()
    if options.documents % 500 or options.documents < 2 * BEFORE:
        parser.error(f"--documents: give a multiple of 500, {2 * BEFORE} or more")
    results = []
    for share in options.share or (1.0, 0.3):
        rows = []
        for name, spec in learners(options.documents // 2, options.window, options.every, options.rounds).items():
            runs = [losses(spec, share, options.documents, seed) for seed in range(options.seeds)]
            row = {"learner": name, "share": share, "seconds": median(seconds for _, seconds in runs)}
            for loss in SHOWN:
                found = [back(values[loss]) for values, _ in runs]
                row[f"{loss} before"], row[f"{loss} at the end"] = (median(x[k] for x in found) for k in (0, 1))
                row[f"{loss} back after"] = median(x[2] for x in found)
                row[f"{loss} seeds back"] = sum(math.isfinite(x[2]) for x in found)
            print(f"{name}, {share:.0%} exchanged: {row['seconds']:.0f} s of CPU a wire", file=sys.stderr)
            rows.append(row)
        results += rows
        if not options.json:
            heading = [key for key in rows[0] if key not in {"share"}]
            cells = [[shown(row[key]) for key in heading] for row in rows]
            print(f"{share:.0%} of the topics exchanged", text_table(heading, cells), "", sep="\n", flush=True)
    if options.json:
        print(json.dumps([{k: None if v == math.inf else v for k, v in row.items()} for row in results]))


def shown(x: object) -> str:
    """Return a cell."""
    if isinstance(x, float):
        return "-" if math.isinf(x) else f"{x:,.0f}" if x >= 100 else f"{x:.3f}"
    return str(x)


if __name__ == "__main__":
    main()

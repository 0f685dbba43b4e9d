"""What many labels cost, and how well they are learnt: ``python tests/bench/labels.py --labels 100 1000 10000``.

Made-up documents of about 60 terms and 3 labels, or with ``--data DIR`` RCV1's vectors in DIR/rcv1. Each learner
predicts and learns them, one after the other; speed is that of the last quarter, by the processor's clock, and memory
that of the weights. With ``--peers PYTHON``, an interpreter that has vowpalwabbit and napkinxc, peers/label_trees.py
takes the same documents through these: VW's --plt in the same way; napkinXC's PLT is fitted on three quarters, and its
last quarter is beside that of everyone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from prequential.collections import COLLECTIONS, batches
from prequential.judging import Knowledge

from telex.adapters.terminal import text_table
from telex.learners import Batch, BatchBuilder, Events
from telex.learners.losses import LOSSES, judge
from telex.learners.registry import learner as made
from telex.stream.curves import Curve

FIGURES = ("prec1", "prec5", "micro_f1", "avgp")
LEARNERS = ("plt", "plt:arity=16", "arow", "br", "mmp", "mlpp", "mlpp:storage=int8", "mlpp:storage=hybrid")
PEERS = ("vw", "hierarchicalKmeans", "completeKaryRandom")
AT_ONCE = 128
TERMS = 50_000


def made_up(labels: int, documents: int, seed: int = 0) -> Batch:
    """Documents whose labels are as frequent as their rank to the power of -.8, with others of the same theme; each
    label and theme has terms of its own, and half of all terms are the language's.
    """
    rng = np.random.default_rng([seed, labels])
    themes = max(4, labels // 16)
    popular = (np.arange(labels) + 8.0) ** -0.8
    theme = rng.integers(0, themes, labels)
    inside = [np.flatnonzero(theme == t) for t in range(themes)]
    shares = [popular[one] / popular[one].sum() if len(one) else one for one in inside]
    own, common = rng.integers(0, TERMS, (labels, 15)), rng.integers(0, TERMS, (themes, 40))
    language = np.cumsum((np.arange(TERMS) + 20.0) ** -1.1)
    spread, first = rng.permutation(TERMS), np.cumsum(popular)
    builder = BatchBuilder()
    for _ in range(documents):
        main = int(np.searchsorted(first, rng.random() * first[-1]))
        t = theme[main]
        beside = rng.choice(inside[t], min(len(inside[t]), rng.poisson(2)), p=shares[t])
        mine = np.union1d(beside, [main])
        drawn = np.concatenate([
            spread[np.searchsorted(language, rng.random(40) * language[-1])],
            common[t][rng.integers(0, 40, 15)],
            own[rng.choice(mine, 25), rng.integers(0, 15, 25)],
        ])  # fmt: skip
        terms, counts = np.unique(drawn, return_counts=True)
        values = 1 + np.log(counts)
        values /= np.sqrt((values * values).sum())
        builder.add(dict(zip(terms.tolist(), values.tolist(), strict=True)), [f"L{c}" for c in mine])
    return builder.take()


def measured(spec: str, batch: Batch, most: float, seconds: float) -> dict[str, object]:
    """Take the documents through a learner; stop after some seconds, and leave out what would be too large."""
    learner, rates, done = made(spec), [], 0
    curve, last = (Curve([LOSSES[name] for name in FIGURES if name in LOSSES], 1000) for _ in range(2))
    table = 0 if spec.startswith("plt") else len(batch.feature_names) * len(batch.label_names) * 4
    if spec.startswith("mlpp"):  # float32 and hybrid have rows for a part of the terms only
        pairs = (len(batch.label_names) - 1) / 2
        table *= pairs / (8 if "hybrid" in spec else 4 if "int8" in spec else 2)
    if table * (2 if spec.startswith("arow") else 1) > most:
        return {"name": spec}
    for start in range(0, len(batch), AT_ONCE):
        part = batch.rows(start, min(start + AT_ONCE, len(batch)))
        before = time.process_time()
        predictions = learner.progress(Events(part))
        rates.append(time.process_time() - before)
        judged = judge(predictions, part)
        curve.add(judged)
        if start >= 3 * len(batch) // 4:
            last.add(judged)
        done += len(part)
        if sum(rates) > seconds:
            break
    quarter = rates[-(len(rates) // 4 or 1) :]
    found = {
        "name": spec,
        "rate": AT_ONCE * len(quarter) / sum(quarter),
        "MB": learner.memory_bytes / 1e6,
        "documents": done,
    }
    if done == len(batch):
        found |= {"all": [curve.so_far(learner.known)[name] for name in FIGURES]}
        found |= {"last": [last.so_far(learner.known)[name] for name in FIGURES]}
    return found


def peers(python: str, batch: Batch) -> list[dict[str, object]]:
    """What the peers find, in their interpreter."""
    columns = Knowledge(batch).columns[batch.labels].astype(np.int64)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "documents.npz"
        np.savez(
            path,
            indptr=batch.indptr,
            terms=batch.features,
            values=batch.values,
            label_indptr=batch.label_indptr,
            labels=columns,
        )
        script, found = Path(__file__).parent / "peers" / "label_trees.py", []
        for peer in PEERS:
            done = subprocess.run([python, script, path, peer], check=False, capture_output=True, text=True)
            found += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            if done.returncode:
                found.append({"name": f"{peer}: exit code {done.returncode}"})
    return found


def shown(values: object) -> list[str]:
    return [f"{value:.3f}" if isinstance(value, float) else "" for value in values] if values else [""] * len(FIGURES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, nargs="+", default=[100, 1000, 3000, 10_000, 30_000])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument(
        "--data", type=Path, help="the folder of collections: RCV1's vectors instead of made-up documents"
    )
    parser.add_argument("--learner", nargs="+", default=LEARNERS)
    parser.add_argument("--memory", type=float, default=4.0, help="the largest table of weights, in GB")
    parser.add_argument("--seconds", type=float, default=60.0, help="a learner's time for the documents")
    parser.add_argument("--peers", help="an interpreter that has vowpalwabbit and napkinxc")
    options = parser.parse_args()
    for labels in [103] if options.data else options.labels:
        if options.data:
            batch = Batch.concat(batches(COLLECTIONS["rcv1-vectors"], options.data, options.documents))
        else:
            batch = made_up(labels, options.documents)
        print(
            f"\n{len(batch.label_names):,} labels in {len(batch):,} documents, {len(batch.feature_names):,} terms",
            flush=True,
        )
        found = [measured(spec, batch, options.memory * 1e9, options.seconds) for spec in options.learner]
        found += peers(options.peers, batch) if options.peers else []
        rows = [["", "documents/s", "MB", "documents", *FIGURES, *(f"{name}, last" for name in FIGURES)]]
        for one in found:
            numbers = [f"{one[name]:,.0f}" if name in one else "" for name in ("rate", "MB", "documents")]
            rows.append([str(one["name"]), *numbers, *shown(one.get("all")), *shown(one.get("last"))])
        print(text_table(rows[0], rows[1:]), flush=True)


if __name__ == "__main__":
    main()

"""What a hundred to a hundred thousand labels cost, and how well they are learnt: ``python tests/bench/labels.py``.

Made-up documents (``wide_documents.py``) of a growing number of labels and in the shapes of bibtex and EUR-Lex; with
``--data DIR`` RCV1's vectors in DIR/rcv1 instead. Each learner predicts and learns them, one after the other. Speed is
that of the last quarter, by the processor's clock; precision is that of the last quarter too; memory is that of the
weights. A learner with a table of all labels and terms that exceeds ``--memory`` is left out, with what it would need.

Beside them in the same run, as far as they are installed, are the label trees of others (``peers/label_trees.py``):
VW's --plt in the same way; napkinXC's PLT, fitted on three quarters, predicts the last one.
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from prequential.collections import COLLECTIONS, batches
from wide_documents import SHAPES, Shape, made_up

from telex.adapters.terminal import text_table
from telex.learners import Batch, Events
from telex.learners.registry import learner as made

LEARNERS = ("plt", "plt:arity=16,top=5", "arow", "mmp")
PEERS = ("vw", "napkinxc", "napkinxc-adagrad")
AT_ONCE = 128
TOP = (1, 3, 5)


def measured(spec: str, batch: Batch, most: float) -> dict[str, object]:
    """Take the documents through a learner."""
    table = len(batch.feature_names) * len(batch.label_names) * (8 if spec.startswith("arow") else 4)
    if table > most and not spec.startswith("plt"):
        return {"name": spec, "MB": table / 1e6}
    learner, start = made(spec), 3 * len(batch) // 4 // AT_ONCE * AT_ONCE
    found, times = np.zeros(len(TOP)), []
    for at in range(0, len(batch), AT_ONCE):
        part = batch.rows(at, min(at + AT_ONCE, len(batch)))
        before = time.process_time()
        predictions = learner.progress(Events(part))
        if at < start:
            continue
        times.append(time.process_time() - before)
        for row, best in enumerate(predictions.rankings(max(TOP))):
            hits = np.isin([label for label, _ in best], part.labels_of(row))
            found += [hits[:k].sum() / k for k in TOP]
    learnt = len(batch) - start
    return {
        "name": spec,
        "rate": learnt / sum(times),
        "precision": (found / learnt).tolist(),
        "MB": learner.memory_bytes / 1e6,
    }


def peers(batch: Batch, seconds: int) -> list[dict[str, object]]:
    """Take the documents through the peers, each in a process of its own that may have so many seconds."""
    names = ("indptr", "features", "values", "label_indptr", "labels")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "documents.npz"
        np.savez(path, **{name: getattr(batch, name) for name in names})
        script, found = Path(__file__).parent / "peers" / "label_trees.py", []
        for peer in PEERS:
            done = subprocess.run(
                [sys.executable, script, path, peer],
                check=False,
                capture_output=True,
                text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)),
            )
            lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
            why = "time is up" if done.returncode == -signal.SIGXCPU else (done.stderr.split("\n") or [""])[-1]
            found.append(json.loads(lines[-1]) if lines else {"name": f"{peer}: {why or done.returncode}"})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, nargs="*", default=[100, 1000, 10_000, 100_000])
    parser.add_argument("--shapes", nargs="*", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--documents", type=int, help="for each number of labels (20,000, or half of the labels)")
    parser.add_argument("--data", type=Path, help="the folder of collections: RCV1's vectors, not made-up documents")
    parser.add_argument("--learner", nargs="+", default=LEARNERS)
    parser.add_argument("--memory", type=float, default=6.0, help="the largest table of weights, in GB")
    parser.add_argument("--seconds", type=int, default=400, help="the time of the processor that a peer may have")
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    wire = {f"wire {k:,}": Shape(options.documents or max(20_000, k // 2), k) for k in options.labels}
    shapes = wire | {name: SHAPES[name] for name in options.shapes}
    for name, shape in {"rcv1": None}.items() if options.data else shapes.items():
        if shape is None:
            batch = Batch.concat(batches(COLLECTIONS["rcv1-vectors"], options.data, options.documents or 20_000))
        else:
            batch = made_up(shape)
        often, documents = np.sort(np.bincount(batch.labels))[::-1], len(batch)
        print(
            f"\n{name}: {documents:,} documents of {len(batch.features) / documents:.0f} terms and "
            f"{len(batch.labels) / documents:.1f} labels; {np.count_nonzero(often):,} labels occur, the first "
            f"{often[0]:,} times, {np.count_nonzero(often == 1):,} once; {len(batch.feature_names):,} terms",
            flush=True,
        )
        found = [measured(spec, batch, options.memory * 1e9) for spec in options.learner]
        found += [] if options.no_peers else peers(batch, options.seconds)
        rows = []
        for one in found:
            figures = [f"{one['rate']:,.0f}", *(f"{x:.3f}" for x in one["precision"])] if "rate" in one else ["-"] * 4
            memory = f"{one['MB']:,.0f}" + ("" if "rate" in one else " needed") if "MB" in one else ""
            rows.append([str(one["name"]), *figures, memory])
        print(text_table(["", "documents/s", *(f"prec{k}" for k in TOP), "MB"], rows), flush=True)


if __name__ == "__main__":
    main()

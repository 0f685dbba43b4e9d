"""Measures one contender on one collection, in a process of its own: ``python measure.py CONTENDER COLLECTION DATA LIMIT``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
HERE = Path(__file__).parent


def measured(
    contender: str, collection: str, data: Path, limit: int | None, options: dict[str, object] | None = None
) -> dict[str, object]:
    """Return the figures, or ``{"missing": why}``."""
    call = [
        sys.executable,
        "-m",
        "prequential.measure",
        contender,
        collection,
        str(data),
        str(limit or 0),
        json.dumps(options or {}),
    ]
    done = subprocess.run(
        call, check=False, capture_output=True, text=True, env={**os.environ, **ONE_THREAD}, cwd=HERE.parent
    )
    if done.returncode:
        return {"missing": done.stderr.strip().splitlines()[-1] if done.stderr else f"exit code {done.returncode}"}
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(name: str, collection_name: str, data: str, limit: str, options: str) -> None:
    """Measure here, and print what was found as a line of JSON."""
    from prequential.collections import COLLECTIONS, batches  # noqa: PLC0415
    from prequential.contenders import ALL  # noqa: PLC0415

    contender = next(one for one in ALL if one.name == name)
    collection = COLLECTIONS[collection_name]
    if contender.needs and find_spec(contender.needs) is None:
        print(json.dumps({"missing": f"{contender.needs} is not installed"}))
        return
    documents = batches(collection, Path(data), int(limit) or None)
    labels = len(documents[0].label_names)
    if contender.most_labels is not None and labels > contender.most_labels:
        print(json.dumps({"missing": f"too many labels ({labels:,}) for pairs"}))
        return
    if contender.most_features is not None and len(documents[0].feature_names) > contender.most_features:
        print(json.dumps({"missing": f"too many features ({len(documents[0].feature_names):,})"}))
        return
    if (most := contender.limit(labels)) is not None:
        documents = batches(collection, Path(data), min(most, int(limit) or most))
    count = sum(map(len, documents))
    labels = len(
        np.unique(np.concatenate([one.labels[one.label_indptr[0] : one.label_indptr[-1]] for one in documents]))
    )
    module, function = contender.home.split(":")
    follow = getattr(import_module(f"prequential.{module}"), function)
    more = {"dense": collection.dense} if module == "sgd" else {}
    before = fresh_peak()
    start = time.perf_counter()
    its_own = contender.options | (contender.dense if collection.dense else {}) | json.loads(options)
    judge, seconds = follow(documents, **its_own, **more)
    print(
        json.dumps(
            {
                "documents": count,
                "labels": labels,
                **judge.figures(labels),
                "docs_per_second": count / seconds,
                "seconds": time.perf_counter() - start,
                "memory": max(0, resident("VmHWM") - before),
            }
        )
    )


def fresh_peak() -> int:
    """Begin the peak of memory anew, and return what is resident."""
    Path("/proc/self/clear_refs").write_text("5")
    return resident("VmRSS")


def resident(what: str) -> int:
    """Return a figure of the kernel's, in bytes."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(what))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main(*sys.argv[1:])

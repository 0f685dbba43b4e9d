"""Label trees of others on documents from a file: ``python label_trees.py documents.npz vw``; a line of JSON.

VW's --plt predicts each document and learns it; the labels are given beforehand. Its table has 2^28 places, as in its
own demonstration: with 2^24 the weights of 10,000 labels collide. napkinXC's PLT is fitted on three quarters and
predicts the last one, by beam search (an exact one takes five times as long, and finds no better labels): with
LIBLINEAR, its default, or online by AdaGrad.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

TOP = (1, 3, 5)


def rows(flat: np.ndarray, ends: np.ndarray) -> list[list]:
    return [flat[a:b].tolist() for a, b in pairwise(ends.tolist())]


def resident(name: str) -> float:
    """The memory that the process has (VmRSS), or the most that it has had (VmHWM), in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(name))


def precision(said: list[list[int]], labels: list[list[int]]) -> list[float]:
    found = [[len(set(best[:k]) & set(true)) / k for k in TOP] for best, true in zip(said, labels, strict=True)]
    return np.mean(found, axis=0).tolist()


def vw(arrays: dict[str, np.ndarray], labels: list[list[int]]) -> tuple[str, float, list[list[int]]]:
    from vowpalwabbit import Workspace  # noqa: PLC0415 - either may be missing

    options = f"--plt {max(map(max, filter(None, labels))) + 1} --kary_tree 16 --top_k {max(TOP)}"
    workspace = Workspace(f"{options} --loss_function logistic -b 28 -l 4 --quiet")
    start, said, times = 3 * len(labels) // 4, [], []
    terms, values = rows(arrays["features"], arrays["indptr"]), rows(arrays["values"], arrays["indptr"])
    for own, x, y in zip(terms, values, labels, strict=True):
        features = " ".join(f"{term}:{value:.6g}" for term, value in zip(own, x, strict=True))
        asked, told = workspace.parse(f"|f {features}"), workspace.parse(f"{','.join(map(str, y))} |f {features}")
        before = time.process_time()
        said.append(workspace.predict(asked))
        workspace.learn(told)
        times.append(time.process_time() - before)
        workspace.finish_example(asked)
        workspace.finish_example(told)
    return "VW --plt", (len(labels) - start) / sum(times[start:]), [list(map(int, best)) for best in said[start:]]


def napkin(
    arrays: dict[str, np.ndarray], labels: list[list[int]], **options: object
) -> tuple[str, float, list[list[int]]]:
    from napkinxc.models import PLT  # noqa: PLC0415
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    table = csr_matrix((arrays["values"], arrays["features"], arrays["indptr"]))
    start = 3 * len(labels) // 4
    with tempfile.TemporaryDirectory() as folder:
        model, before = PLT(folder, threads=1, tree_search_type="beam", **options), time.process_time()
        model.fit(table[:start], labels[:start])
        fitted = time.process_time()
        said = model.predict(table[start:], top_k=max(TOP))
        asked = time.process_time()
    name = f"napkinXC {options.get('optimizer', 'liblinear')}"
    return name, 1 / ((fitted - before) / start + (asked - fitted) / (len(labels) - start)), said


def main() -> None:
    arrays = dict(np.load(sys.argv[1]))
    labels = rows(arrays["labels"], arrays["label_indptr"])
    peer, options = {
        "vw": (vw, {}),
        "napkinxc": (napkin, {}),
        "napkinxc-adagrad": (napkin, {"optimizer": "adagrad", "arity": 16}),
    }[sys.argv[2]]
    before = resident("VmRSS")
    name, rate, said = peer(arrays, labels, **options)
    figures = precision(said, labels[3 * len(labels) // 4 :])
    print(json.dumps({"name": name, "rate": rate, "precision": figures, "MB": resident("VmHWM") - before}), flush=True)


if __name__ == "__main__":
    main()

"""Label trees of others on documents from a file: ``python label_trees.py documents.npz vw``; lines of JSON.

VW's --plt predicts each document and learns it; the labels are given beforehand, and a document has no predicted set
where it asks for the best. napkinXC's PLT, with one of its kinds of tree, is fitted on three quarters and predicts the
last one.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise

import numpy as np

TOP = 5


def rows(flat: np.ndarray, ends: np.ndarray) -> list[list]:
    return [flat[a:b].tolist() for a, b in pairwise(ends.tolist())]


class Count:
    """Precision at 1 and 5, and micro F1 of sets, as in telex: of documents that have labels."""

    def __init__(self) -> None:
        self.first, self.hits, self.documents, self.tp, self.fp, self.fn = 0, 0, 0, 0, 0, 0

    def add(self, best: list[int], predicted: list[int], true: list[int]) -> None:
        if true:
            self.documents += 1
            self.first += best[:1] != [] and best[0] in true
            self.hits += len(set(best[:TOP]) & set(true))
        both = len(set(predicted) & set(true))
        self.tp, self.fp, self.fn = self.tp + both, self.fp + len(predicted) - both, self.fn + len(true) - both

    def figures(self, *, sets: bool) -> list[float | None]:
        f1 = 2 * self.tp / (2 * self.tp + self.fp + self.fn) if sets and self.tp else None
        return [self.first / self.documents, self.hits / self.documents / TOP, f1, None]


def vw(terms: list[list], values: list[list], labels: list[list], options: str, name: str) -> None:
    from vowpalwabbit import Workspace  # noqa: PLC0415 - either may be missing

    many, sets = max(map(max, filter(None, labels))) + 1, "threshold" in options
    workspace = Workspace(f"--plt {many} --loss_function logistic -b 24 {options} --quiet")
    everything, last, times = Count(), Count(), []
    for i, (own, x, y) in enumerate(zip(terms, values, labels, strict=True)):
        features = " ".join(f"{term}:{value:.6g}" for term, value in zip(own, x, strict=True))
        asked, told = workspace.parse(f"|f {features}"), workspace.parse(f"{','.join(map(str, y))} |f {features}")
        before = time.process_time()
        said = workspace.predict(asked)
        workspace.learn(told)
        times.append(time.process_time() - before)
        workspace.finish_example(asked)
        workspace.finish_example(told)
        best = [int(label) for label in said]
        for count in (everything, last) if i >= 3 * len(labels) // 4 else (everything,):
            count.add(best, best if sets else [], y)
    quarter = times[-(len(times) // 4) :]
    found = {"name": name, "rate": len(quarter) / sum(quarter), "documents": len(labels)}
    print(json.dumps(found | {"all": everything.figures(sets=sets), "last": last.figures(sets=sets)}), flush=True)


def napkin(arrays: dict[str, np.ndarray], labels: list[list], tree: str) -> None:
    import tempfile  # noqa: PLC0415

    from napkinxc.models import PLT  # noqa: PLC0415
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    table = csr_matrix((arrays["values"], arrays["terms"], arrays["indptr"]))
    start = 3 * len(labels) // 4
    with tempfile.TemporaryDirectory() as folder:
        model, before = PLT(folder, tree_type=tree, threads=1), time.process_time()
        model.fit(table[:start], labels[:start])
        fitted = time.process_time()
        said = model.predict(table[start:], top_k=TOP)
        asked = time.process_time()
    last = Count()
    for best, true in zip(said, labels[start:], strict=True):
        last.add(best, [], true)
    rate = len(labels) / (fitted - before + (asked - fitted) * len(labels) / (len(labels) - start))
    found = {"name": f"napkinXC {tree}", "rate": rate, "documents": len(labels)}
    print(json.dumps(found | {"last": last.figures(sets=False)}), flush=True)


def main() -> None:
    arrays = dict(np.load(sys.argv[1]))
    terms, values = rows(arrays["terms"], arrays["indptr"]), rows(arrays["values"], arrays["indptr"])
    labels = rows(arrays["labels"], arrays["label_indptr"])
    if sys.argv[2] != "vw":
        napkin(arrays, labels, sys.argv[2])
        return
    for rate in (0.5, 4.0):
        vw(terms, values, labels, f"--kary_tree 16 -l {rate} --top_k {TOP}", f"VW --plt -l {rate:g}")
        vw(terms, values, labels, f"--kary_tree 16 -l {rate} --threshold 0.5", f"VW --plt -l {rate:g}, sets")


if __name__ == "__main__":
    main()

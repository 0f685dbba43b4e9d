"""How fast learners on trees are fitted: ``python tests/bench/trees.py --data DIR``, with RCV1 in DIR/rcv1.

The yardsticks are 2,500 documents with the labels of the CCAT family, to a gap of 1e-3; all documents and labels, to a
gap of 1e-2; and how the seconds of a pass grow with the entries of the documents times the labels. scikit-learn's
LinearSVC, one against the rest, is fitted on the same documents in the same run. One thread does all of it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scipy.sparse import csr_matrix
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from telex.adapters.formats import open_archive, read_tree
from telex.learners import Names
from telex.learners.trees.fitted import HM3, HRLS, HSVM, SVM, TreeWindow
from telex.stream.crossval import Corpus

if TYPE_CHECKING:
    from telex.learners.base import Batch
    from telex.learners.trees import Tree

GOALS = {"hm3": 5.0, "hm3, all of RCV1": 60.0}
"""The most seconds that a fit may take."""
FAMILY = {
    "svm": SVM, "hsvm": HSVM, "hrls": HRLS, "hm3": HM3,
    "hm3 htilde subtree": lambda: HM3(loss="htilde", scaling="subtree"),
    "hm3 kernel form": lambda: HM3(form="kernel"), "hm3 rbf": lambda: HM3(kernel="rbf"),
}  # fmt: skip


def cut(whole: Batch, tree: Tree) -> Batch:
    """The documents with those of their labels that the tree has."""
    sets = [[label for label in whole.labels_of(row) if label in tree] for row in range(len(whole))]
    return whole.with_labels(sets, Names(tree.labels))


def fitted(model: Any, batch: Batch, tree: Tree) -> dict[str, float]:
    """The seconds of a fit, and the passes and the gap where it has them."""
    model.use_tree(tree)
    start = time.perf_counter()
    model.fit(batch)
    found = {"seconds": time.perf_counter() - start}
    if isinstance(model, HM3):
        dual, _, primal = model.curve[-1].tolist()
        found |= {"passes": len(model.curve), "gap": (primal - dual) / primal}
    return found


def linear_svc(batch: Batch, tree: Tree) -> dict[str, float]:
    """The seconds that a LinearSVC for each label takes."""
    window = TreeWindow.of(batch, tree)
    rows = csr_matrix((window.values, window.places, window.indptr), shape=(len(batch), len(window.features)))
    mixed = window.relevant[:, window.relevant.any(0) & ~window.relevant.all(0)]
    model = OneVsRestClassifier(LinearSVC(loss="hinge", fit_intercept=False, max_iter=10_000))
    start = time.perf_counter()
    model.fit(rows, mixed)
    return {"seconds": time.perf_counter() - start}


def growth(whole: Batch, tree: Tree) -> list[dict[str, float]]:
    """The seconds of a pass by documents and labels, and the nanoseconds for each entry and label."""
    rows = []
    for share in (0.25, 0.5, 1.0):
        part = tree.only(tree.labels[: int(len(tree) * share)])
        for documents in (2_000, 4_000, 8_000, 16_000):
            batch = cut(whole.rows(0, documents), part)
            window = TreeWindow.of(batch, part)
            short, long = (fitted(HM3(passes=passes, gap=1e-9), batch, part)["seconds"] for passes in (2, 12))
            entries, labels = len(window.values), len(window.tree)
            a_pass = (long - short) / 10
            rows.append({
                "documents": documents, "labels": labels, "entries": entries, "seconds a pass": a_pass,
                "nanoseconds an entry and label": a_pass * 1e9 / entries / labels,
            })  # fmt: skip
    return rows


def main() -> None:
    """Fit, print; exit code 1 where a fit takes longer than its goal."""
    parser = argparse.ArgumentParser(prog="python tests/bench/trees.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with RCV1 in rcv1/")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    tree = read_tree(options.data / "rcv1" / "rcv1.topics.hier.orig")
    whole = Corpus.read(open_archive(options.data / "rcv1" / "lyrl2004_vectors.dat.gz")).batch
    family = tree.only(label for label in tree.labels if tree.path(label)[-1] == "CCAT")
    small = cut(whole.rows(0, 2_500), family)
    found: dict[str, Any] = {name: fitted(make(), small, family) for name, make in FAMILY.items()}
    found["LinearSVC"] = linear_svc(small, family)
    found["hm3, all of RCV1"] = fitted(HM3(gap=1e-2), whole, tree)
    found["LinearSVC, all of RCV1"] = linear_svc(whole, tree)
    passes = growth(whole, tree)
    if options.json:
        print(json.dumps({"fits": found, "passes": passes}))
    else:
        for name, figures in found.items():
            print(f"{name:24}", *(f"{key} {value:.4g}" for key, value in figures.items()))
        for name in GOALS:
            peer = found[name.replace("hm3", "LinearSVC")]["seconds"]
            print(f"{name}: {found[name]['seconds'] / peer:.2f} of LinearSVC's time")
        for row in passes:
            print(*(f"{key} {value:.4g}" for key, value in row.items()))
    sys.exit(any(found[name]["seconds"] > most for name, most in GOALS.items()))


if __name__ == "__main__":
    main()

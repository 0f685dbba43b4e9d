"""Prints the CPU level and a hash of all that learners on trees find there: ``python -m oracles.tree_bits``."""

import hashlib

import numpy as np
from oracles.hm3_problems import batch_of, problem

from telex.learners import _trees
from telex.learners.trees.fitted import HM3, HRLS, HSVM, SVM


def bits():
    one, found = problem("forest", 1, n=60, features=40, loss="delta", scaling="uniform", C=1.0), hashlib.sha256()
    batch = batch_of(one.rows, one.truths, one.tree)
    forms = ({}, {"form": "kernel"}, {"kernel": "poly"}, {"kernel": "rbf", "gamma": 0.05})
    for model in (SVM(), HSVM(), HRLS(), *(HM3(loss="htilde", scaling="sibling", **form) for form in forms)):
        model.use_tree(one.tree)
        model.fit(batch)
        predictions = model.scores(batch)
        found.update(predictions.scores.tobytes() + predictions.relevant.tobytes())
        for part in getattr(model, "curve", np.zeros(0)), predictions.scores:
            found.update(part.tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    print(_trees.level, bits())

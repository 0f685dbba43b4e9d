"""Prints the CPU level and a hash of all that boosting finds there: ``python -m oracles.boosted_bits``."""

import hashlib

import numpy as np

from telex.learners import AdaBoostMH, BatchBuilder, MPBoost, _boosting


def bits():
    rng = np.random.default_rng(1)
    builder = BatchBuilder()
    for _ in range(400):
        terms = {f"t{int(t)}": 1.0 for t in rng.zipf(1.3, 12) if t < 400}
        builder.add(terms, [c for c in ("a", "b", "c", "d") if f"t{ord(c) - 93}" in terms or rng.random() < 0.1])
    batch, found = builder.take(), hashlib.sha256()
    for make in (AdaBoostMH, MPBoost):
        for variant in ("R", "RA", "D"):
            model = make(rounds=60, variant=variant, threads=2)
            model.fit(batch)
            for part in (*model.save().values(), model.scores(batch).scores):
                found.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return found.hexdigest()


if __name__ == "__main__":
    print(_boosting.level, bits())

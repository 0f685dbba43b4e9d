"""MLPP gives the same bits on any number of threads: native/team.cpp."""

import random

import pytest
from oracles.compare import batch_of, digest
from oracles.kinds import DECODINGS

from telex.learners import MLPP, Events


@pytest.mark.parametrize("decode", DECODINGS)
@pytest.mark.parametrize("averaged", [False, True])
def test_the_number_of_threads_changes_no_bit(decode, averaged):
    rng = random.Random(8)
    labels = [f"L{i}" for i in range(120)]
    documents = [
        ({f"t{rng.randrange(30)}": rng.random() for _ in range(6)}, [labels[i % 120], *rng.sample(labels, 3)])
        for i in range(250)
    ]
    batch, found = batch_of(documents), set()
    for threads in (1, 2, 3):
        learner = MLPP(decode, averaged=averaged, threads=threads)
        found.add(digest(learner, learner.progress(Events(batch)), learner.scores(batch)))
    assert learner.known == 120
    assert len(found) == 1

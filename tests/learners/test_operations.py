"""Operations that the kernels count: those of the paper, seen from the labels known and from the weights that moved."""

import copy

import numpy as np
import pytest
from oracles import streams
from oracles.compare import batch_of

from telex.learners import BR, MLPP, MMP, Events
from telex.learners.base import UsageError
from telex.learners.shards.sharded_core import ShardedCores

PAPER = {"update": "perceptron", "ties": "first"}
STREAM = [(x, y) for x, y in streams.zipf(7, documents=120) if x and y]
PAIRS = [MLPP(**PAPER), MLPP("weighted", **PAPER), MLPP("votes+weight"), MLPP(storage="hybrid")]
LEARNERS = [BR(), MMP(), MMP("errsetsize", "proportional"), MMP("margin", "worst"), MMP(update="arow"), *PAIRS]
MOVED = {"br": ("weights", 1), "mmp": ("weights", 1), "mlpp": ("pairs", 0)}
"""Where a kernel's weights are among its arrays, and the columns before those of labels and pairs."""


def new(learner):
    made = copy.deepcopy(learner)
    made.count_operations()
    return made


def known_after(stream):
    """Return, document by document, how many labels had been met before it, and with it."""
    met, counts = set(), []
    for _, y in stream:
        before = len(met)
        met.update(y)
        counts.append((before, len(met)))
    return counts


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_perceptrons_are_counted_that_see_a_document(learner):
    made, pairwise = new(learner), isinstance(learner, MLPP)
    made.progress(Events(batch_of(STREAM), None))
    counts = known_after(STREAM)
    assert made.operations.predicted == sum(n * (n - 1) // 2 if pairwise else n for n, _ in counts)
    assert made.operations.tried == sum(
        len(y) * (n - len(y)) if pairwise else n for (_, n), (_, y) in zip(counts, STREAM, strict=True)
    )
    assert 0 < made.operations.moved <= made.operations.tried
    assert made.operations.training == made.operations.tried + made.operations.moved
    done = made.operations
    made.scores(batch_of(STREAM))
    n = made.known
    each = n * (n - 1) // 2 if pairwise else n
    assert made.operations == done._replace(predicted=done.predicted + each * len(STREAM))


@pytest.mark.parametrize(
    "learner",
    [BR(), BR(init="random"), MMP(), MMP("avgp", "random"), MMP(update="arow"), MLPP(**PAPER), MLPP()],
    ids=repr,
)
def test_perceptrons_are_counted_that_move(learner):
    name, first = MOVED[learner.kernel]
    made = copy.deepcopy(learner)
    made.learn(batch_of(STREAM))  # now all labels and features have their places
    made.count_operations()
    moved, before = 0, made.arrays()[name]
    width = None if first == 0 else first + made.known  # MMP's last may be that of a label that never came
    for row in range(len(STREAM)):
        made.learn(batch_of(STREAM).rows(row, row + 1))
        after = made.arrays()[name]
        moved += int((before != after)[:, first:width].any(axis=0).sum())
        before = after
    assert made.operations.moved == moved > 0
    assert made.operations.predicted == 0


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_cuts_and_ways_make_no_difference(learner):
    batch = batch_of(STREAM)
    whole, cut, each = new(learner), new(learner), new(learner)
    whole.progress(Events(batch, None))
    for start in range(0, len(batch), 7):
        cut.progress(Events(batch.rows(start, min(start + 7, len(batch))), None))
    assert cut.operations == whole.operations
    assert len(list(each.each(batch))) == len(batch)
    assert each.operations == whole.operations


def test_threads_make_no_difference():
    many = batch_of(streams.zipf(3, documents=200, features=80, labels=60))
    found = []
    for threads in (1, 3):
        made = new(MLPP(threads=threads, **PAPER))
        made.progress(Events(many, None))
        assert made.known * (made.known - 1) / 2 > 1024
        made.scores(many)
        found.append(made.operations)
    assert found[0] == found[1]


def test_counting_changes_nothing():
    batch = batch_of(STREAM)
    for learner in LEARNERS:
        plain, counting = copy.deepcopy(learner), new(learner)
        for one in (plain, counting):
            one.progress(Events(batch, None))
        ours, theirs = plain.arrays(), counting.arrays()
        assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_a_copy_does_not_count_and_counting_begins_again():
    made = new(BR())
    made.learn(batch_of(STREAM))
    for other in (copy.deepcopy(made), made.clone(), BR()):
        with pytest.raises(UsageError, match="counts no operations; call count_operations first"):
            _ = other.operations
    made.count_operations()
    assert made.operations == (0, 0, 0)


def test_shards_do_not_count():
    made = MLPP()
    made.use_cores(ShardedCores(2, lambda plan: None))
    with pytest.raises(UsageError, match="the shards of a learner count no operations"):
        made.count_operations()

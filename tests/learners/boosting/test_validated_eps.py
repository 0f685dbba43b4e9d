"""An eps chosen in three folds of the fitted documents, against a loop by hand."""

import numpy as np
import pytest

from telex.learners import AdaBoostLC, AdaBoostMH, BatchBuilder, BoostingMH, MPBoost
from telex.learners.base import UsageError
from telex.learners.boosting import SlidingCommittee
from telex.learners.boosting.validated_eps import CANDIDATES
from telex.learners.registry import learner
from telex.learners.selection import Selected

MAKERS = [AdaBoostMH, MPBoost, BoostingMH, AdaBoostLC]


def noisy(seed, documents=90, labels=3, single=True):
    rng, builder = np.random.default_rng(seed), BatchBuilder()
    for _ in range(documents):
        truth = int(rng.integers(labels))
        words = {f"w{truth}": 1.0} if rng.random() < 0.7 else {}
        words |= {f"n{k}": 1.0 for k in rng.integers(30, size=4).tolist()}
        builder.add(words, [f"c{truth}", *([] if single or rng.random() < 0.7 else ["other"])])
    return builder.take()


def mistakes(model, batch):
    """Wrong labels; of AdaBoost.LC the covering errors, for the covering ts."""
    said, found = model.scores(batch), 0
    for row in range(len(batch)):
        predicted, truth = set(said.set_of(row)), set(batch.labels_of(row))
        if isinstance(model, AdaBoostLC):
            found += bool(predicted - truth) + bool(truth - predicted)
        else:
            found += len(predicted ^ truth)
    return found


def by_hand(make, batch):
    fold, found = np.arange(len(batch)) % 3, {}
    for eps in CANDIDATES:
        found[eps] = 0
        for k in range(3):
            model = make(eps)
            model.fit(batch.take(np.flatnonzero(fold != k).astype(np.int32)))
            found[eps] += mistakes(model, batch.take(np.flatnonzero(fold == k).astype(np.int32)))
    return found


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_the_one_with_the_fewest_errors(make, seed):
    batch = noisy(seed, single=make is BoostingMH)
    more = {"covering": "ts"} if make is AdaBoostLC else {}
    found = by_hand(lambda eps: make(rounds=8, eps=eps, **more), batch)
    chosen, fixed = make(rounds=8, eps="cv", **more), make(rounds=8, eps=1.0, **more)
    chosen.fit(batch)
    least = [eps for eps, errors in found.items() if errors == min(found.values())]
    assert chosen.fitted_eps == least[0]
    assert len(set(found.values())) > 1
    fixed.eps = chosen.fitted_eps
    fixed.fit(batch)
    assert chosen.scores(batch).scores.tobytes() == fixed.scores(batch).scores.tobytes()
    assert (chosen.eps, fixed.errors(batch)) == ("cv", mistakes(fixed, batch))


def test_not_always_the_same_one_is_chosen():
    found = set()
    for seed in range(12):
        model = MPBoost(rounds=8, eps="cv")
        model.fit(noisy(seed, single=False))
        found.add(model.fitted_eps)
    assert len(found) > 1


@pytest.mark.parametrize("make", MAKERS)
def test_few_documents_get_the_usual_one(make):
    model = make(rounds=3, eps="cv")
    model.fit(noisy(1, documents=5))
    assert model.fitted_eps == 1.0


def test_a_label_that_no_training_part_has_is_an_error_of_the_covering():
    batch = noisy(1, documents=12)
    model, builder = AdaBoostLC(covering="hm", rounds=3), BatchBuilder()
    model.fit(batch)
    builder.add({}, ["new", "newer"])
    assert model.errors(builder.take()) == 2


def test_as_a_specification():
    assert learner("mpboost:eps=cv,rounds=5").eps == "cv"
    assert learner("adaboost-lc:eps=cv").eps == "cv"
    assert learner("boosting-mh:eps=0.5").eps == 0.5
    assert repr(learner("mpboost:eps=2")) == "MPBoost(rounds=1000, variant='R', threads=0, seed=0, eps=2.0)"
    assert learner("refit:model=adaboost-mh,model.eps=cv").model.eps == "cv"
    with pytest.raises(UsageError, match=r"eps of the learner mpboost cannot be 'x'; give a number or cv"):
        learner("mpboost:eps=x")
    for wrong in ("0", "-1", "inf", "nan"):
        with pytest.raises(UsageError, match="give a finite number above 0, for without it"):
            learner(f"mpboost:eps={wrong}")


def test_where_no_whole_fit_chooses_it():
    batch = noisy(1)
    for refused in (
        lambda: SlidingCommittee(MPBoost(eps="cv"), add=1, rounds=3),
        lambda: MPBoost(eps="cv").fit_part(batch, 0, 2),
        lambda: Selected(MPBoost(eps="cv"), terms=3, policy="local").fit(batch),
    ):
        with pytest.raises(UsageError, match="eps=cv chooses in a fit of all labels on all documents"):
            refused()

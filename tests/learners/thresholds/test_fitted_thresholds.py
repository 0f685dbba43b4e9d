"""A batch learner with thresholds learns them from documents on which it was not fitted."""

import copy
import pickle

import numpy as np
import pytest
from oracles.compare import batch_of, told
from oracles.streams import zipf

from telex.learners import BR, BatchLearner, Events, MPBoost
from telex.learners.base import UsageError, is_savable, reasons_of, undelayed_steps
from telex.learners.registry import learner
from telex.learners.thresholds import FittedThresholds, Thresholded
from telex.learners.thresholds.score_bins import ScoreBins
from telex.learners.trees import Tree, check_trees, give_tree
from telex.stream import Refit

BATCH = batch_of(zipf(13, documents=300, labels=6))
WAYS = ["micro", "macro", "rank:2", "meta", "sign"]


@pytest.mark.parametrize("decide", WAYS)
def test_scores_are_those_of_the_learner_fitted_on_all(decide):
    plain, model = MPBoost(rounds=5), learner(f"mpboost:rounds=5,decide={decide}")
    assert isinstance(model, FittedThresholds)
    assert isinstance(model, BatchLearner)
    plain.fit(BATCH)
    model.fit(BATCH)
    expected, found = plain.scores(BATCH), model.scores(BATCH)
    assert found.scores.tobytes() == expected.scores.tobytes()
    assert (told(found) == told(expected)) == (decide == "sign")
    assert (found.probabilities is not None) == (decide in {"micro", "macro"})
    loaded = learner(f"mpboost:rounds=5,decide={decide}")
    loaded.load(model.save())
    again = copy.deepcopy(model)
    again.fit(BATCH)
    for other in (loaded, again):
        assert told(other.scores(BATCH)) == told(found)
    one_by_one = [model.scores(BATCH.rows(row, row + 1)) for row in range(20)]
    assert [told(one)[0] for one in one_by_one] == told(found)[:20]


def test_thresholds_come_from_each_fifth_document():
    model, first, bins = learner("mpboost:rounds=5,decide=micro"), MPBoost(rounds=5), ScoreBins()
    model.fit(BATCH)
    rows = np.arange(300, dtype=np.int32)
    first.fit(BATCH.take(rows[rows % 5 != 4]))
    held_out = BATCH.take(rows[rows % 5 == 4])
    assert list(first.labels) == list(model.labels)
    bins.follow(first.scores(held_out), held_out, undelayed_steps(held_out), "micro")
    for name, array in model.save()["bins"].items():
        assert array.tobytes() == bins.save(len(model.labels))[name].tobytes()


def test_a_label_of_held_out_documents_alone():
    documents = [({"a": 1.0}, ["x"]), ({"b": 1.0}, ["y"])] * 10
    documents[4] = ({"a": 1.0, "b": 1.0}, ["x", "late"])
    model = learner("mpboost:rounds=3,decide=macro")
    model.fit(batch_of(documents))
    assert set(model.labels) == {"x", "y", "late"}
    found = model.scores(batch_of(documents))
    assert found.set_of(0) == ["x"]
    assert found.set_of(1) == ["y"]


def test_few_documents_teach_no_threshold():
    model = learner("mpboost:rounds=3,decide=micro")
    model.fit(batch_of([({"a": 1.0}, ["x"]), ({"b": 1.0}, ["y"])]))
    assert model.scores(BATCH.rows(0, 1)).known.tolist() == [2]
    assert is_savable(model)


def test_in_a_refit_and_around_it():
    documents = batch_of(zipf(17, documents=400, labels=6))
    inside = learner("refit:model=mpboost,every=100,model.rounds=5,model.decide=micro")
    around = learner("refit:model=mpboost,every=100,model.rounds=5,decide=micro")
    plain = learner("refit:model=mpboost,every=100,model.rounds=5")
    assert isinstance(inside, Refit)
    assert isinstance(around, Thresholded)
    sets = [told(one.progress(Events(documents)))[300:] for one in (inside, around, plain)]
    assert [[scores for scores, _ in one] for one in sets[:2]] == [[scores for scores, _ in sets[2]]] * 2
    assert len({repr(one) for one in sets}) == 3


@pytest.mark.parametrize("decide", WAYS)
def test_closed_sets(decide):
    labels = sorted(BATCH.label_names)
    tree = Tree.of([(label, labels[n // 2] if n > 1 else None) for n, label in enumerate(labels)])
    plain = learner(f"mpboost:rounds=5,decide={decide}")
    spec = f"mpboost:rounds=5,decide={decide},tree=project"
    model = learner(spec)
    with pytest.raises(UsageError, match="give it by --tree"):
        model.scores(BATCH)
    give_tree(model, tree)
    plain.fit(BATCH)
    model.fit(BATCH)
    before, found = plain.scores(BATCH), model.scores(BATCH)
    assert found.scores.tobytes() == before.scores.tobytes()
    assert all(tree.is_closed(found.set_of(k)) for k in range(len(found)))
    assert not all(tree.is_closed(before.set_of(k)) for k in range(len(before)))
    loaded = learner(spec)
    loaded.load(model.save())
    for other in (loaded, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert told(other.scores(BATCH)) == told(found)
    assert repr(model).endswith(f"{decide!r}, None, 'project')")


def test_the_model_of_a_refit_is_given_the_tree():
    documents = batch_of(zipf(17, documents=400, labels=6))
    labels = sorted(documents.label_names)
    tree = Tree.of([(label, labels[n // 2] if n > 1 else None) for n, label in enumerate(labels)])
    around = learner("refit:model=mpboost,every=100,model.rounds=5,tree=project")
    inside = learner("refit:model=mpboost,every=100,model.rounds=5,model.tree=project")
    found = []
    for one in (around, inside):
        with pytest.raises(UsageError, match="give it by --tree"):
            check_trees([one])
        give_tree(one, tree)
        check_trees([one])
        found.append(one.progress(Events(documents)))
        known = [set(list(found[-1].labels)[:number]) for number in found[-1].known]
        sets = [set(found[-1].set_of(k)) for k in range(400)]
        assert all(set(tree.path(c)) & known[k] <= one for k, one in enumerate(sets) for c in one)
    assert [one.scores.tobytes() for one in found[:1]] == [one.scores.tobytes() for one in found[1:]]


def test_reasons_are_those_of_the_learner():
    model = learner("mpboost:rounds=5,decide=micro")
    model.fit(BATCH)
    mine, theirs = (reasons_of(one, BATCH, 3) for one in (model, model.learner))
    assert mine.contributions.tolist() == theirs.contributions.tolist()


def test_an_online_learner_is_none():
    with pytest.raises(UsageError, match=r"take Thresholded\(learner\)"):
        FittedThresholds(BR())

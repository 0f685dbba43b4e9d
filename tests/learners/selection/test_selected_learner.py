"""The step before a batch learner: it sees the chosen terms and no others, and all else is its own."""

import copy
import pickle

import numpy as np
import pytest
from batch_models.following import positive_batch, told
from batch_models.models import Centroids
from oracles import streams
from oracles.boosting import Boosting
from oracles.compare import batch_of

from telex.learners import MMP, AdaBoostLC, AdaBoostMH, BatchLearner, MPBoost, Selected, learners
from telex.learners.base import InputError, UsageError, is_savable
from telex.learners.registry import learner
from telex.learners.selection import best_of_each
from telex.learners.selection.selected_learner import keep_terms

MAKERS = {
    "mpboost": lambda: MPBoost(rounds=9),
    "adaboost-mh": lambda: AdaBoostMH(rounds=9),
    "adaboost-lc": lambda: AdaBoostLC(rounds=9),
    "plain": Centroids,
}
ANY = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@pytest.fixture(scope="module")
def batch():
    return positive_batch(streams.zipf(5, labels=6))


@ANY
@pytest.mark.parametrize("policy", ["global", "pooled"])
@pytest.mark.parametrize("by", ["ig", "rocchio", "df"])
def test_the_model_is_fitted_on_the_chosen_terms(make, policy, by, batch):
    selected, alone = Selected(make(), by=by, terms=4, policy=policy), make()
    assert isinstance(selected, BatchLearner)
    window, rest = batch.rows(0, 200), batch.rows(200, 300)
    selected.fit(window)
    chosen = selected.chosen(window)
    assert len(chosen) == 4 if policy == "global" or by == "df" else 4 <= len(chosen) <= 24
    alone.fit(keep_terms(window, chosen))
    assert list(selected.labels) == list(alone.labels)
    assert told(selected.scores(rest)) == told(alone.scores(rest)) == told(alone.scores(keep_terms(rest, chosen)))


def test_ids_stay_and_nothing_else_is_dropped(batch):
    window = batch.rows(50, 90)
    kept = keep_terms(window, np.array([0, 3], np.int32))
    for row in range(len(window)):
        span, left = (slice(one.indptr[row], one.indptr[row + 1]) for one in (window, kept))
        pairs = zip(window.features[span].tolist(), window.values[span].tolist(), strict=True)
        expected = [(f, v) for f, v in pairs if f in {0, 3}]
        assert list(zip(kept.features[left].tolist(), kept.values[left].tolist(), strict=True)) == expected
    assert kept.labels is window.labels


@ANY
def test_copies_and_pickles_are_as_good(make, batch):
    window = batch.rows(0, 120)
    model = Selected(make(), terms=5)
    copies = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    for one in (model, *copies):
        one.fit(window)
    copies += [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    assert all(one.model is not model.model for one in copies)
    assert all(told(one.scores(batch)) == told(model.scores(batch)) for one in copies)


def test_it_can_do_what_its_model_can(batch):
    model = Selected(MPBoost(rounds=9), terms=5)
    model.fit(batch)
    assert len(model.model.rounds_of(model.labels[0])) == 9
    assert model.reasons(batch, 0).contributions.shape[1] == 6
    assert told(model.staged_scores(batch, 3)) == told(model.model.staged_scores(batch, 3))
    assert (model.rounds, is_savable(model)) == (9, True)
    plain = Selected(Centroids())
    plain.fit(batch)
    assert (plain.rounds, plain.reasons(batch, 0), plain.files, is_savable(plain)) == (None, None, (), False)
    with pytest.raises(InputError, match="Centroids has no rounds to stop after; ask for its scores"):
        plain.staged_scores(batch, 3)
    with pytest.raises(
        UsageError, match="the model Centroids cannot be stored in a checkpoint: it has no save and load"
    ):
        plain.save()


# -- each label's own terms


def test_each_label_chooses_among_its_own(batch):
    model = Selected(MPBoost(rounds=30), terms=3, policy="local")
    model.fit(batch)
    best = best_of_each(batch, "ig", 3)
    names = [batch.label_names[i] for i in np.unique(batch.labels)]
    assert list(model.labels) == names
    for name, own in zip(names, best, strict=True):
        assert {stump.pivot for stump in model.model.rounds_of(name)} <= set(own.tolist())
    assert model.chosen(batch).tolist() == sorted({f for own in best for f in own.tolist()})


@pytest.mark.parametrize("variant", ["R", "RA", "D"])
def test_own_terms_are_those_of_the_paper(variant, batch):
    """A slow MP-Boost of one label, on its own terms, with the eps and the weights that it has among all."""
    window = batch.rows(0, 150)
    model, best = MPBoost(rounds=12, variant=variant), best_of_each(window, "ig", 4)
    model.fit_own(window, best)
    dense = np.zeros((150, len(batch.feature_names)), bool)
    for row in range(150):
        dense[row, window.features[window.indptr[row] : window.indptr[row + 1]]] = True
    for column, own in enumerate(best):
        ids = sorted(own.tolist(), key=lambda f: str(batch.feature_names[f]))
        phi = [[model.labels[column] in window.labels_of(row)] for row in range(150)]
        slow = Boosting(dense[:, ids], phi, variant, multiple=True)
        slow.eps = 1 / (150 * len(best))
        slow.weights[:] = slow.eps
        slow.run(12)
        assert model.committee.pivots[:, column].tolist() == [ids[one[0]] for one in slow.pivots]
        np.testing.assert_allclose(model.committee.present[:, column], np.array(slow.a1)[:, 0], rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(model.committee.absent[:, column], np.array(slow.a0)[:, 0], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("variant", ["R", "RA", "D"])
def test_all_terms_of_ones_own_are_as_good_as_all(variant, batch):
    whole, own = (MPBoost(rounds=25, variant=variant, threads=threads) for threads in (1, 3))
    whole.fit(batch)
    own.fit_own(batch, [np.arange(len(batch.feature_names), dtype=np.int32)] * 6)
    for name, array in whole.save().items():
        if name != "labels":
            np.testing.assert_array_equal(array, own.save()[name])


def test_a_label_without_a_term_of_its_own():
    """All documents have x: no term predicts it."""
    batch = batch_of([({"a": 1.0}, ["x"]), ({"b": 1.0}, ["x", "y"])])
    model = Selected(MPBoost(rounds=3), terms=2, policy="local")
    model.fit(batch)
    assert [stump.pivot for stump in model.model.rounds_of("x")] == [-1, -1, -1]
    assert [model.scores(batch).set_of(k) for k in range(2)] == [["x"], ["x", "y"]]
    with pytest.raises(InputError, match="terms for 1 labels, but the batch has 2"):
        MPBoost().fit_own(batch, [np.zeros(1, np.int32)])


# -- as it is asked for


def test_by_its_specification():
    spec = "refit:model=select,every=5000,model.model=mpboost,model.by=df,model.terms=70,model.model.rounds=20"
    made = learner(spec, 7).model
    assert repr(made) == (
        "Selected(MPBoost(rounds=20, variant='R', threads=0, seed=7), by='df', terms=70, policy='global')"
    )
    assert learner("select:model=adaboost-lc,model.covering=ts").model.covering == "ts"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("refit:model=select", "the learner select needs model=NAME"),
        ("refit:model=select,model.model=mmp", "MMP learns one by one, without a fit to choose terms for; try select:"),
        ("refit:model=select,model.model=mpboost,model.by=idf", r"'idf' \(did you mean 'df'\?\); give one of ig, roc"),
        ("refit:model=select,model.model=mpboost,model.terms=0", "terms is 0; give 1 or more"),
        ("refit:model=select,model.model=adaboost-mh,model.policy=local", "AdaBoostMH uses the same terms for all"),
        ("select:model=mpboost", "select learns a window at once, not a stream; try refit:model=select"),
    ],
)
def test_errors_name_what_is_wrong(spec, message):
    with pytest.raises(UsageError, match=message):
        learners([spec])


@pytest.mark.parametrize("wrong", [{"by": "tf"}, {"policy": "locale"}])
def test_from_python_too(wrong):
    with pytest.raises(UsageError, match="choose one of"):
        Selected(MPBoost(), **wrong)
    with pytest.raises(UsageError, match="MMP learns one by one"):
        Selected(MMP())

"""The step that chooses terms, before any batch learner that is refitted on a window: ours or scikit-learn's.

It is learners/selection/selected_learner.py, with models that are not of the learners' layer.
"""

from dataclasses import replace

import pytest
from batch_models.following import met_anew, positive_batch, through_json, told, told_by_row, without_clock
from batch_models.models import Centroids
from oracles import streams

from telex.adapters.sklearn.family import SklearnModel
from telex.learners import AdaBoostLC, AdaBoostMH, Events, MPBoost, Names, Selected
from telex.learners.base import is_savable
from telex.learners.selection import keep_terms
from telex.stream import Refit

MAKERS = {
    "mpboost": lambda: MPBoost(rounds=9),
    "adaboost-mh": lambda: AdaBoostMH(rounds=9),
    "adaboost-lc": lambda: AdaBoostLC(rounds=9),
    "LinearSVC": lambda: SklearnModel("LinearSVC"),
    "MultinomialNB": lambda: SklearnModel("MultinomialNB"),
    "plain": Centroids,
}
ANY = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@pytest.fixture(scope="module")
def batch():
    return positive_batch(streams.zipf(5, labels=6))


@pytest.mark.parametrize("name", ["LinearSVC", "MultinomialNB"])
@pytest.mark.parametrize("by", ["ig", "rocchio", "df"])
def test_scikit_learn_is_fitted_on_the_chosen_terms(name, by, batch):
    selected, alone = Selected(SklearnModel(name), by=by, terms=4), SklearnModel(name)
    window, rest = batch.rows(0, 200), batch.rows(200, 300)
    selected.fit(window)
    chosen = selected.chosen(window)
    assert len(chosen) == 4
    alone.fit(keep_terms(window, chosen))
    assert told(selected.scores(rest)) == told(alone.scores(rest)) == told(alone.scores(keep_terms(rest, chosen)))
    assert not is_savable(selected)


@ANY
def test_refitted_it_follows_a_stream_and_is_stored(make, batch):
    """Every cut, a checkpoint on the way, and a model fitted where names are not known: the same to the bit."""

    def fresh():
        return Refit(Selected(make(), terms=5), every=60, window=100)

    whole = fresh()
    expected = told_by_row(whole.progress(Events(batch)))
    assert whole.state.refits == 5
    cut, found = fresh(), []
    for start, stop in [(0, 1), (1, 130), (130, 131), (131, 300)]:
        found += [(start + row, one) for row, one in told_by_row(cut.progress(Events(batch.rows(start, stop))))]
    assert found == expected
    first, second = fresh(), fresh()
    first.progress(Events(batch.rows(0, 170)))
    second.load(through_json(first.save()))
    rest = met_anew(batch).rows(170, 300)
    assert told(second.progress(Events(rest))) == [one for _, one in expected[170:]]
    assert without_clock(second.take_events())[-1]["document"] == 300
    nameless = Selected(make(), terms=5)
    nameless.fit(replace(batch.rows(200, 300), feature_names=Names()))
    named = Selected(make(), terms=5)
    named.fit(batch.rows(200, 300))
    if not isinstance(nameless.model, (MPBoost, AdaBoostMH)):  # whose own ties are decided by name
        assert told(nameless.scores(batch)) == told(named.scores(batch))
    assert nameless.chosen(batch).tolist() == named.chosen(batch).tolist()


def test_in_the_background(batch):
    model = Refit(Selected(SklearnModel("LinearSVC"), terms=5), every=60, window=100, mode="background")
    try:
        model.progress(Events(batch.rows(0, 60)))
        model.settle()
        here = Selected(SklearnModel("LinearSVC"), terms=5)
        here.fit(batch.rows(0, 60))
        found = {name: score for name, (score, _) in told(model.scores(batch.rows(60, 61)))[0].items()}
        assert found == {name: score for name, (score, _) in told(here.scores(batch.rows(60, 61)))[0].items()}
    finally:
        model.close()

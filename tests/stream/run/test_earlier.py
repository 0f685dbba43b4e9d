import pickle

import pytest

from telex.learners import BR, MLPP, MMP, MPBoost
from telex.learners.base import UsageError
from telex.stream.refit import Refit
from telex.stream.run.earlier import recall_parameters
from telex.stream.run.settings import check_settings, describe

THEN = {"kind": "mlpp", "decode": "votes", "init": "zero", "averaged": False, "threads": 0, "seed": 0}


@pytest.mark.parametrize("then", [THEN, {**THEN, **MLPP.earlier}])
def test_a_run_goes_on_as_the_learner_that_it_began_with(then):
    learner = MLPP()
    settings = recall_parameters({"window": 20, "learner pairs": then}, {"pairs": learner})
    assert {name: getattr(learner, name) for name in MLPP.earlier} == MLPP.earlier
    check_settings(settings, {"window": 20, "learner pairs": describe(learner)})


def test_other_parameters_stay_and_are_refused():
    learner = MLPP(update="arow")
    settings = recall_parameters({"learner pairs": THEN}, {"pairs": learner})
    assert (learner.update, learner.ties) == ("arow", "first")
    with pytest.raises(UsageError, match="another learner pairs"):
        check_settings(settings, {"learner pairs": describe(learner)})


def test_a_run_of_now_keeps_what_it_says():
    learner = MLPP()
    then = {"learner pairs": describe(MLPP()), "learner br": describe(BR())}
    assert recall_parameters(then, {"pairs": learner, "br": BR()}) == then
    assert learner.update == "pa"


@pytest.mark.parametrize("then", [{}, {"learner pairs": None}, {"learner pairs": {**THEN, "kind": "mmp"}}])
def test_a_learner_that_the_run_had_not_stays_as_it_is(then):
    learner = MLPP()
    assert recall_parameters(then, {"pairs": learner, "other": object()}) == then
    assert learner.update == "pa"


def test_an_older_pickle():
    learner = MMP(init="random")
    del learner.init_scale
    assert pickle.loads(pickle.dumps(learner)).init_scale == 1.0


def test_a_model_that_is_refitted_goes_on_too():
    stump = {"kind": "mpboost", "rounds": 9, "variant": "R", "threads": 0, "seed": 0}
    refit = Refit(MPBoost(rounds=9), every=5, window=10)
    then = {**describe(refit), "model": stump}
    settings = recall_parameters({"learner it": then}, {"it": refit})
    assert settings["learner it"]["model"] == {**stump, "eps": 1.0}
    check_settings(settings, {"learner it": describe(refit)})

"""The native core's kernels by name, and their options: native/kernels and native/options.hpp have no Python module."""

import numpy as np
import pytest

from telex.learners import AROW, BR, MLPP, MMP, NB, PA, PLT, Chain, Last, Logistic, Prior, Uneven, _core
from telex.learners.base import UsageError
from telex.learners.native_learner import NativeLearner

OPTIONS = {
    "br": {"init": "zero", "init_scale": 0.05, "averaged": False},
    "mmp": {
        "loss": "iserr",
        "penalty": "uniform",
        "update": "perceptron",
        "r": 1.0,
        "init": "zero",
        "init_scale": 0.05,
        "averaged": False,
    },
    "mlpp": {
        "decode": "votes",
        "update": "pa",
        "C": 3.0,
        "r": 0.1,
        "ties": "half",
        "init": "zero",
        "init_scale": 0.05,
        "averaged": False,
        "mean": "own",
        "storage": "float32",
        "threads": 0,
    },
    "arow": {"r": 0.1, "bias": 0.1},
    "pa": {"C": 3.0, "variant": "II", "bias": 0.1},
    "logistic": {"eta": 10.0, "steps": "adagrad", "bias": 0.1},
    "uneven": {"tau_plus": 1.0, "tau_minus": 0.3, "bias": 0.1},
    "chain": {"model": "arow", "order": "frequency", "link": 0.5, "r": 0.1, "bias": 0.1},
    "plt": {"top": 20, "arity": 32, "eta": 10.0, "steps": "adagrad", "bias": 0.1},
    "nb": {"variant": "dirichlet", "alpha": 0.05, "counts": "unit"},
    "prior": {},
    "last": {},
}


@pytest.mark.parametrize("kernel", OPTIONS)
def test_a_kernel_takes_its_options_by_name(kernel):
    assert _core.Core(kernel, OPTIONS[kernel], 0).known == 0


@pytest.mark.parametrize("learner", [AROW, BR, Chain, MMP, MLPP, PA, PLT, Logistic, Uneven, NB, Prior, Last])
def test_the_parameters_of_a_learner_are_the_options_of_its_kernel(learner):
    params = learner()._get_params()
    assert params.pop("seed") == 0
    assert params.pop("label_limit", None) is None  # of the run, not of the kernel
    assert params == OPTIONS[learner.kernel]


def test_an_unknown_kernel():
    with pytest.raises(UsageError, match=r"there is no kernel 'mpm'; choose one of .*last, .*mmp"):
        _core.Core("mpm", {}, 0)


@pytest.mark.parametrize(
    ("kernel", "change", "message"),
    [
        (
            "mmp",
            {"los": "iserr"},
            "the kernel mmp has no option 'los'; choose one of loss, penalty, averaged, init, init_scale",
        ),
        ("mlpp", {"parts": 2, "part": 2}, "part is 2; give the number of a part, from 0"),
        ("nb", {"alpha": 0}, "alpha is 0; give a number from 0.000001 to 1000000"),
        ("last", {1: 1}, "the kernel last has no option '1'; it has none"),
        ("mmp", {"loss": "iser"}, "loss is 'iser'; choose one of iserr, errsetsize, margin, avgp"),
        ("mmp", {"penalty": None}, "penalty is None; choose one of uniform, proportional, random, worst"),
        ("mmp", {"loss": "avgpé\ud800"}, "loss is 'avgpé.*choose one of iserr"),
        ("br", {"averaged": 1}, "averaged is 1; give True or False"),
        ("br", {"init": "zero\0"}, "init is 'zero.x00'; choose one of zero, random"),
        ("mmp", {"update": "arow", "averaged": True}, "update is 'arow'; choose one of perceptron"),
        ("mmp", {"update": "arow", "loss": "avgp"}, "loss is 'avgp'; choose one of iserr"),
        ("mmp", {"update": "arow", "penalty": "worst"}, "penalty is 'worst'; choose one of uniform"),
        ("mmp", {"update": "arow", "init": "random"}, "init is 'random'; choose one of zero"),
        ("br", {"init_scale": 0}, "init_scale is 0; give a number from 1e-6 to 1e6"),
        ("mlpp", {"update": "pegasos"}, "update is 'pegasos'; choose one of perceptron, pa, arow"),
        ("mlpp", {"update": "arow", "averaged": True}, "update is 'arow'; choose one of perceptron, pa"),
        ("mlpp", {"ties": "second"}, "ties is 'second'; choose one of first, half"),
        ("mlpp", {"mean": "all"}, "mean is 'all'; choose one of own, documents"),
        ("mlpp", {"C": -1.0}, r"C is -1\.0; give a number from 1e-6 to 1e6"),
        ("mlpp", {"r": float("inf")}, "r is inf; give a number from 1e-6 to 1e6"),
        ("mlpp", {"threads": 65}, "threads is 65; give 1 to 64, or 0 for as many as pay"),
        ("mlpp", {"threads": -1}, "threads is -1; give 1 to 64, or 0 for as many as pay"),
        ("mlpp", {"threads": 2**70}, "threads is 11805.*; give 1 to 64"),
        ("mlpp", {"threads": True}, "threads is True; give 1 to 64"),
        ("mlpp", {"threads": 2.0}, r"threads is 2\.0; give 1 to 64"),
        ("arow", {"r": 0.0}, r"r is 0\.0; give a number from 1e-6 to 1e6"),
        ("arow", {"r": float("nan")}, "r is nan; give a number"),
        ("arow", {"r": 10**400}, "r is 1000.*; give a number"),
        ("arow", {"r": True}, "r is True; give a number"),
        ("arow", {"r": "0.1"}, r"r is '0\.1'; give a number"),
        ("arow", {"r": 1j}, "r is 1j; give a number"),
        ("arow", {"bias": -0.1}, r"bias is -0\.1; give a number from 0 to 1e6"),
        ("pa", {"C": 0}, "C is 0; give a number from 1e-6 on, or inf"),
        ("chain", {"order": "random"}, "order is 'random'; choose one of frequency, appearance"),
        ("chain", {"model": "br"}, "model is 'br'; choose one of arow"),
        ("plt", {"arity": 1}, "arity is 1; give a number from 2 to 64"),
        ("plt", {"arity": 65}, "arity is 65; give a number from 2 to 64"),
        ("plt", {"top": 0}, "top is 0; give a number from 1 to 16777216"),
        ("plt", {"steps": "newton"}, "steps is 'newton'; choose one of adagrad, sqrt, constant"),
        ("uneven", {"tau_plus": float("inf")}, "tau_plus is inf; give a number from -1e6 to 1e6"),
        ("mlpp", {"threads": 65, "decode": "vote"}, "decode is 'vote'; choose one of votes, weighted, votes.weight"),
    ],
)
def test_a_wrong_option(kernel, change, message):
    with pytest.raises(UsageError, match=message):
        _core.Core(kernel, OPTIONS[kernel] | change, 0)


def test_a_missing_option():
    with pytest.raises(UsageError, match="the kernel br needs the option 'averaged'; give it a value"):
        _core.Core("br", {"init": "zero", "init_scale": 1.0}, 0)


def test_a_number_of_numpy_is_a_number():
    assert _core.Core("mlpp", OPTIONS["mlpp"] | {"threads": np.int64(2)}, 0).known == 0
    for r in (np.float32(0.5), np.float64(0.5), np.int64(2), 2):
        assert _core.Core("arow", OPTIONS["arow"] | {"r": r}, 0).known == 0


def test_options_decide_though_the_dict_that_gave_them_changes():
    options = dict(OPTIONS["br"])
    core = _core.Core("br", options, 0)
    options["init"] = "none"
    core.unpack(core.pack())
    with pytest.raises(UsageError):
        _core.Core("br", options, 0)


def test_what_a_subclass_calls_otherwise_is_refused_at_the_first_use():
    class Odd(NativeLearner):
        kernel = "br"

        def __init__(self, weights="zero", averaged=False, seed=0):
            self.weights, self.averaged, self.seed = weights, averaged, seed

    with pytest.raises(UsageError, match="the kernel br needs the option 'init'"):
        Odd().learn_one({"a": 1.0}, ["x"])

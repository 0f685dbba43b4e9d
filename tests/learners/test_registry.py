"""Learners and losses by name."""

import subprocess
import sys
import types
from typing import Literal

import pytest

from telex.learners import AROW, BR, MLPP, MMP, NB
from telex.learners.base import UsageError
from telex.learners.losses import LOSSES
from telex.learners.registry import (
    Parameter,
    describe_learners,
    describe_losses,
    learner,
    learner_names,
    learners,
    parameters,
    usual_losses,
)


def test_specifications():
    made = learner("mmp:loss=avgp,penalty=worst,averaged=true,seed=5")
    assert type(made) is MMP
    assert (made.loss, made.penalty, made.averaged, made.init, made.seed) == (
        "avgp",
        "worst",
        True,
        "zero",
        5,
    )
    assert learner("mlpp:decode=votes+weight, threads=2").decode == "votes+weight"


def test_the_seed_is_for_those_that_name_none():
    made = learners(["mmp", "x=br:seed=1"], seed=7)
    assert {name: one.seed for name, one in made.items()} == {"mmp": 7, "x": 1, "prior": 7, "last": 7}


def test_the_usual_learners_and_the_baselines():
    assert list(learners([])) == ["arow", "mlpp", "mmp", "br", "nb", "prior", "last"]
    assert [type(one) for one in learners([], baselines=False).values()] == [AROW, MLPP, MMP, BR, NB]
    assert list(learners(["last", "p=prior"])) == ["last", "p", "prior"]


def test_aliases():
    assert list(learners(["mmp:loss=avgp", "a=mmp:loss=avgp"], baselines=False)) == ["mmp:loss=avgp", "a"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "mmmp",
            r"no learner 'mmmp' \(did you mean 'mmp'\?\); choose one of br, mmp, mlpp, arow, pa, .*nb, prior, last",
        ),
        ("mmp:los=iserr", r"no parameter 'los' \(did you mean 'loss'\?\); choose one of loss, penalty"),
        (
            "mmp:loss=iser",
            r"loss of the learner mmp cannot be 'iser' \(did you mean 'iserr'\?\); give one of iserr,",
        ),
        ("mmp:averaged=perhaps", "give true or false"),
        ("br:seed=1.5", "give a whole number"),
        ("br:seed", "is no key=value; try key=value,key=value"),
        ("br:seed=1,seed=2", "'seed' is given twice"),
        ("=br", "has no name before '='; try name=br"),
        ("", "there is no learner ''"),
    ],
)
def test_errors_name_what_is_wrong(spec, message):
    with pytest.raises(UsageError, match=message):
        learners([spec])


def test_names_cost_no_imports():
    code = "import sys\nfrom telex.learners.registry import learner_names\nassert 'mmp' in learner_names()\n"
    code += "sys.exit(', '.join({'numpy', 'river', 'scipy', 'telex.learners._core'} & sys.modules.keys()) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("odd")
def test_another_package_may_replace_one_of_ours(monkeypatch):
    theirs, ours = (
        types.SimpleNamespace(name="br", value="theirs:BR"),
        types.SimpleNamespace(name="br", value="telex.x:BR"),
    )
    monkeypatch.setattr("telex.learners.registry.entry_points", lambda group: [theirs, ours])
    assert learner_names() == {"br": "theirs:BR"}


def test_one_name_twice():
    with pytest.raises(UsageError, match="two learners have the name 'mmp'; give one another"):
        learners(["mmp", "mmp"])


class Odd:
    """A class of another package. It has more kinds of parameters."""

    def __init__(self, rate: float = 0.5, depth: int | None = None, mode: Literal["a", 2] = "a", plain="x", size=3):
        if rate < 0:
            raise ValueError("rate must not be negative")
        self.rate, self.depth, self.mode, self.plain, self.size = rate, depth, mode, plain, size


class Point:
    name, value = "odd", f"{__name__}:Odd"


@pytest.fixture
def odd(monkeypatch):
    monkeypatch.setattr(
        "telex.learners.registry.entry_points", lambda group: [Point] if group == "telex.learners" else []
    )
    monkeypatch.setattr("telex.learners.registry.load_object", lambda place: Odd if place.endswith(":Odd") else MMP)


@pytest.mark.usefixtures("odd")
def test_learners_of_other_packages():
    made = learner("odd:rate=2,depth=none,mode=2,plain=1,size=4")
    assert (made.rate, made.depth, made.mode, made.plain, made.size) == (2.0, None, 2, "1", 4)
    assert learner("odd:depth=3").depth == 3
    assert describe_learners()["odd"]["summary"] == "A class of another package."
    with pytest.raises(UsageError, match=r"give a whole number or none"):
        learner("odd:depth=deep")
    with pytest.raises(UsageError, match="cannot be made: rate must not be negative; see `telex learners odd`"):
        learner("odd:rate=-1")


@pytest.mark.parametrize("value", ["no_such_package:Odd", f"{__name__}:Missing", "telex_leaves:Odd"])
def test_a_package_that_cannot_be_loaded_harms_no_other_learner(value, monkeypatch, tmp_path):
    (tmp_path / "telex_leaves.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    broken = types.SimpleNamespace(name="odd", value=value)
    points = [broken, types.SimpleNamespace(name="mmp", value="telex.learners.mmp:MMP")]
    monkeypatch.setattr("telex.learners.registry.entry_points", lambda group: points)
    with pytest.raises(UsageError, match=f"{value} of an installed package cannot be loaded .*; mend that package"):
        learner("odd")
    found = describe_learners()
    assert "cannot be loaded" in found["odd"]["summary"]
    assert found["mmp"]["parameters"]
    assert isinstance(learner("mmp"), MMP)


def test_parameters_are_described():
    assert parameters(MMP)["loss"] == Parameter("loss", "iserr", (str,), ("iserr", "errsetsize", "margin", "avgp"))
    ours = ["br", "mmp", "mlpp", "arow", "pa", "logistic", "uneven", "chain", "plt"]
    ours += ["hrls-online", "nb", "prior", "last", "adaboost-mh", "mpboost"]
    found = describe_learners(ours)
    assert list(found) == list(describe_learners())[: len(ours)] == ours
    for name, one in found.items():
        assert one["summary"].endswith("."), name
        assert "[^" not in one["summary"]
        assert one["parameters"]["seed"]["default"] == 0


def test_a_parameter_of_which_only_the_default_is_known():
    def reads(default, *texts):
        return [Parameter.from_default("x", default).read(text) for text in texts]

    assert reads(1.0, "2", "none", "auto") == [2.0, None, "auto"]
    assert reads(True, "false", "auto") == [False, "auto"]
    assert reads(5, "7", "0.5", "sqrt") == [7, 0.5, "sqrt"]
    assert reads(None, "3", "0.5", "balanced", "true") == [3, 0.5, "balanced", True]
    assert reads("scale", "0.5", "auto", "none") == [0.5, "auto", None]
    assert isinstance(reads(1.0, "2")[0], float)


def test_losses_are_described():
    found = describe_losses()
    along = ["l_h", "l_h_uniform", "l_h_subtree", "l_htilde", "l_htilde_uniform", "l_htilde_subtree"]
    assert [name for name, loss in found.items() if loss["tree"]] == [*along, "hierarchical_f1", "invalid"]
    assert [name for name, loss in found.items() if not loss["tree"]][: len(LOSSES)] == list(LOSSES)
    assert {name for name, loss in found.items() if loss["best"] == 1 and not loss["optional"]} == {
        "avgp", "example_f1", "hierarchical_f1",
        "micro_precision", "micro_recall", "micro_f1", "macro_f1", "macro_f1_present",
    }  # fmt: skip
    assert all(loss["summary"].endswith(".") for loss in found.values())


def test_runs_measure_the_usual_losses_and_those_that_are_named():
    usual = list(usual_losses())
    assert usual == [name for name, loss in LOSSES.items() if not loss.optional]
    assert {"iserr", "ranking_loss", "example_f1"} < set(usual)
    assert set(usual_losses(["ndcg5", "iserr"])) == {*usual, "ndcg5"}
    assert list(usual_losses(["all"])) == list(LOSSES)
    with pytest.raises(
        UsageError, match=r"no loss 'ndcg4' \(did you mean 'ndcg5'\?\); choose all, or some of accuracy, prec1"
    ):
        usual_losses(["ndcg4"])

"""Learners of the layers above, by name: as the package declares them to the registry.

No module of its own: the entry points are in pyproject.toml.
"""

import importlib
import json
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from telex.adapters.cli.main import main
from telex.adapters.river.family import RiverLearner
from telex.adapters.sklearn.family import SklearnModel
from telex.learners import MMP, describe_learners, learners
from telex.learners.base import UsageError
from telex.learners.registry import learner, parse_spec
from telex.stream import Refit

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def declared(monkeypatch):
    """The entry points as pyproject.toml has them, whether this checkout is installed or not."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    points = [EntryPoint(name, value, group) for group in table for name, value in table[group].items()]
    monkeypatch.setattr(
        "telex.learners.registry.installed.entry_points", lambda group: [one for one in points if one.group == group]
    )


def test_refit():
    made = learner(
        "refit:model=sklearn:LinearSVC,every=2h,window=300,after=50,mode=background,timeout=10m,model.C=3,model.dual=true",
        7,
    )
    assert isinstance(made, Refit)
    assert (made.every, made.window, made.after, made.timeout, made.mode, made.seed) == (
        "2h",
        300,
        50,
        "10m",
        "background",
        7,
    )
    assert isinstance(made.model, SklearnModel)
    assert made.model.parameters == {"C": 3.0, "dual": True}
    assert made.model.seed == made.model._new.random_state == 7
    assert learner("refit:model=sklearn:LinearSVC,model.seed=3,seed=4", 7).model.seed == 3


def test_a_model_with_parameters_of_its_own_specification():
    made = learner("refit:model=sklearn:LinearSVC:C=3,model.tol=0.01,every=7")
    assert made.model.parameters == {"C": 3.0, "tol": 0.01}
    assert made.every == 7


def test_river():
    made = learner("river:linear_model.PAClassifier:C=0.1,mode=2", 5)
    assert isinstance(made, RiverLearner)
    assert (made.estimator.C, made.estimator.mode, made.seed) == (0.1, 2, 5)
    assert learner("river:forest.ARFClassifier:n_models=3", 5).estimator.seed == 5


def test_names_and_aliases():
    given = ["river:linear_model.PAClassifier:C=0.1", "pa=river:linear_model.PAClassifier:C=0.1"]
    given += ["refit:model=sklearn:LinearSVC,every=50", "svm=refit:model=sklearn:LinearSVC,model.C=1"]
    made = learners(given, baselines=False)
    assert list(made) == [given[0], "pa", given[2], "svm"]
    assert made["pa"].estimator.C == made[given[0]].estimator.C == 0.1
    assert made["svm"].model.parameters == {"C": 1.0}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("refit", r"refit needs model=NAME; try refit:model=mpboost"),
        ("refit:model.C=1", r"refit needs model=NAME"),
        ("refit:model=sklearn", r"'sklearn' does not say which; try sklearn:LinearSVC, or `telex learners sklearn`"),
        ("refit:model=mmp", "MMP learns one by one and cannot be refitted"),
        ("refit:model=svc", "there is no learner 'svc'"),
        ("refit:model=sklearn:LinearSVCC", r"did you mean 'LinearSVC'\?"),
        (
            "refit:model=sklearn:LinearSVC,model.CC=1",
            "sklearn:LinearSVC has no parameter 'CC'.*; choose one of C, class",
        ),
        ("refit:model=sklearn:LinearSVC,model.C=0", "cannot be made: The 'C' parameter of LinearSVC must be"),
        ("refit:model=sklearn:LinearSVC:C=1,model.C=2", "'C' is given twice"),
        ("refit:model=sklearn:LinearSVC,evry=1", r"no parameter 'evry' \(did you mean 'every'\?\)"),
        ("refit:model=sklearn:LinearSVC,every=now", "every is 'now'; give a number of documents or a time"),
        ("refit:model=sklearn:LinearSVC,mode=async", "give one of sync, background"),
        (
            "sklearn:LinearSVC:C=3",
            "learns a window at once, not a stream; try refit:model=sklearn:LinearSVC,every=5000",
        ),
        ("mmp:model.C=3", "the learner mmp has no parameter 'model.C'"),
        ("river:", "'river:' does not say which; try river:linear_model.PAClassifier"),
        ("river:PAClassifier", r"did you mean 'linear_model.PAClassifier'\?"),
        ("river:linear_model.PAClassifier:C=much", "C of the learner river:linear_model.PAClassifier cannot be 'much'"),
        ("rivr:linear_model.PAClassifier", r"no learner 'rivr' \(did you mean 'river'\?\)"),
    ],
)
def test_errors_name_what_is_wrong(spec, message):
    with pytest.raises(UsageError, match=message):
        learners([spec])


def test_they_are_described():
    found = describe_learners()
    windows = ["adaboost-mh", "mpboost", "boosting-mh", "adaboost-lc", "svm", "hsvm", "hrls", "hm3", "select"]
    assert list(found)[-14:] == [*windows, "refit", "windowed", "sklearn:NAME", "sklearn-online:NAME", "river:NAME"]
    assert list(found["refit"]["parameters"])[:4] == ["model", "every", "window", "mode"]
    assert found["sklearn:NAME"]["parameters"] == {}
    assert found["river:NAME"]["summary"].startswith("Any classifier of river")
    [(name, one)] = describe_learners(["sklearn:LinearSVC"]).items()
    assert name == "sklearn:LinearSVC"
    assert one["parameters"]["C"]["default"] == 1.0
    assert "LinearSVC" in describe_learners(["sklearn"])["sklearn:NAME"]["members"]


def test_the_command_lists_them(capsys):
    assert main(["learners", "--json"]) == 0
    json.loads(capsys.readouterr().out)
    assert main(["learners", "river:linear_model.PAClassifier", "river"]) == 0
    shown = capsys.readouterr().out
    assert "    C=1.0  (a number)\n" in shown
    assert "    river:linear_model.PAClassifier\n" in shown
    assert main(["learners", "sklearn:Nothing"]) == 2


def test_places_exist():
    for name in ("refit", "sklearn", "river"):
        module, _, member = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][
            "telex.learners"
        ][name].partition(":")
        assert hasattr(importlib.import_module(module), member)


def test_replaying_with_them(capsys):
    wire = str(ROOT / "tests" / "data" / "wire.jsonl.gz")
    given = ["svm=refit:model=sklearn:LinearSVC,every=200,window=400", "pa=river:linear_model.PAClassifier"]
    assert main(["replay", wire, "--json", *(part for spec in given for part in ("--learner", spec))]) == 0
    found = json.loads(capsys.readouterr().out)["learners"]
    assert list(found) == ["svm", "pa", "prior", "last"]
    assert found["svm"]["micro_f1"] > found["prior"]["micro_f1"]
    assert found["pa"]["docs"] == 1000


def test_a_kind_names_itself():
    assert parse_spec("sklearn:LinearSVC:C=1").name == "sklearn:LinearSVC"
    assert parse_spec("mmp").learner_class is MMP

"""Learners of other packages, and what a package that is broken does."""

import subprocess
import sys
import types
from typing import Literal

import pytest

from telex.learners import MMP
from telex.learners.base import UsageError
from telex.learners.registry import describe_learners, learner, learner_names


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
    monkeypatch.setattr("telex.learners.registry.installed.entry_points", lambda group: [theirs, ours])
    assert learner_names() == {"br": "theirs:BR"}


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
        "telex.learners.registry.installed.entry_points", lambda group: [Point] if group == "telex.learners" else []
    )
    monkeypatch.setattr(
        "telex.learners.registry.installed.load_object", lambda place: Odd if place.endswith(":Odd") else MMP
    )


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
    monkeypatch.setattr("telex.learners.registry.installed.entry_points", lambda group: points)
    with pytest.raises(UsageError, match=f"{value} of an installed package cannot be loaded .*; mend that package"):
        learner("odd")
    found = describe_learners()
    assert "cannot be loaded" in found["odd"]["summary"]
    assert found["mmp"]["parameters"]
    assert isinstance(learner("mmp"), MMP)

"""``telex.replay``: a run over files in one call."""

import json

import pytest

import telex
from telex.learners import registry
from telex.learners.losses import LOSSES

NEWS = "synthetic:n=60,seed=3"


def test_it_is_a_run():
    run = telex.replay(NEWS, ["mmp", "small=mlpp"], baselines=False, limit=40)
    assert isinstance(run, telex.Run)
    assert list(run.learners) == ["mmp", "small"]
    assert [point.documents for point in run][-1] == 40


def test_learners_that_are_made_already():
    mmp = telex.MMP()
    run = telex.replay(NEWS, {"mine": mmp})
    assert run.learners == {"mine": mmp}


def test_it_is_what_the_command_does(tmp_path, monkeypatch):
    from telex.adapters.cli.main import main  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    for _ in telex.replay(NEWS, ["mmp"], run="ours", seed=1):
        pass
    assert main(["replay", NEWS, "--learner", "mmp", "--run", "theirs", "--seed", "1"]) == 0
    for name in ("curves.csv", "labels.csv", "losses.bin"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert json.loads((tmp_path / "ours/run.json").read_text())["seed"] == 1


def test_wrong_use():
    with pytest.raises(telex.UsageError, match="no learner 'mpp'"):
        telex.replay(NEWS, ["mpp"])


def test_losses_that_are_installed_are_measured(monkeypatch):
    class Excess(telex.Loss):
        name = "excess"

        def of(self, judged):
            return judged.fp.astype(float)

    monkeypatch.setattr(registry, "known_losses", lambda: {"excess": Excess()})
    for given, names in (({}, ("excess",)), ({"losses": [LOSSES["iserr"]]}, ("iserr",))):
        run = telex.replay(NEWS, ["mmp"], limit=5, **given)
        assert list(run)[-1].learners["mmp"].keys() & {"excess", "iserr"} == {*names}

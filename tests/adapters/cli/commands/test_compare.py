"""telex compare: which learner of a run is better."""

import io
import json
import re
import shutil
import sys
from dataclasses import replace

import pytest
from rich.console import Console

from telex.adapters.terminal import comparison_table
from telex.stream.run_folder import comparisons

PAPERS_NB = "nb=nb:variant=multinomial,alpha=1,counts=weights"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of 1,500 documents, of which the last 300 only test."""
    from telex.adapters.cli.main import main  # noqa: PLC0415

    path = tmp_path_factory.mktemp("compared") / "r"
    wire = "synthetic:n=1500,seed=3"
    learners = ("--learner", "mmp", "--learner", PAPERS_NB, "--learner", "a=br:averaged=true")
    assert main(["replay", wire, *learners, "--test-after", "n:1200", "--run", str(path)]) == 0
    return path


def test_one_object(telex, folder):
    code, out, err = telex("compare", folder, "--loss", "avgp", "--loss", "margin", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    assert list(found) == ["alpha", "train", "test"]
    expected = comparisons(folder, ["avgp", "margin"])
    for part, pairs in expected.items():
        assert [(one["a"], one["b"], one["loss"]) for one in found[part]] == [(p.a, p.b, p.loss) for p in pairs]
        for one, pair in zip(found[part], pairs, strict=True):
            assert one["difference"] == pair.difference
            assert (one["better"], one["since"], one["lower"]) == (pair.better, pair.since, pair.lower)
            assert one["wilcoxon"] == {"p": pair.wilcoxon.p, "holm": pair.wilcoxon.holm, "effect": pair.wilcoxon.effect}
    assert found["train"][0]["better"] == "mmp"


def test_lines(telex, folder):
    code, out, err = telex("compare", folder, "--learners", "nb,mmp")
    assert (code, err) == (0, "")
    [pair] = comparisons(folder, learners="nb,mmp")["train"]
    lines = out.splitlines()
    assert lines[0] == "iserr, 1,199 documents"
    assert f"mmp since {pair.since:,}" in lines[2]
    assert "iserr, 300 documents, test" in lines
    assert "Wald and Wilcoxon assume independent documents" in out
    assert "with probability 95 %" in out


def test_a_terminal_gets_the_columns_that_it_has_room_for(telex, folder, monkeypatch):
    class Screen(io.StringIO):
        def isatty(self):
            return True

    def shown(columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", "xterm")
        screen = Screen()
        monkeypatch.setattr(sys, "stdout", screen)
        assert telex("compare", folder)[0] == 0
        table = re.sub("\x1b\\[\\d*m", "", screen.getvalue().partition("\n\n")[0])
        assert max(map(len, table.splitlines())) <= columns
        return table

    assert "since" in shown(60)
    assert "Wilcoxon" not in shown(60)
    assert "Wilcoxon" in shown(160)


def test_a_name_is_no_markup(folder):
    [pair] = comparisons(folder, learners="nb,mmp")["train"]
    screen = io.StringIO()
    Console(file=screen, width=200).print(comparison_table("t", [replace(pair, a="[red]")], 200))
    assert "[red], mmp" in screen.getvalue()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name the folder of a run; try `telex compare --help`"),
        (("nowhere",), "there is no folder nowhere"),
        (("RUN", "--learners", "mmp"), "mmp cannot be compared alone; name two learners or more"),
        (("RUN", "--learners", "mmp,br"), "there is no learner 'br' in this run; choose from mmp, nb, a, prior, last"),
        (("RUN", "--loss", "avg"), "this run has stored no loss 'avg' (did you mean 'avgp'?); choose one of iserr,"),
        (("RUN", "--alpha", "0"), "alpha is 0.0; give a probability between 0 and 1"),
    ],
)
def test_wrong_use(telex, folder, monkeypatch, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = telex("compare", *(str(folder) if one == "RUN" else one for one in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_run_of_one_learner_and_one_that_keeps_no_losses(telex, wire, tmp_path):
    run = tmp_path / "r"
    assert telex("replay", wire, "--learner", "nb", "--no-baselines", "--run", run)[0] == 0
    code, _, err = telex("compare", run)
    assert (code, err) == (2, "telex: nb cannot be compared alone; name two learners or more\n")
    shutil.rmtree(run / "checkpoints")
    (run / "losses.json").unlink()
    code, _, err = telex("compare", run)
    assert code == 2
    assert "stored no losses of documents; run it again" in err


def test_losses_can_be_left_out(telex, wire, tmp_path):
    learners, run = ("--learner", "nb", "--learner", "mmp", "--no-losses"), tmp_path / "r"
    assert telex("replay", wire, *learners, "--run", run, "--limit", 20)[0] == 0
    assert telex("replay", "--run", run, "--resume", "--limit", 40)[0] == 0
    assert not list(run.glob("losses*"))
    code, _, err = telex("compare", run)
    assert (code, err.count("\n")) == (2, 1)
    assert "run it again, without --no-losses" in err
    assert telex("report", run, "-o", tmp_path / "r.html")[0] == 0
    code, _, err = telex("replay", wire, *learners)
    assert (code, err) == (2, "telex: --no-losses has no effect without --run; give that too, or leave it out\n")


def test_a_run_says_who_leads_at_its_end(telex, tmp_path):
    learners = ("--learner", "mmp", "--learner", PAPERS_NB, "--learner", "mlpp")
    code, _, err = telex("replay", "synthetic:n=1500,seed=3", *learners, "--run", tmp_path / "r")
    assert code == 0
    [pair] = comparisons(tmp_path / "r", learners=["mmp", "nb"], alpha=0.05 / 3)["train"]
    assert pair.better == "mmp"
    leads = [line for line in err.splitlines() if line.startswith("By iserr ")]
    assert len(leads) == 1
    assert " is better than nb since document " in leads[0]
    assert leads[0].endswith(" may be as good.")
    assert sum(line.startswith(("Best by ", "No learner is best by all: ")) for line in err.splitlines()) == 1

"""--columns, --headline and --sort-by: what is shown, everywhere."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

import pytest

from telex.adapters.cli.main import main
from telex.adapters.report import report_data, shown_by
from telex.learners.losses import USUAL, Shown

LEARNERS = ("--learner", "br", "--learner", "mmp", "--learner", "nb")
CHOICE = ("--columns", "avgp,micro_f1,subset_accuracy", "--headline", "oneerr", "--sort-by", "avgp")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder, out, err = tmp_path_factory.mktemp("shown") / "run", io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        argv = ["replay", "synthetic:n=400,seed=2", *LEARNERS, *CHOICE, "--run", str(folder), "--json"]
        assert main(argv) == 0
    return folder, json.loads(out.getvalue())["learners"], err.getvalue().splitlines()


def table(lines, heading):
    """The names and the columns of the last table that begins with this heading."""
    first = max(i for i, line in enumerate(lines) if line.split()[:1] == [heading])
    rows = [line.split() for line in lines[first:]]
    return rows[0][1:], [row[0] for row in rows[1 : rows.index([]) if [] in rows else None] if row[0] != "*"]


def test_the_tables_of_a_run(run):
    _, figures, lines = run
    columns, learners = table(lines, "learner")
    assert columns == ["oneerr", "avgp", "micro_f1", "subset_accuracy"]
    assert learners == sorted(figures, key=lambda name: -figures[name]["avgp"])
    [heading] = [line.split() for line in lines if line.split()[:2] == ["documents", "learner"]]
    assert heading == ["documents", "learner", "oneerr", "since", "avgp", "micro_f1", "subset_accuracy", "time"]


def test_a_figure_that_is_only_measured_by_name_is_measured(run):
    _, figures, _ = run
    for own in figures.values():
        assert own["subset_accuracy"] == pytest.approx(1 - own["zero_one"])
        assert "accuracy" not in own


def test_more_than_one_figure_is_weighed(run):
    _, figures, lines = run
    best = {
        name: min(figures, key=lambda one: abs(figures[one][name] - (name != "oneerr")))
        for name in ("oneerr", "avgp", "micro_f1", "subset_accuracy")
    }
    [said] = [line for line in lines if line.startswith(("Best by ", "No learner is best by all: "))]
    for learner in set(best.values()):
        own = [name for name, one in best.items() if one == learner]
        words = " and ".join(filter(None, (", ".join(own[:-1]), own[-1])))
        assert (f"Best by {words}: {learner}." == said) or (f"{learner} by {words}" in said)
    assert ("No learner" in said) == (len(set(best.values())) > 1)


def test_the_report_shows_what_the_run_chose_unless_it_is_told(run):
    folder, *_ = run
    data = report_data([folder])
    assert data["shown"] == {
        "columns": ("avgp", "micro_f1", "subset_accuracy"),
        "headline": "oneerr",
        "sort_by": "avgp",
    }
    assert data["columns"]["runs"] == ["oneerr", "avgp", "micro_f1", "subset_accuracy"]
    assert data["runs"][0]["verdicts"]["pairs"][0]["loss"] == "oneerr"
    other = report_data([folder], Shown(("margin",)))
    assert other["columns"]["runs"] == ["margin"]
    assert other["shown"]["headline"] is None


def test_the_headline_is_what_learners_are_compared_by(run, telex, tmp_path):
    folder, *_ = run
    code, out, _ = telex("compare", folder, "--json")
    assert (code, {pair["loss"] for pair in json.loads(out)["train"]}) == (0, {"oneerr"})
    wire = ("replay", "synthetic:n=100", *LEARNERS, "--headline", "micro_f1", "--run", tmp_path / "measure")
    assert telex(*wire)[0] == 0
    code, out, _ = telex("compare", tmp_path / "measure", "--json")
    assert (code, {pair["loss"] for pair in json.loads(out)["train"]}) == (0, {"iserr"})


def test_a_run_that_resumes_may_show_others_that_it_measures(telex, tmp_path):
    replay = ("replay", "synthetic:n=120", *LEARNERS, "--run", tmp_path / "r")
    assert telex(*replay, "--columns", "accuracy", "--limit", "60")[0] == 0
    code, _, err = telex("replay", "--run", tmp_path / "r", "--resume", "--limit", "90", "--columns", "hamming_loss")
    assert (code, table(err.splitlines(), "learner")[0]) == (0, ["hamming_loss"])
    assert ",accuracy," in (tmp_path / "r" / "curves.csv").read_text()
    code, _, err = telex("replay", "--run", tmp_path / "r", "--resume", "--limit", "120", "--columns", "ndcg5")
    assert (code, err.splitlines()[-1]) == (
        2,
        "telex: ndcg5 is not measured here; begin a run with --losses ndcg5, or show another",
    )


def test_a_cross_validation(telex, wire):
    code, _, err = telex("crossval", wire, "--folds", "2", *LEARNERS, *CHOICE)
    lines = err.splitlines()
    columns, learners = table(lines, "learner")
    assert code == 0
    assert columns == ["oneerr", "within", "out", "of", "fold", "avgp", "micro_f1", "subset_accuracy"]
    assert set(learners) == {"br", "mmp", "nb", "prior", "last"}


@pytest.mark.parametrize("option", ["--columns", "--headline", "--sort-by"])
@pytest.mark.parametrize("command", ["replay", "crossval", "report"])
def test_an_unknown_figure_is_refused_at_once(telex, wire, option, command):
    given = {"replay": [wire], "crossval": [wire, "--learner", "nb", "--folds", "2"], "report": ["nowhere"]}[command]
    code, _, err = telex(command, *given, option, "avpg")
    assert (code, err) == (2, "telex: there is no loss 'avpg' (did you mean 'avgp'?); `telex losses` lists them all\n")


def test_a_folder_without_a_choice(tmp_path):
    (tmp_path / "run.json").write_text("{}")
    assert shown_by(tmp_path) == USUAL


def test_a_covering_of_ones_own_is_measured_and_shown(tmp_path, capsys):
    groups, folder = tmp_path / "groups.txt", tmp_path / "run"
    groups.write_text("CCAT ECAT GCAT MCAT\n")
    asked = ("--losses", f"cover:sets:{groups},cover:wp:9", "--columns", "cover_sets_groups,cover_wp_9", "--json")
    argv = ["replay", "synthetic:n=300,seed=2", *LEARNERS[:2], *asked]
    assert main([*argv, "--run", str(folder)]) == 0
    shown = capsys.readouterr()
    figures = json.loads(shown.out)["learners"]["br"]
    assert 0 < figures["cover_sets_groups"] <= figures["cover_hm"]
    assert figures["cover_wp"] < figures["cover_wp_9"] < 2 * figures["cover_wp"]
    assert table(shown.err.splitlines(), "learner")[0] == ["cover_sets_groups", "cover_wp_9"]
    assert "cover_wp_9" in (folder / "curves.csv").read_text().splitlines()[0].split(",")
    assert main(["compare", str(folder), "--loss", "cover_wp_9", "--json"]) == 0
    assert main([*argv, "--predictions", str(groups), "--overwrite"]) == 2
    assert "groups.txt" in capsys.readouterr().err
    assert groups.read_text() == "CCAT ECAT GCAT MCAT\n"

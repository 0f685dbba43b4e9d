"""The results of a run, from Python."""

import json
import os

import numpy as np
import pytest

import telex
from telex.adapters.cli.main import main
from telex.learners.losses import LOSSES

NEWS = "synthetic:n=120,seed=3"
ROWS = [{"text": "gold falls", "labels": ["metals"]}, {"text": "cup final", "labels": ["sport"]}] * 20


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "first"
    return telex.replay(NEWS, ["mmp", "nb"], run=folder, test_after="n:100").finish()


def test_it_shows_itself(run):
    lines = repr(run).splitlines()
    assert lines[0].startswith(f"{NEWS}: 120 documents, ")
    assert [line.split()[0] for line in lines[1:]] == [
        "learner",
        "mmp",
        "nb",
        "prior",
        "last",
        "learner,",
        "mmp",
        "nb",
        "prior",
        "last",
        "*",
    ]
    assert (
        repr(telex.replay(NEWS, ["mmp"]))
        == f"{NEWS}: mmp, prior, last; not begun: iterate over it, or call finish() or show()"
    )


def test_a_notebook_shows_it(run):
    page = run._repr_html_()
    assert page.count("<table") == 2
    assert page.count("<polyline") == 4
    assert "<script" not in page
    assert "mmp" in page


def test_showing_it_in_a_notebook_takes_it_to_its_end():
    run = telex.replay(ROWS, ["mmp"])
    assert "<table" in run._repr_html_()
    assert run.finished


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_have_what_the_files_have(run, library):
    frames = {what: getattr(run, f"to_{library}")(what) for what in ("curves", "labels", "losses", "figures")}
    assert all(type(frame).__module__.startswith(library) for frame in frames.values())
    curves, labels, losses, figures = ({name: list(frame[name]) for name in frame.columns} for frame in frames.values())
    assert curves["learner"] == [name for name in run.learners for _ in run.curves["mmp"]["documents"]]
    assert np.allclose([x for x, name in zip(curves["iserr"], curves["learner"], strict=True) if name == "nb"],
                       run.curves["nb"]["iserr"], equal_nan=True)  # fmt: skip
    assert labels["label"][: len(run.labels("mmp")["label"])] == run.labels("mmp")["label"]
    assert labels["tp"][: len(run.labels("mmp")["tp"])] == run.labels("mmp")["tp"].tolist()
    assert losses["part"].count("test") == 4 * 20
    mine = [
        x for x, *key in zip(losses["iserr"], losses["learner"], losses["part"], strict=True) if key == ["mmp", "train"]
    ]
    assert np.nanmean(mine) == pytest.approx(run.summary()["learners"]["mmp"]["iserr"])
    assert figures["iserr"] == [found["iserr"] for found in run.summary()["learners"].values()]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_passes_are_a_frame(library):
    run = telex.replay(ROWS, ["mmp"], epochs=2, baselines=False)
    list(run)
    frame = getattr(run, f"to_{library}")("epochs")
    assert list(frame["epoch"]) == [1, 2]
    assert list(frame["iserr"]) == [one["learners"]["mmp"]["iserr"] for one in run.summary()["epochs"]]


def test_frames_that_there_are_not(run, monkeypatch):
    with pytest.raises(telex.UsageError, match="no 'points' of a run; choose one of curves"):
        run.to_pandas("points")
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(telex.UsageError, match="pip install pandas"):
        run.to_pandas()


def test_comparisons(run):
    found = run.compare("iserr", "avgp", learners="mmp,nb")
    assert [pair.loss for pair in found.pairs["train"]] == ["iserr", "avgp"]
    assert "avgp, 20 documents, test" in repr(found)
    assert "<pre" in found._repr_html_()
    frame = found.to_pandas()
    assert list(frame["part"]) == ["train", "train", "test", "test"]
    assert frame["wald_p"][0] == found.pairs["train"][0].wald.p
    assert found.to_polars().height == 4


def test_report(run, tmp_path):
    page = run.report(tmp_path / "first.html")
    assert page.path.read_text() == page.html
    assert repr(page) == f"report of first, in {page.path}"
    assert page._repr_html_().startswith("<iframe sandbox='allow-scripts'")
    assert run.report().path is None


def test_predictions(run):
    one = run.predict("nothing of this is known")
    assert one.learner in {"mmp", "nb"}
    many = run.predict(["a text", "another"], "nb", top=2)
    assert [(found.learner, len(found.top)) for found in many] == [("nb", 2)] * 2
    assert run.model().labels


def test_a_copy_is_a_run_like_any_other(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = telex.replay(ROWS, ["mmp"])
    next(run)
    with pytest.raises(telex.UsageError, match="under way cannot be copied"):
        run.save("copy")
    assert run.finish().save("copy").is_dir()
    assert repr(telex.Results("copy")).splitlines()[1:] == repr(run).splitlines()[1:]
    assert main(["predict", "--run", "copy", "--text", "gold"]) == 0
    assert main(["report", "copy", "-o", "copy.html"]) == 0
    assert main(["compare", "copy"]) == 0
    capsys.readouterr()
    assert main(["replay", "--run", "copy", "--resume"]) == 2
    assert "telex.replay(DOCUMENTS, LEARNERS, run='copy', resume=True)" in capsys.readouterr().err
    with pytest.raises(telex.UsageError, match="there is a run in copy"):
        run.save("copy")
    folder = run.folder
    del run
    assert not folder.exists()


def test_results_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["replay", NEWS, "--learner", "nb", "--run", "first"]) == 0
    found = telex.Results("first")
    assert set(found.to_polars("labels")["learner"]) == {"nb", "prior", "last"}
    assert found.predict("some text").learner == "nb"


def test_results_while_the_run_goes():
    run = telex.replay(ROWS, ["mmp"], points=10, checkpoint_every=10)
    next(run)
    assert repr(run).startswith("list of 40 rows: so far 10 documents")
    assert set(run.to_pandas()["documents"]) == {10}
    assert repr(telex.Results(run.folder)).startswith("run: 10 documents")
    run.close()
    assert repr(run).startswith("list of 40 rows: stopped after 10 documents")


def test_nothing_predicts_before_a_checkpoint_has_learnt():
    run = telex.replay(ROWS, ["mmp"], points=10)
    next(run)
    with pytest.raises(telex.UsageError, match="there is no checkpoint in"):
        run.predict("gold")


def test_learners_and_losses_of_ones_own(tmp_path):
    class Votes(telex.PerDocument):
        def __init__(self):
            self.votes = {}

        def ask(self, x):
            return {label: sum(word in words for word in x) for label, words in self.votes.items()}

        def answer(self, x, y):
            for label in y:
                self.votes.setdefault(label, set()).update(x)

    class Missed(telex.Loss):
        """How many labels a prediction misses."""

        name, unit = "missed", "labels"

        def of(self, judged):
            return judged.fn.astype(float)

    given = {"losses": [Missed(), "iserr"], "run": tmp_path / "own"}
    run = telex.replay(ROWS, ["mmp", Votes()], limit=30, **given).finish()
    assert "missed" in repr(run).splitlines()[1]
    assert run.compare("missed").pairs["train"][0].loss == "missed"
    assert run.predict("gold", "votes").labels == ["metals"]
    assert "missed" in run.to_pandas("losses").columns
    assert run.report().data["losses"]["missed"]["summary"] == "How many labels a prediction misses."
    assert "missed" in repr(telex.Results(run.folder)).splitlines()[1]
    with pytest.raises(telex.UsageError, match="does not name the learners"):
        telex.Results(run.folder).predict("gold")
    assert telex.Results(run.folder, {**run.learners, **_fresh(run)}).predict("gold", "votes").labels == ["metals"]
    again = telex.replay(ROWS, ["mmp", Votes()], resume=True, **given)
    assert [point.documents for point in again][-1] == 40


def _fresh(run):
    return {name: learner.clone() for name, learner in run.learners.items()}


def test_a_usual_run_and_one_loss_more():
    run = telex.replay(ROWS, ["mmp"], losses=["usual", "prec1"]).finish()
    assert {*LOSSES} & run.summary()["learners"]["mmp"].keys() >= {"iserr", "avgp", "prec1"}


def test_a_run_that_ended_says_so():
    run = telex.replay(ROWS, ["mmp"])
    assert len(list(run)) > 3
    with pytest.warns(UserWarning, match="this run has ended, and brings no more points"):
        assert list(run) == []


def test_no_results(tmp_path):
    with pytest.raises(telex.UsageError):
        telex.Results(tmp_path)
    assert os.listdir(tmp_path) == []


def test_facts_of_rows(tmp_path):
    telex.replay(ROWS, {"a": "mmp"}, run=tmp_path / "x").finish()
    facts = json.loads((tmp_path / "x/run.json").read_text())
    assert (facts["python"], facts["options"]["learner"]) == ("list of 40 rows", ["a=mmp"])

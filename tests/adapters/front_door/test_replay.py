"""``telex.replay``: a run over files in one call."""

import importlib
import json

import pytest

import telex
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

    monkeypatch.setattr("telex.learners.registry.losses.known_losses", lambda: {"excess": Excess()})
    for given, names in (({}, ("excess",)), ({"losses": [LOSSES["iserr"]]}, ("iserr",))):
        run = telex.replay(NEWS, ["mmp"], limit=5, **given)
        assert list(run)[-1].learners["mmp"].keys() & {"excess", "iserr"} == {*names}


def test_python_and_the_command_line_continue_each_other(tmp_path, monkeypatch):
    from telex.adapters.cli.main import main  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    assert main(["convert", NEWS, "news.telex"]) == 0
    given = {"drift": "ADWIN", "window": 20, "order": "file"}
    for run, limit in (("whole", None), ("first", 20)):
        learners = ["mmp", "small=mlpp", telex.AROW(r=0.5)]
        telex.replay("news.telex", learners, run=run, limit=limit, **given).finish()
    assert main(["replay", "--run", "first", "--resume", "--limit", "40"]) == 0
    assert telex.replay(run="first", resume=True, limit=60).finish().documents == 60
    for name in ("curves.csv", "labels.csv", "losses.bin"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    (tmp_path / "news.telex").write_bytes(b"")
    with pytest.raises(telex.UsageError, match="not what this run has read"):
        telex.replay(run="first", resume=True)


def test_a_run_of_rows_resumes_with_the_same_rows(tmp_path):
    rows = [{"text": f"word{i % 7} gold", "labels": [f"l{i % 3}"]} for i in range(60)]
    telex.replay(rows, ["mmp"], run=tmp_path / "whole").finish()
    telex.replay(rows, ["mmp"], run=tmp_path / "first", limit=25).finish()
    telex.replay(iter(rows), ["mmp"], run=tmp_path / "first", resume=True).finish()
    for name in ("curves.csv", "labels.csv", "losses.bin"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_run_resumes_whatever_it_showed_elsewhere(tmp_path, monkeypatch):
    from telex.adapters.cli.main import main  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    shown = ("--headline", "avgp", "--columns", "avgp,micro_f1", "--metrics", "127.0.0.1:0")
    assert main(["replay", NEWS, "--learner", "mmp", "--run", "r", "--limit", "20", *shown]) == 0
    assert telex.replay(run="r", resume=True, limit=30).finish().documents == 30


def test_what_is_guessed_about_files_is_a_warning(tmp_path):
    (tmp_path / "a.csv").write_text(
        "id,text,labels\n" + "".join(f"{i},gold {i},a|b\n{i}x,tin {i},b\n" for i in range(9))
    )
    with pytest.warns(UserWarning, match=r"separator=pipe"):
        telex.replay(tmp_path / "a.csv", ["mmp"])


def test_a_learner_that_has_learnt_is_said_to():
    learner = telex.NB()
    telex.replay([("a", ["b"])], [learner]).finish()
    with pytest.warns(UserWarning, match="nb has learnt already, and goes on from there"):
        telex.replay([("a", ["b"])], [learner])


def test_what_cannot_be_resumed_so(tmp_path, monkeypatch):
    from telex.adapters.cli.main import main  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    with pytest.raises(telex.UsageError, match="give documents: paths"):
        telex.replay()
    assert main(["replay", NEWS, "--learner", "mmp", "--run", "late", "--labels-after", "5", "--limit", "20"]) == 0
    with pytest.raises(
        telex.UsageError, match=r"--labels-after, which Python does not.*telex replay --run late --resume"
    ):
        telex.replay(run="late", resume=True)
    monkeypatch.chdir("/")
    with pytest.raises(telex.UsageError, match="resume it there"):
        telex.replay(run=tmp_path / "late", resume=True)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_is_learnt_as_the_file_that_it_was_read_from(tmp_path, library):
    lines = [f"{i},1996-08-{28 - i % 9:02},gold w{i % 7} falls,l{i % 3};m{i % 2}" for i in range(50)]
    (tmp_path / "news.csv").write_text("\n".join(["id,date,text,topics", *lines]) + "\n")
    frame = importlib.import_module(library).read_csv(tmp_path / "news.csv")
    for name, documents in (("file", tmp_path / "news.csv"), ("frame", frame)):
        telex.replay(documents, ["mmp"], run=tmp_path / name).finish()
    for name in ("curves.csv", "labels.csv", "losses.bin"):
        assert (tmp_path / "frame" / name).read_bytes() == (tmp_path / "file" / name).read_bytes()


def test_columns_are_options_of_the_format(tmp_path):
    (tmp_path / "news.csv").write_text("story,kind\ngold falls,a|b\n")
    for columns in ("text=story,labels=kind,separator=pipe", {"text": "story", "labels": "kind", "separator": "pipe"}):
        run = telex.replay(tmp_path / "news.csv", ["mmp"], columns=columns).finish()
        assert run.labels("mmp")["label"] == ["a", "b"]


def test_a_learner_that_cannot_be_saved_is_said_so():
    class Open(telex.PerDocument):
        def __init__(self):
            self.file = open  # a function is no data

        def ask(self, x):
            return {}

        def answer(self, x, y):
            pass

    with pytest.warns(UserWarning, match="can neither resume nor predict"):
        run = telex.replay([("a", ["b"])], [Open()])
    assert run.finish().finished

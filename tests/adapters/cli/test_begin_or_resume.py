"""One command line begins a run where its folder holds none yet, and resumes it where it does.

No module of its own: whole commands are run. `test_kill.py` kills runs while they begin.
"""

import json
import shutil

import pytest

from telex.stream import Checkpoints
from telex.stream.run_folder import can_resume

NB = ("--learner", "nb", "--no-baselines")


@pytest.fixture
def begun(telex, wire, tmp_path):
    """A command line, and the curves that its run has in the end."""
    argv = ("replay", wire, *NB, "--checkpoint-every", "20", "--resume")
    assert telex(*argv, "--run", tmp_path / "undisturbed")[0] == 0
    return argv, (tmp_path / "undisturbed" / "curves.csv").read_bytes()


def killed_before_its_first_document(folder, undisturbed):
    """Leave in a folder what a kill leaves there: everything from the beginning, and a checkpoint that is not whole."""
    shutil.copytree(undisturbed, folder, dirs_exist_ok=True)
    shutil.rmtree(folder / "checkpoints")
    facts = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**facts, "finished": False}))
    (folder / "curves.csv").write_text((folder / "curves.csv").read_text().splitlines(keepends=True)[0])
    (folder / "losses.bin").write_bytes(b"")
    (folder / "labels.csv.new").write_text("half")
    (folder / "checkpoints" / ".new-000000").mkdir(parents=True)
    (folder / "checkpoints" / ".new-000000" / "state.npz").write_bytes(b"half")


@pytest.mark.parametrize("left", ["nothing", "empty", "disk", "run.json.new", "run.json", "everything"])
def test_it_begins_where_there_is_nothing_to_resume(telex, tmp_path, begun, left):
    argv, curves = begun
    run = tmp_path / "new" / "run"
    if left != "nothing":
        run.mkdir(parents=True)
    if left == "disk":
        (run / "lost+found").mkdir()
    elif left == "run.json.new":
        (run / "run.json.new").write_text('{"opt')
    elif left == "run.json":
        facts = json.loads((tmp_path / "undisturbed" / "run.json").read_text())
        (run / "run.json").write_text(json.dumps({**facts, "finished": False}))
    elif left == "everything":
        killed_before_its_first_document(run, tmp_path / "undisturbed")
    assert not can_resume(run)
    code, _, err = telex(*argv, "--run", run)
    assert code == 0, err
    assert (run / "curves.csv").read_bytes() == curves
    assert not list(run.rglob(".new-*"))
    assert (run / "lost+found").is_dir() == (left == "disk")


def test_then_it_resumes(telex, tmp_path, begun):
    argv, curves = begun
    run = tmp_path / "run"
    for limit, said in ((30, ""), (60, "resuming behind document 30"), (60, "at its limit of 60")):
        code, _, err = telex(*argv, "--run", run, "--limit", limit)
        assert code == 0
        assert said in err
    assert (run / "curves.csv").read_bytes() == curves


def test_from_checkpoint_0_it_begins_again(telex, tmp_path, begun):
    """Files that the run has written since are cut back to it."""
    argv, curves = begun
    run = tmp_path / "undisturbed"
    losses = (run / "losses.bin").read_bytes()
    kept = Checkpoints(run / "checkpoints")
    for number in kept.numbers()[1:]:
        shutil.rmtree(kept.path(number))
    assert kept.numbers() == [0]
    code, _, err = telex(*argv, "--run", run)
    assert code == 0, err
    assert ((run / "curves.csv").read_bytes(), (run / "losses.bin").read_bytes()) == (curves, losses)


def test_what_was_begun_from_another_run_begins_so_again(telex, tmp_path, wire):
    """Checkpoint 0 has what the other run had learnt: whatever becomes of that run, this one begins alike."""
    assert telex("replay", wire, *NB, "--run", tmp_path / "first")[0] == 0
    argv = ("replay", wire, "--from-run", tmp_path / "first", "--checkpoint-every", "5m", "--resume", "--run")
    assert telex(*argv, tmp_path / "whole")[0] == 0
    run = shutil.copytree(tmp_path / "whole", tmp_path / "run")
    assert Checkpoints(run / "checkpoints").numbers() == [0, 1]
    shutil.rmtree(run / "checkpoints" / "000001")
    shutil.rmtree(tmp_path / "first")
    code, _, err = telex(*argv, run)
    assert code == 0, err
    for name in ("curves.csv", "labels.csv", "losses.bin"):
        assert (run / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_what_is_no_run_is_refused_and_stays(telex, tmp_path, begun):
    argv, _ = begun
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    code, out, err = telex(*argv, "--run", folder)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"the run folder {folder} is not empty; choose another" in err
    assert [one.name for one in folder.iterdir()] == ["thesis.txt"]


def test_what_was_written_without_checkpoints_is_never_lost(telex, tmp_path, begun):
    """A finished run without checkpoints cannot resume; its files stay."""
    argv, curves = begun
    run = tmp_path / "undisturbed"
    shutil.rmtree(run / "checkpoints")
    code, _, err = telex(*argv, "--run", run)
    assert (code, err.count("\n")) == (2, 1)
    assert "there is no checkpoint in" in err
    assert (run / "curves.csv").read_bytes() == curves


@pytest.mark.parametrize("command", ["replay", "consume"])
def test_without_its_options_it_says_what_it_needs(telex, tmp_path, command):
    run = tmp_path / "run"
    code, out, err = telex(command, "--run", run, "--resume")
    assert (code, out, err.count("\n")) == (2, "", 1)
    needs = "PATH" if command == "replay" else "--brokers HOST:PORT --topic T"
    assert err.endswith(f"to begin one there, give its options too: telex {command} {needs} --run {run} --resume\n")
    assert not run.exists()


def test_nothing_is_predicted_from_checkpoint_0(telex, wire, tmp_path):
    run = tmp_path / "run"
    assert telex("replay", wire, *NB, "--run", run, "--text", "stem=none")[0] == 2
    code, _, err = telex("predict", "--run", run, "--text", "gold")
    assert (code, err.count("\n")) == (2, 1)
    assert "there is no checkpoint in" in err
    assert "wait for the first" in err
    code, out, _ = telex("inspect", run)
    assert (code, "documents     0, learning" in out) == (0, True)

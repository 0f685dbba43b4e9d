"""Outputs are never inputs: whatever the name under which a command is asked to write into what it reads."""

import os
import subprocess
import sys

import pytest

from telex.adapters.cli.outputs import refuse_inputs
from telex.learners.base import UsageError


@pytest.fixture
def names(wire, tmp_path):
    """The names of a file: its own, a hard link, a symbolic link, and a path with detours."""
    os.link(wire, tmp_path / "hard.jsonl")
    (tmp_path / "soft.jsonl").symlink_to(wire)
    (tmp_path / "folder").mkdir()
    return [wire, tmp_path / "hard.jsonl", tmp_path / "soft.jsonl", tmp_path / "folder" / ".." / wire.name]


def test_documents(telex, wire, names):
    content = wire.read_bytes()
    for name in names:
        for command in (
            ("replay", wire, "--predictions", name, "--overwrite"),
            ("replay", wire, "--predictions", name, "--overwrite", "--run", wire.parent / "run"),
            ("publish", wire, "--out", name, "--overwrite"),
        ):
            code, _, err = telex(*command)
            assert (code, wire.read_bytes()) == (2, content), command
            assert f"{name} is {wire}, which this command reads; name another file" in err
    assert not (wire.parent / "run").exists()


def test_the_unfinished_file(telex, wire):
    part = wire.with_name("out.jsonl.part")
    wire.rename(part)
    content = part.read_bytes()
    assert telex("publish", part, "--out", wire.with_name("out.jsonl"), "--format", "jsonl")[0] == 2
    assert part.read_bytes() == content


def test_files_beside_the_documents(telex, wire, tmp_path):
    answers, config, stop = tmp_path / "answers.jsonl", tmp_path / "c.toml", tmp_path / "stop.txt"
    answers.write_text('{"id": "d1", "labels": ["a"]}\n')
    config.write_text("window = 5\n")
    stop.write_text("the\n")
    (tmp_path / "v.dat").write_text("2287  7:0.6 9:0.8\n2286  9:1\n")
    (tmp_path / "v.topics.qrels").write_text("ECAT 2286 1\n")
    text = tmp_path / "text.jsonl"
    text.write_text('{"id": "1", "text": "gold", "labels": ["x"]}\n')
    for read, options in [
        (answers, (wire, "--labels-after", answers)),
        (config, (wire, "--config", config)),
        (stop, (text, "--text", f"stop={stop}")),
        (tmp_path / "v.topics.qrels", (tmp_path / "v.dat", "--format", "lyrl-vectors")),
    ]:
        content = read.read_bytes()
        code, _, err = telex("replay", *options, "--predictions", read, "--overwrite")
        assert (code, read.read_bytes()) == (2, content), err
        assert f"{read} is {read}, which this command reads" in err


def test_a_folder_that_is_read(telex, tmp_path):
    (tmp_path / "news" / "sci.med").mkdir(parents=True)
    (tmp_path / "news" / "sci.med" / "1").write_text("Newsgroups: sci.med\nSubject: gold\n\nGold falls.\n")
    for option, inside in (("--predictions", "p.jsonl"), ("--run", "run")):
        code, _, err = telex("replay", tmp_path / "news", option, tmp_path / "news" / inside)
        assert code == 2
        assert f"{inside} would be in {tmp_path / 'news'}, a folder that this command reads" in err
    assert [path.name for path in (tmp_path / "news").rglob("*")] == ["sci.med", "1"]


def test_a_run_folder_with_an_input_in_it(telex, wire, tmp_path):
    """A folder of a run that failed before its first point is used again, and its files are begun anew."""
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "run.json").write_text('{"finished": false}')
    os.link(wire, tmp_path / "r" / "dead-letters.jsonl")
    content = wire.read_bytes()
    code, _, err = telex("replay", wire, "--run", tmp_path / "r")
    assert (code, (tmp_path / "r" / "dead-letters.jsonl").read_bytes()) == (2, content)
    assert f"dead-letters.jsonl is {wire}, which this command reads" in err
    (tmp_path / "r" / "dead-letters.jsonl").unlink()
    assert telex("replay", wire, "--run", tmp_path / "r")[0] == 0


def test_predictions_are_no_file_of_the_run(telex, wire, tmp_path):
    (tmp_path / "r").mkdir()
    code, _, err = telex("replay", wire, "--run", tmp_path / "r", "--predictions", tmp_path / "r" / "curves.csv")
    assert code == 2
    assert "curves.csv is a file of the run itself; name another file" in err
    assert not list((tmp_path / "r").iterdir())


def test_reports(telex, wire, tmp_path):
    assert telex("replay", wire, "--learner", "last", "--run", tmp_path / "r")[0] == 0
    content = (tmp_path / "r" / "curves.csv").read_bytes()
    code, _, err = telex("report", tmp_path / "r", "-o", tmp_path / "r" / "curves.csv", "--overwrite")
    assert (code, (tmp_path / "r" / "curves.csv").read_bytes()) == (2, content)
    assert "curves.csv, which this command reads" in err
    assert telex("report", tmp_path / "r")[0] == 0
    code, _, err = telex("report", tmp_path / "r")
    assert code == 2
    assert "report.html is there already; name another file, or replace it with --overwrite" in err
    assert telex("report", tmp_path / "r", "--overwrite")[0] == 0


def test_the_demo_does_not_begin(telex, tmp_path):
    (tmp_path / "page.html").write_text("mine")
    code, out, err = telex("demo", "--n", 10**9, "-o", tmp_path / "page.html")
    assert (code, out) == (2, "")
    assert "page.html is there already" in err
    assert (tmp_path / "page.html").read_text() == "mine"


def test_predictions_are_not_overwritten_unasked(telex, wire, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text("mine")
    run = "replay", wire, "--learner", "last", "--predictions", path
    code, _, err = telex(*run, "--run", tmp_path / "r")
    assert (code, path.read_text()) == (2, "mine")
    assert "p.jsonl is there already" in err
    assert not (tmp_path / "r").exists()
    assert telex(*run, "--run", tmp_path / "r", "--overwrite")[0] == 0
    whole = path.read_bytes()
    assert telex(*run, "--overwrite")[0] == 0
    assert path.read_bytes() == whole
    assert not path.with_name("p.jsonl.part").exists()


def test_predictions_of_a_run_that_was_killed_at_once(telex, wire, tmp_path):
    """It made the file, and had written nothing: the same command line begins again."""
    path, folder = tmp_path / "p.jsonl", tmp_path / "r"
    path.touch()
    run = "replay", wire, "--learner", "last", "--run", folder, "--predictions", path, "--resume"
    assert telex(*run)[0] == 0
    whole = path.read_bytes()
    assert whole
    assert telex(*run)[0] == 0
    assert path.read_bytes() == whole


def test_standard_streams(wire):
    """A file that a shell has opened as standard input or output is known, too."""
    content = wire.read_bytes()
    telex = sys.executable, "-m", "telex.adapters.cli.main"
    with wire.open("ab") as out:
        done = subprocess.run([*telex, "publish", wire, "--out", "-"], stdout=out, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, wire.read_bytes()) == (2, content)
    assert b"standard output is " in done.stderr
    with wire.open("rb") as given:
        options = "publish", "-", "--out", wire, "--overwrite"
        done = subprocess.run([*telex, *options], stdin=given, capture_output=True, check=False)
    assert (done.returncode, wire.read_bytes()) == (2, content)
    assert b"is standard input, which this command reads" in done.stderr


def test_what_is_not_there_is_passed_over(tmp_path, wire):
    refuse_inputs(tmp_path / "new", [None, "http://127.0.0.1/feed", "synthetic:n=3", tmp_path / "none", wire, "-"])
    with pytest.raises(UsageError, match=r"wire\.jsonl is .*wire\.jsonl, which this command reads"):
        refuse_inputs(wire, [tmp_path / "none", wire])

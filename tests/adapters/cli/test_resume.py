"""What `--resume` says and refuses: where there is nothing to do, and where what was read is no longer what it was."""

import contextlib
import json
import os
import signal
import time
from pathlib import Path

import pytest

from telex.stream import Checkpoints

WAIT = 60.0
NB = ("--learner", "nb", "--no-baselines")


@pytest.fixture
def limited(telex, wire, tmp_path):
    """A run that has read 30 of 60 documents."""
    run = tmp_path / "run"
    assert telex("replay", wire, *NB, "--run", run, "--limit", 30)[0] == 0
    return run


def resumed(telex, run, *more):
    return telex("replay", "--run", run, "--resume", *more)


def touch(path):
    known = path.stat()
    os.utime(path, ns=(known.st_atime_ns, known.st_mtime_ns + 10**9))


def test_at_its_limit_it_says_so(telex, limited):
    code, _, err = resumed(telex, limited)
    assert code == 0
    assert err.splitlines()[0] == "this run is at its limit of 30 documents; to continue give a larger --limit"
    code, _, err = resumed(telex, limited, "--limit", 60)
    assert (code, err.splitlines()[0]) == (0, "resuming behind document 30")


def test_finished_it_says_so(telex, wire, tmp_path):
    assert telex("replay", wire, *NB, "--run", tmp_path / "r")[0] == 0
    code, _, err = resumed(telex, tmp_path / "r")
    assert code == 0
    assert "this run has finished, and reads nothing more; begin another" in err.splitlines()[0]


def test_a_file_instead_of_a_folder(telex, wire):
    code, _, err = resumed(telex, wire)
    assert (code, err) == (2, f"telex: {wire} is a file; name with --run the folder of the run to resume\n")


# -- a run that has failed at its first step


@pytest.mark.parametrize(
    ("arguments", "mended"),
    [
        (("--text", "fit=1000"), ("--text", "fit=20")),
        (("--strict",), ()),
    ],
)
def test_a_folder_in_which_nothing_was_learnt_is_used_again(telex, tmp_path, arguments, mended):
    run, path = tmp_path / "r", tmp_path / "news.jsonl"
    path.write_text("{\n" + "".join(f'{{"id": {i}, "text": "gold cup", "labels": ["a"]}}\n' for i in range(40)))
    assert telex("replay", path, *NB, "--run", run, *arguments)[0] in {1, 2}
    assert (run / "run.json").is_file()
    code, _, err = telex("replay", path, *NB, "--run", run, *mended)
    assert code == 0, err
    assert len((run / "dead-letters.jsonl").read_text().splitlines()) == 1
    code, _, err = telex("replay", path, *NB, "--run", run)
    assert code == 2
    assert "is not empty; choose another, or continue its run with --resume" in err


@pytest.mark.parametrize("other", ["mine.txt", "checkpoints/notes"])
def test_a_folder_that_holds_something_else_is_not(telex, wire, tmp_path, other):
    run = tmp_path / "r"
    assert telex("replay", wire, *NB, "--run", run, "--text", "stem=none")[0] == 2
    (run / other).parent.mkdir(exist_ok=True)
    (run / other).write_text("x")
    code, _, err = telex("replay", wire, *NB, "--run", run)
    assert code == 2
    assert "is not empty; choose another, or remove what is there" in err


# -- where it is called from, and what was read


def test_from_another_working_directory(telex, wire, tmp_path, monkeypatch):
    """Paths are those of the folder in which the run was begun; dead letters name them as they did."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with wire.open("a") as file:
        file.write("{\n")
    monkeypatch.chdir(tmp_path)
    arguments = (wire.name, *NB, "--order", "file", "--predictions", "said.jsonl")
    assert telex("replay", *arguments, "--run", "run", "--limit", 30)[0] == 0
    monkeypatch.chdir(elsewhere)
    again = ("replay", "../wire.jsonl", "--run", "../run", "--resume", "--limit", 100)
    code, _, err = telex(*again)
    assert (code, err.count("\n")) == (2, 1)
    assert f"repeat on the command line what it may use: --predictions {tmp_path / 'said.jsonl'}" in err
    code, _, err = telex(*again, "--predictions", "../said.jsonl")
    assert code == 0, err
    assert os.getcwd() == str(elsewhere)
    assert json.loads((tmp_path / "run" / "dead-letters.jsonl").read_text())["path"] == "wire.jsonl"
    assert (tmp_path / "said.jsonl").read_text().count("\n") == 60
    wire.unlink()
    code, _, err = telex("replay", "--run", "../run", "--resume", "--predictions", tmp_path / "said.jsonl")
    assert code == 2
    assert f"wire.jsonl is not there any more in {tmp_path}, where this run began; put it back" in err


def test_a_touched_file_resumes_with_a_warning(telex, limited, wire):
    touch(wire)
    code, _, err = resumed(telex, limited, "--limit", 60)
    assert code == 0, err
    assert f"{wire} was written after this run began" in err.splitlines()[0]
    _, _, err = resumed(telex, limited)
    assert "has been written" not in err


def test_a_change_far_behind_the_head_is_refused(telex, tmp_path):
    path, run = tmp_path / "wide.jsonl", tmp_path / "run"
    record = '{{"id": {}, "text": "' + "gold " * 2000 + '", "labels": ["a"]}}\n'
    path.write_text("".join(record.format(i) for i in range(40)))
    assert telex("replay", path, *NB, "--run", run, "--limit", 3)[0] == 0
    known = path.stat()
    with path.open("r+b") as file:
        file.seek(300_000)
        file.write(b"oil")
    os.utime(path, ns=(known.st_atime_ns, known.st_mtime_ns))
    code, _, err = resumed(telex, run, "--limit", 40)
    assert (code, err.count("\n")) == (2, 1)
    assert f"{path} is not what this run has read so far" in err


@pytest.mark.parametrize("named", [True, False])
def test_another_file_of_labels_is_refused(telex, tmp_path, named):
    path, qrels = tmp_path / "vectors.dat", tmp_path / "topics.qrels"
    path.write_text("".join(f"{i}  7:0.6 9:0.8\n" for i in range(1, 60)))
    qrels.write_text("".join(f"ECAT {i} 1\n" for i in range(1, 60)))
    run, given = tmp_path / "run", f"lyrl-vectors:qrels={qrels}" if named else "lyrl-vectors"
    assert telex("replay", path, "--format", given, *NB, "--run", run, "--limit", 3)[0] == 0
    qrels.write_text(qrels.read_text().replace("ECAT 50 ", "GCAT 50 "))
    code, _, err = resumed(telex, run)
    assert code == 2
    assert f"{qrels} is not what this run has read so far" in err


def test_labels_that_were_not_there_are_refused(telex, tmp_path):
    path, run = tmp_path / "vectors.dat", tmp_path / "run"
    path.write_text("".join(f"{i}  7:0.6 9:0.8\n" for i in range(1, 60)))
    assert telex("replay", path, "--format", "lyrl-vectors", *NB, "--run", run, "--limit", 3)[0] == 0
    (tmp_path / "topics.qrels").write_text("ECAT 1 1\n")
    code, _, err = resumed(telex, run)
    assert code == 2
    assert "topics.qrels was not there when this run began; move it away" in err


def test_another_covering_is_refused(telex, tmp_path, wire):
    covering, run = tmp_path / "sets.txt", tmp_path / "run"
    covering.write_text("a\tb\n")
    learner = f"refit:model=adaboost-lc,every=5,window=10,model.rounds=2,model.covering=sets:{covering}"
    assert telex("replay", wire, "--learner", learner, "--run", run, "--limit", 7)[0] == 0
    covering.write_text("a\tb\tc\n")
    code, _, err = resumed(telex, run)
    assert code == 2
    assert f"{covering} is not what this run has read so far" in err


@pytest.mark.parametrize("change", ["added", "removed", "renamed", "rewritten", "touched"])
def test_a_changed_folder_is_refused(telex, tmp_path, change):
    folder, run = tmp_path / "posts", tmp_path / "run"
    folder.mkdir()
    for i in range(8):
        (folder / f"{i}").write_text(f"From: x\nSubject: cup\nNewsgroups: sport\nMessage-ID: <{i}>\n\ngold cup\n")
    assert telex("replay", folder, "--format", "newsgroups", *NB, "--run", run, "--limit", 3)[0] == 0
    one = folder / "2"
    if change == "added":
        (folder / "20").write_text(one.read_text())
    elif change == "removed":
        one.unlink()
    elif change == "renamed":
        one.rename(folder / "9")
    elif change == "rewritten":
        one.write_text(one.read_text().replace("gold", "iron"))
    else:
        touch(one)
    code, _, err = resumed(telex, run, "--limit", 8)
    if change == "touched":
        assert code == 0, err
        assert "was written after" in err
    else:
        assert code == 2
        assert f"{folder} is not what this run has read so far" in err


# -- a strict run


def broken(tmp_path, number=40):
    path = tmp_path / "news.jsonl"
    records = [json.dumps({"id": f"d{i}", "text": f"gold cup {i % 7}", "labels": [f"l{i % 3}"]}) for i in range(60)]
    whole = "".join(f"{record}\n" for record in records)
    path.write_text("".join(f"{record[: 9 if i == number else None]}\n" for i, record in enumerate(records)))
    return path, whole


@pytest.mark.parametrize("how", ["mended", "set aside", "strict again"])
def test_a_strict_run_resumes_at_the_broken_record(telex, tmp_path, how):
    path, whole = broken(tmp_path)
    arguments, run = (path, *NB, "--order", "file"), tmp_path / "run"
    code, _, first = telex("replay", *arguments, "--strict", "--run", run)
    assert code == 1
    assert Checkpoints(run / "checkpoints").newest()[1]["reading"]["counts"] == [40, 0, 0]
    if how == "strict again":
        code, _, err = resumed(telex, run, "--strict")
        assert (code, err.splitlines()[-1]) == (1, first.splitlines()[-1])
        assert len((run / "dead-letters.jsonl").read_text().splitlines()) == 1
        return
    if how == "mended":
        path.write_text(whole)
    code, _, err = resumed(telex, run, *(("--strict",) if how == "mended" else ()))
    assert code == 0, err
    assert "resuming behind document 40" in err
    assert telex("replay", *arguments, "--run", tmp_path / "whole")[0] == 0
    for name in ("curves.csv", "labels.csv", "dead-letters.jsonl"):
        assert (run / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_mending_another_record_is_refused(telex, tmp_path):
    path, whole = broken(tmp_path)
    assert telex("replay", path, *NB, "--order", "file", "--strict", "--run", tmp_path / "run")[0] == 1
    path.write_text(whole.replace("cup 2", "CUP 2"))
    code, _, err = resumed(telex, tmp_path / "run")
    assert code == 2
    assert "is not what this run has read so far" in err


# -- signals before the first document


def waits(pid):
    """Whether one of a process's threads waits for something to come in a pipe."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            if "pipe_read" in (task / "wchan").read_text() or (task / "syscall").read_text().startswith("0 0x0 "):
                return True
    return False


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", "-"),
        ("replay", "-", "--text", "fit=20"),
        ("replay", "-", "--order", "time"),
        ("publish", "-", "--out", "{}"),
    ],
    ids=["format", "fit", "aside", "publish"],
)
def test_a_signal_before_anything_is_read(beside, tmp_path, arguments, number, code):
    run = tmp_path / "run"
    arguments = [argument.format(tmp_path / "out.jsonl") for argument in arguments]
    more = ("--run", run, *NB) if arguments[0] == "replay" else ()
    with beside(*arguments, *more) as process:
        until = time.monotonic() + WAIT
        while not waits(process.pid):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(number)
        _, err = process.communicate(timeout=WAIT)
    assert process.returncode == code, err
    assert "Traceback" not in err
    assert err.strip()
    record = json.dumps({"id": 1, "text": "gold cup", "labels": ["a"]}) + "\n"
    if arguments[0] == "replay":
        with beside("replay", "-", "--format", "jsonl", "--run", run, *NB) as process:
            _, err = process.communicate(record, timeout=WAIT)
        assert process.returncode == 0 or "continue its run with --resume" in err, err


@pytest.mark.parametrize(
    "facts",
    [
        "[]",
        '{"options": 3, "files": []}',
        '{"options": {}, "files": []}',
        '{"options": {"paths": 5}, "files": [null]}',
        '{"options": {"paths": [5]}, "files": [null]}',
        '{"options": {"paths": [], "epochs": "x"}, "files": []}',
        '{"options": {"paths": ["x"], "learner": 3}, "files": []}',
    ],
)
def test_another_run_json_is_refused(telex, limited, facts):
    (limited / "run.json").write_text(facts)
    code, _, err = resumed(telex, limited)
    assert (code, err.count("\n")) == (2, 1)
    assert "run.json cannot be read" in err


def test_what_labels_after_cannot_be(telex, wire):
    code, _, err = telex("replay", wire, *NB, "--labels-after", "nan")
    assert (code, err.count("\n")) == (2, 1)
    assert "--labels-after nan is no number of documents, no time" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--text", "x", "--limit", 3), "--limit is about files, and --text is none"),
        (("--text", "x", "--order", "id"), "--order is about files"),
        (("--text", "x", "--format", "jsonl"), "--format is about files"),
        (("--text", "x", "--min-score", "nan"), "--min-score must be a number, such as 0.5, not 'nan'"),
        (("--text", "x", "--min-score", "inf"), "--min-score must be a number"),
        (("--text", "x", "--checkpoint", "0"), "--checkpoint must be at least 1, not 0"),
        (("--text", "x", "--top", "1" + 20 * "0"), "--top must be below 10^15"),
    ],
)
def test_options_that_predict_cannot_use(telex, limited, arguments, message):
    code, out, err = telex("predict", "--run", limited, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize("option", ["--window", "--epochs", "--pending-limit", "--expire-after", "--limit"])
@pytest.mark.parametrize("number", ["0", "-3", "nan", "inf", "1e3", "9" * 30])
def test_absurd_numbers(telex, wire, option, number):
    code, out, err = telex("replay", wire, f"{option}={number}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{option} must be" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--correct-within", "5"), "--correct-within has no effect without --labels-after"),
        (("--labels-after", "5", "--correct-within", "5"), "correct-within is for answers from a file"),
        (("--labels-after", "0", "--correct-within", "5"), "correct-within is for answers from a file"),
        (("--labels-after", "5", "--expire-after", "9"), "expire-after is for answers from a file"),
        (("--pending-limit", "9"), "--pending-limit has no effect without --labels-after"),
        (("--labels-after", "no such file"), "--labels-after no such file is no number of documents"),
    ],
)
def test_options_of_late_answers_that_would_change_nothing(telex, wire, arguments, message):
    code, out, err = telex("replay", wire, *NB, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err

"""A learner that fails in a run of the command line: what is shown and stored, and how the command ends."""

import json
import signal
import subprocess
import sys

import pytest

from telex.adapters.cli.main import main

PILL = 40


@pytest.fixture
def archive(tmp_path):
    """Write documents, of which one has more labels than mlpp takes."""
    path = tmp_path / "news.jsonl"
    with path.open("w") as file:
        for i in range(80):
            labels = [f"l{k}" for k in range(4100)] if i == PILL else ["metals" if i % 2 else "grain"]
            record = {"id": f"d{i}", "text": f"gold {'falls' if i % 2 else 'wheat'} t{i % 7}", "labels": labels}
            file.write(json.dumps(record) + "\n")
    return path


def replay(archive, folder, capsys, *options):
    code = main(
        [
            "replay",
            str(archive),
            "--learner",
            "mlpp",
            "--learner",
            "nb",
            "--budget",
            "none",
            "--run",
            str(folder),
            *options,
        ]
    )
    out, err = capsys.readouterr()
    return code, out, err


SAID = "mlpp failed at document 41 (d40) and is set aside: InputError: MLPP takes at most 4,096 labels, not 4,10"


def test_the_run_ends_with_its_outputs_and_exit_code_1(archive, tmp_path, capsys):
    code, out, err = replay(archive, tmp_path / "run", capsys, "--json", "--predictions", str(tmp_path / "p.jsonl"))
    assert code == 1
    assert err.count(SAID) == 2
    found = json.loads(out)["set_aside"]
    assert (found["mlpp"]["document"], found["mlpp"]["id"], found["mlpp"]["error"]) == (41, "d40", "InputError")
    facts = json.loads((tmp_path / "run" / "run.json").read_text())
    assert facts["finished"]
    assert facts["summary"]["set_aside"] == found
    lines = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert sum(line["learner"] == "nb" for line in lines) == 80
    assert sum(line["learner"] == "mlpp" for line in lines) <= 40
    assert main(["inspect", str(tmp_path / "run")]) == 0
    assert "set aside at document 41: InputError" in capsys.readouterr().out
    assert main(["predict", "--run", str(tmp_path / "run"), "--text", "gold wheat", "--learner", "mlpp"]) == 2
    assert "the learner mlpp failed at document 41" in capsys.readouterr().err
    assert main(["predict", "--run", str(tmp_path / "run"), "--text", "gold wheat"]) == 0
    assert main(["report", str(tmp_path / "run"), "-o", str(tmp_path / "page.html")]) == 0
    assert "learner set aside" in (tmp_path / "page.html").read_text()
    assert main(["compare", str(tmp_path / "run")]) == 0


def test_resumed_it_stays_set_aside(archive, tmp_path, capsys):
    assert replay(archive, tmp_path / "run", capsys, "--limit", "60", "--checkpoint-every", "10")[0] == 1
    assert main(["replay", "--run", str(tmp_path / "run"), "--resume", "--limit", "80"]) == 1
    assert SAID in capsys.readouterr().err
    whole = tmp_path / "whole"
    assert replay(archive, whole, capsys)[0] == 1
    for name in ("curves.csv", "events.jsonl"):
        assert (tmp_path / "run" / name).read_text() == (whole / name).read_text()


def test_a_run_may_stop_instead(archive, tmp_path, capsys):
    code, _, err = replay(archive, tmp_path / "run", capsys, "--learner-failure", "stop")
    assert code == 2
    assert err.splitlines()[-1].startswith("telex: MLPP takes at most 4,096 labels, not 4,10")


def test_a_run_without_learners_left_ends(archive, tmp_path, capsys):
    code = main(["replay", str(archive), "--learner", "mlpp", "--budget", "none", "--run", str(tmp_path / "run")])
    assert code == 1
    assert "telex: no learner is left: mlpp failed at document 41 (d40)" in capsys.readouterr().err


def test_a_memory_limit(archive, tmp_path, capsys):
    code, _, err = replay(archive, tmp_path / "run", capsys, "--memory-limit", "lots")
    assert code == 2
    assert "the memory limit is 'lots'; give a size such as 8G, or a share up to 100%" in err


def test_a_storage_that_is_chosen_is_told(archive, tmp_path, capsys):
    run, more = tmp_path / "run", ("--learner", "pairs=mlpp:storage=auto", "--memory-limit", "1G")
    _, _, err = replay(archive, run, capsys, *more, "--limit", "20")
    choice = "its weights are hybrid: 400 labels and 50,000 terms may need 16.0 GB in float32, and "
    assert f"pairs: {choice}" in err
    assert json.loads((run / "run.json").read_text())["choices"]["pairs"].startswith(choice)
    code, _, err = replay(archive, run, capsys, *more, "--limit", "40", "--memory-limit", "100%", "--resume")
    assert (code, choice in err) == (0, False)
    assert json.loads((run / "run.json").read_text())["choices"]["pairs"].startswith(choice)


def test_a_fold(archive, capsys):
    assert (
        main(
            [
                "crossval",
                str(archive),
                "--learner",
                "mlpp",
                "--learner",
                "nb",
                "--train-first",
                "60",
                "--budget",
                "none",
            ]
        )
        == 1
    )
    err = capsys.readouterr().err
    assert "mlpp failed on fold" in err
    assert "it has no figures" in err


def test_a_signal_ends_it_in_order_all_the_same(archive, tmp_path):
    command = [sys.executable, "-m", "telex.adapters.cli.main", "replay", "-", "--format", "jsonl", "--learner", "nb"]
    process = subprocess.Popen(
        [*command, "--learner", "mlpp", "--budget", "none"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(archive.read_bytes() * 2)
    process.stdin.flush()
    said = b""
    while b"set aside" not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    process.send_signal(signal.SIGTERM)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 0, rest.decode()

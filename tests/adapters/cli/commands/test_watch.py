"""``telex watch``: files are learnt as they arrive, and the end of the watch loses nothing."""

import json
import os
import signal
import time

import pytest

FILES = ("curves.csv", "labels.csv", "losses.bin", "dead-letters.jsonl", "events.jsonl")
LEARNERS = ("--learner", "mmp", "--no-baselines", "--settle", "0s")
WAIT = 60.0


def lines(first, end):
    topics = ("metals", "crops", "war")
    some = ({"id": f"d{i}", "text": f"{topics[i % 3]} {topics[i * i % 3]} now", "labels": [topics[i % 3]]}
            for i in range(first, end))  # fmt: skip
    return [f"{json.dumps(one)}\n" for one in some]


@pytest.fixture
def incoming(tmp_path):
    """An empty folder."""
    folder = tmp_path / "incoming"
    folder.mkdir()
    return folder


@pytest.fixture
def whole(telex, tmp_path):
    """The results of a replay of so many lines."""

    def of(count):
        path, run = tmp_path / f"{count}.jsonl", tmp_path / f"whole{count}"
        path.write_text("".join(lines(0, count)))
        assert telex("replay", path, "--run", run, "--learner", "mmp", "--no-baselines")[0] == 0
        return results(run)

    return of


def results(run):
    return [(run / name).read_bytes() for name in FILES]


def until(true):
    """Wait until something is so."""
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end, "nothing came of it"
        time.sleep(0.02)


def test_files_that_are_there_are_learnt_in_the_order_of_their_names(telex, incoming, whole, tmp_path):
    run = tmp_path / "run"
    (incoming / "10.jsonl").write_text("".join(lines(20, 50)))
    (incoming / "9.jsonl").write_text("".join(lines(0, 20)))
    (incoming / "11.jsonl.part").write_text("unfinished")
    (incoming / "readme").write_text("just words\n")
    (incoming / "copy").write_text("".join(lines(0, 20)))
    watch = ("watch", run, incoming, *LEARNERS, "--until-idle", "0.1s")
    code, _, err = telex(*watch)
    assert code == 0, err
    assert "readme is left out: the format of" in err
    assert "copy has the content of" in err
    assert results(run) == whole(50)
    (incoming / "11.jsonl.part").write_text("".join(lines(50, 60)))
    (incoming / "11.jsonl.part").rename(incoming / "11.jsonl")
    code, out, err = telex(*watch, "--json")
    assert code == 0, err
    assert json.loads(out)["documents"] == 60
    assert results(run) == whole(60)


def test_a_growing_file_is_learnt_line_by_line(telex, beside, incoming, whole, tmp_path):
    run, text = tmp_path / "run", "".join(lines(0, 60))
    listed, ends = run / "intake.jsonl", []
    process = beside("watch", run, incoming, *LEARNERS, "--follow")
    with (incoming / "wire.jsonl").open("w") as file:
        for start in range(0, len(text), 500):
            file.write(text[start : start + 500])
            file.flush()
            ends.append(text.rindex("\n", 0, start + 500) + 1)
            until(lambda: listed.exists() and f'"end": {ends[-1]},' in listed.read_text())
    process.terminate()
    _, said = process.communicate(timeout=WAIT)
    assert process.returncode == 0, said
    code, out, err = telex("watch", run, incoming, "--follow", "--until-idle", "0.1s", "--json")
    assert code == 0, err
    assert json.loads(out)["documents"] == 60
    assert json.loads(out)["dead_letters"] == 0
    assert results(run) == whole(60)
    assert len(listed.read_text().splitlines()) == 1 + len(ends) > 5


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_and_the_same_command_goes_on(telex, beside, incoming, whole, tmp_path, number, code):
    run = tmp_path / "run"
    (incoming / "1.jsonl").write_text("".join(lines(0, 30)))
    process = beside("watch", run, incoming, *LEARNERS)
    until(lambda: (run / "curves.csv").exists() and len((run / "curves.csv").read_text().splitlines()) > 3)
    os.kill(process.pid, number)
    _, said = process.communicate(timeout=WAIT)
    assert process.returncode == code, said
    assert f"to resume: telex watch {run} {incoming}" in said
    (incoming / "2.jsonl").write_text("".join(lines(30, 50)))
    assert telex("watch", run, incoming, "--settle", "0s", "--until-idle", "0.1s")[0] == 0
    assert results(run) == whole(50)


def test_nothing_comes(telex, incoming, tmp_path):
    said = telex("watch", tmp_path / "run", incoming, *LEARNERS, "--until-idle", "0.1s")
    assert said[0] == 0
    assert "nothing came" in said[2]
    (incoming / "1.jsonl").write_text("".join(lines(0, 5)))
    assert telex("watch", tmp_path / "run", incoming, *LEARNERS, "--until-idle", "0.1s")[0] == 0


def test_what_it_refuses(telex, incoming, tmp_path):
    for argv, why in (((tmp_path / "run", tmp_path / "none"), "there is no folder"),
                      ((incoming / "run", incoming), "would be in"),
                      ((incoming, incoming), "would be in"),
                      ((tmp_path / "run", incoming, "--settle", "soon"), "settle is 'soon'"),
                      ((tmp_path / "run", incoming, "--predictions", incoming / "p"), "would be in")):  # fmt: skip
        code, _, err = telex("watch", *argv, "--until-idle", "0.1s")
        assert code == 2
        assert why in err

"""Full and read-only disks, folders in use, signals, checkpoints that are not what they were: one sentence each.

No module of its own: whole commands are run.
"""

import errno
import json
import os
import shutil
import signal
import subprocess
import threading
import time

import pytest
from faults.harness import Trial, Zygote, differences, result
from faults.wires import documents, variants

from telex.adapters.formats import open_source
from telex.adapters.formats.jsonl import with_answers
from telex.learners import NB
from telex.learners.base import Span
from telex.stream import Checkpoints, Lateness, Run
from telex.testing import RecordingSink

WAIT = 60.0


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """Undisturbed runs of each kind, and a process from which others are forked."""
    folder = tmp_path_factory.mktemp("faults")
    known, trials = variants(folder / "wires"), {}
    with Zygote(folder) as zygote:

        def of(name):
            if name not in trials:
                trials[name] = Trial(zygote, known[name], folder / name)
            return trials[name]

        yield of


@pytest.fixture
def stopped(trial):
    """A stopped run, with at least two checkpoints."""
    kinds = trial("answers")
    run = kinds.new()
    ended = kinds.zygote.run([*kinds.variant.argv(run), "--limit", "300"])
    assert ended.code == 0
    assert len(Checkpoints(run / "checkpoints").numbers()) > 1
    return kinds, run


def refused(kinds, run, *more):
    """Return the error of a run that cannot resume; nothing in its folder changes."""
    before = contents(run)
    ended = kinds.zygote.run([*kinds.variant.again(run), *more])
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.splitlines() == [ended.sentence]
    assert contents(run) == before
    return ended.sentence


def contents(run):
    return {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}


def went_on(kinds, run, *more):
    """Resume a run to its end, which must be that of the undisturbed one."""
    ended = kinds.zygote.run([*kinds.variant.again(run), *more])
    assert ended.code == 0, ended.err
    assert differences(kinds.expected, result(run)) == []


# -- disks


@pytest.fixture
def disk(tmp_path):
    """Mount a small disk, which is a file system of its own."""
    path = tmp_path / "disk"
    path.mkdir()

    def mount(*options):
        done = subprocess.run(["mount", *options, str(path)], check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no disk can be mounted here ({done.stderr.strip()}); run the tests as root")
        return path

    try:
        mount("-t", "tmpfs", "-o", "size=1m", "tmpfs")
    except FileNotFoundError:
        pytest.skip("there is no mount here; run the tests as root on Linux")
    yield path, lambda options: mount("-o", f"remount,{options}")
    subprocess.run(["umount", "-l", str(path)], check=True)


def test_a_full_disk(trial, disk):
    path, again = disk
    kinds, run = trial("texts"), path / "run"
    (path / "ballast").write_bytes(bytes(700_000))
    ended = kinds.zygote.run(kinds.variant.argv(run))
    assert ended.code == 1
    assert "Traceback" not in ended.err
    assert "No space left on device" in ended.sentence
    assert "make room there, then continue with --resume" in ended.sentence
    assert Checkpoints(run / "checkpoints").newest()[1]["learners"]
    assert not list(run.glob("checkpoints/.new-*"))
    still = kinds.zygote.run(kinds.variant.again(run))
    assert (still.code, still.sentence.count("make room there")) == (1, 1)
    assert "Traceback" not in still.err
    (path / "ballast").unlink()
    again("size=20m")
    went_on(kinds, run)


def test_a_disk_of_its_own_for_the_run_and_one_for_its_checkpoints(trial, disk):
    """The folder of the run is a mount point in a folder that others cannot list, and so is that in it."""
    run, again = disk
    again("size=20m")
    for folder in (run, run / "checkpoints"):
        (folder / "lost+found").mkdir(parents=True)
    kinds = trial("texts")
    subprocess.run(["mount", "--bind", str(run / "checkpoints"), str(run / "checkpoints")], check=True)
    try:
        predictions = ["--predictions", str(run / "p.jsonl")]
        ended = kinds.zygote.run([*kinds.variant.argv(run), *predictions, "--limit", "100"])
        assert ended.code == 0, ended.err
        ended = kinds.zygote.run([*kinds.variant.again(run), *predictions, "--limit", "9999"])
        assert ended.code == 0, ended.err
        found = result(run)
        assert differences(kinds.expected, found) == ["predictions"]
        assert (run / "p.jsonl").read_bytes() == kinds.expected.files["predictions"]
    finally:
        subprocess.run(["umount", "-l", str(run / "checkpoints")], check=True)


def test_a_disk_that_cannot_be_written(trial, disk):
    path, again = disk
    kinds, run = trial("texts"), path / "run"
    again("size=20m")
    assert kinds.zygote.run([*kinds.variant.argv(run), "--limit", "100"]).code == 0
    again("ro")
    for argv in (kinds.variant.again(run), kinds.variant.argv(path / "other")):
        ended = kinds.zygote.run(argv)
        assert ended.code in {1, 2}
        assert "Read-only file system" in ended.sentence
        assert "Traceback" not in ended.err
    again("rw")
    went_on(kinds, run, "--limit", "9999")


def test_a_disk_that_is_full_before_the_first_checkpoint(trial, disk):
    """There is nothing to resume from: the same command line begins the run, once there is room."""
    path, more = disk
    kinds, run = trial("late"), path / "run"
    free = os.statvfs(path).f_bavail * os.statvfs(path).f_frsize
    (path / "ballast").write_bytes(bytes(free - 40_000))
    ended = kinds.zygote.run(kinds.variant.argv(run))
    assert ended.code == 1
    assert f"({os.strerror(errno.ENOSPC)})" in ended.sentence
    assert Checkpoints(run / "checkpoints").numbers() in ([], [0])
    more("size=20m")
    again = kinds.zygote.run(kinds.variant.argv(run))
    assert again.code == 0, again.err
    assert differences(kinds.expected, result(run)) == []


# -- two runs, signals


@pytest.fixture
def waiting(beside, tmp_path):
    """Start a run that reads a pipe in which nothing comes any more; it has learnt all that came."""
    started = []

    def go(run, count, *more):
        arguments = ("--learner", "mmp", "--learner", "nb", "--points", 10, "--run", run, *more)
        process = beside("replay", "-", "--format", "jsonl", "--order", "file", *arguments)
        started.append(process)
        for one in DOCUMENTS[:count]:
            process.stdin.write(json.dumps(one) + "\n")
        process.stdin.flush()
        until = time.monotonic() + WAIT
        while not heard(run, count):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < until
            time.sleep(0.02)
        return process

    yield go
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


DOCUMENTS = list(documents(240, 21))


def heard(run, count):
    """Whether a run has learnt this many documents."""
    curves = run / "curves.csv"
    return curves.is_file() and f",{count}," in curves.read_text()


def test_two_runs_on_one_folder(waiting, telex, tmp_path):
    run = tmp_path / "run"
    process = waiting(run, 20)
    for more in ((), ("--resume",)):
        code, out, err = telex("replay", "-", "--run", run, *more)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert "is not empty" in err or f"another run is at work in {run}" in err
    code, _, err = telex("replay", "--run", run, "--resume")
    assert "another run is at work in" in err
    process.send_signal(signal.SIGTERM)
    assert process.wait(WAIT) == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
@pytest.mark.parametrize(
    "more", [(), ("--text", "vocabulary=bounded,size=30", "--labels-after", "7")], ids=["plain", "late"]
)
def test_a_signal_where_nothing_comes(waiting, beside, tmp_path, number, code, more):
    run, whole = tmp_path / "run", tmp_path / "whole"
    process = waiting(run, 40, *more)
    process.send_signal(number)
    assert process.wait(WAIT) == code
    err = process.stderr.read()
    assert "stopped after 40 documents" in err
    assert "Traceback" not in err
    assert Checkpoints(run / "checkpoints").newest()[1]["reading"]["counts"][0] == 40
    text = "".join(json.dumps(one) + "\n" for one in DOCUMENTS)
    for argv in (("--run", run, "--resume"),
                 ("-", "--format", "jsonl", "--order", "file", "--learner", "mmp", "--learner", "nb", "--points", 10,
                  "--run", whole, *more)):  # fmt: skip
        process = beside("replay", *argv)
        _, err = process.communicate(text, timeout=WAIT)
        assert process.returncode == 0, err
    assert differences(result(whole), result(run)) == []


def test_a_signal_while_a_learner_is_busy(beside, tmp_path):
    """What is being learnt is learnt; then the run stops, with a checkpoint."""
    path, run = tmp_path / "wire.jsonl", tmp_path / "run"
    with path.open("w") as file:
        for number in range(40):
            for one in DOCUMENTS:
                labels = [f"{label}{number % 9}{k}" for label in one.get("labels", ()) for k in range(4)]
                file.write(json.dumps({**one, "id": f"{number}-{one['id']}", "labels": labels}) + "\n")
    with beside("replay", path, "--learner", "mlpp:threads=1", "--points", 100, "--run", run) as process:
        until = time.monotonic() + WAIT
        while not heard(run, 200):
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=WAIT)
    assert process.returncode == 0, err
    counts = Checkpoints(run / "checkpoints").newest()[1]["reading"]["counts"]
    assert 200 <= counts[0] < 40 * len(DOCUMENTS)
    assert f"stopped after {counts[0]:,} documents" in err


def test_stopped_among_the_answers_behind_the_last_document(tmp_path):
    """No answer is learnt twice, whichever of them is the last before the stop."""
    wire, answers = tmp_path / "wire.jsonl", tmp_path / "answers.jsonl"
    wire.write_text("".join(json.dumps({**one, "labels": None}) + "\n" for one in DOCUMENTS[:6]))
    told = [{"id": f"d{number}", "labels": ["war"], "time": 10**9} for number in (1, 3, 3, 2)]
    told[2]["labels"] = ["sport"]
    answers.write_text("".join(json.dumps(one) + "\n{\n" for one in told))

    def new(checkpoints, stop_at=None):
        sink = StoppingSink(stop_at)
        lateness = Lateness(by_id=True, correct=Span(documents=100))
        source = with_answers(open_source(wire, "jsonl"), str(answers))
        run = sink.run = Run(source, {"nb": NB()}, sinks=[sink], lateness=lateness, checkpoints=checkpoints)
        if checkpoints.numbers():
            run.resume()
        for _ in run:
            pass
        return run, [letter.line for letter in sink.dead_letters]

    whole, _ = new(Checkpoints(tmp_path / "whole"))
    for number in range(1, 5):
        kept = Checkpoints(tmp_path / str(number))
        first, lines = new(kept, stop_at=2 * number)
        assert not first.finished
        run, more = new(kept)
        assert run.finished
        assert [*lines, *more] == [2, 4, 6, 8]
        assert run.state.delay_queue.save()["counts"] == whole.state.delay_queue.save()["counts"]
        for name, array in whole.learners["nb"].arrays().items():
            assert run.learners["nb"].arrays()[name].tobytes() == array.tobytes()


class StoppingSink(RecordingSink):
    """Stops the run at the dead letter of a line."""

    def __init__(self, stop_at):
        super().__init__()
        self.stop_at = stop_at

    def dead_letter(self, letter):
        super().dead_letter(letter)
        if letter.line == self.stop_at:
            self.run.stop()


def test_a_second_signal_breaks_off(waiting, tmp_path):
    process = waiting(tmp_path / "run", 20, "--checkpoint-every", "1000")
    for _ in range(2):
        process.send_signal(signal.SIGINT)
    assert process.wait(WAIT) == 130
    assert "Traceback" not in process.stderr.read()


# -- checkpoints that are not what they were


def newest(run):
    return sorted((run / "checkpoints").glob("0*"))[-1]


def test_flipped_and_cut_checkpoints_are_refused_by_strict_runs(stopped):
    kinds, run = stopped
    before = sorted((run / "checkpoints").glob("0*"))[-2]
    for path in sorted(newest(run).iterdir()):
        whole = path.read_bytes()
        for place in {len(whole) // 3, len(whole) - 1} if path.suffix == ".npz" else {0, len(whole) // 2}:
            for broken in (whole[:place], whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :]):
                path.unlink()  # it may be linked to
                path.write_bytes(broken)
                said = refused(kinds, run, "--strict-checkpoints")
                assert str(newest(run)) in said
                assert f"to resume from {before.name}, at document" in said
        path.write_bytes(whole)
    went_on(kinds, run, "--limit", "9999")


@pytest.mark.parametrize(
    ("kind", "harm"),
    [("answers", "cut"), ("late", "flip"), ("tree", "no header"), ("fed", "empty"), ("answers", "nonsense")],
)
def test_the_one_before_leads_to_the_same_end(trial, kind, harm):
    """Files of the run are cut back, and what was learnt since is learnt again."""
    kinds = trial(kind)
    run = kinds.new()
    ended = kinds.zygote.run(kinds.variant.argv(run))
    assert ended.code == 0, ended.err
    damaged = newest(run)
    if harm == "cut":
        os.truncate(damaged / "state.npz", 5000)
    elif harm == "flip":
        whole = (damaged / "state.npz").read_bytes()
        (damaged / "state.npz").write_bytes(whole[:-999] + bytes([whole[-999] ^ 1]) + whole[-998:])
    elif harm == "nonsense":
        (damaged / "header.json").write_text('{"format": "telex checkpoint", "version": "two"}')
    for one in {"no header": ["header.json"], "empty": os.listdir(damaged)}.get(harm, ()):
        (damaged / one).unlink()
    ended = kinds.zygote.run(kinds.variant.again(run))
    assert ended.code == 0, ended.err
    said = [line for line in ended.err.splitlines() if str(damaged) in line]
    assert len(said) == 1
    assert f"; it is now damaged-000001-{damaged.name}, and the run goes on from 0" in said[0]
    assert (run / "checkpoints" / f"damaged-000001-{damaged.name}").is_dir()
    assert differences(kinds.expected, result(run)) == []
    assert json.loads((run / "run.json").read_text())["summary"]["checkpoints_damaged"] == 1


def test_foreign_and_future_checkpoints_are_refused(trial, stopped):
    kinds, run = stopped
    header = newest(run) / "header.json"
    whole = json.loads(header.read_text())
    header.unlink()
    for other, message in (
        ({**whole, "version": 3}, "is a checkpoint of version 3, and this Telex reads versions 1 and 2"),
        ({**whole, "format": "other"}, "is no checkpoint of Telex"),
    ):
        header.write_text(json.dumps(other))
        assert message in refused(kinds, run, "--strict-checkpoints")
    foreign = trial("vectors").folder / "undisturbed" / "checkpoints"
    shutil.rmtree(newest(run))
    shutil.copytree(sorted(foreign.glob("0*"))[-1], run / "checkpoints" / "000099")
    assert "this run cannot resume with another" in refused(kinds, run)
    shutil.rmtree(run / "checkpoints")
    assert "there is no checkpoint in" in refused(kinds, run)


@pytest.mark.parametrize(
    ("option", "name"),
    [(("--learner", "br"), "learner"), (("--format", "csv"), "format"), (("--text", "stem=none"), "text"),
     (("--seed", "5"), "seed"), (("--window", "9"), "window"), (("--labels-after", "5"), "labels-after"),
     (("--predictions", "other"), "predictions"), (("--duplicates", "skip"), "duplicates"), (("other",), "paths"),
     (("--epochs", "3"), "epochs"), (("--order", "id"), "order"), (("--test-after", "n:5"), "test-after")],
)  # fmt: skip
def test_another_option_is_refused_by_name(stopped, option, name):
    kinds, run = stopped
    said = refused(kinds, run, *option)
    assert "cannot resume with other" in said.replace("another", "other")
    assert name in said.partition(": it was")[0]


def test_a_smaller_limit_is_refused(stopped):
    kinds, run = stopped
    assert "this run has read 300; give a larger one" in refused(kinds, run, "--limit", "10")
    went_on(kinds, run, "--limit", "9999")


@pytest.mark.parametrize("which", ["documents", "answers"])
def test_another_file_is_refused(stopped, which):
    kinds, run = stopped
    arguments = kinds.variant.arguments
    path = arguments[0] if which == "documents" else arguments[arguments.index("--labels-after") + 1]
    with open(path, "rb") as file:
        whole = file.read()
    try:
        for other in (whole + b"\n", whole[:-1], b"X" + whole[1:]):
            with open(path, "wb") as file:
                file.write(other)
            assert f"{path} is not what this run has read so far" in refused(kinds, run)
    finally:
        with open(path, "wb") as file:
            file.write(whole)


def test_a_file_of_results_that_is_gone_is_named(stopped):
    kinds, run = stopped
    os.truncate(run / "curves.csv", 10)
    ended = kinds.zygote.run(kinds.variant.again(run))
    assert ended.code == 2
    assert "curves.csv is missing or shorter than at the checkpoint" in ended.sentence


# -- what is no file


def test_predictions_to_a_device_do_not_hinder(telex, wire, tmp_path):
    arguments = ("--learner", "nb", "--run", tmp_path / "r", "--predictions", os.devnull, "--checkpoint-every", 10)
    code, _, err = telex("replay", wire, *arguments)
    assert code == 0, err


def test_predictions_to_a_pipe_do_not_hinder(telex, wire, tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    thread = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    thread.start()
    arguments = ("--learner", "nb", "--no-baselines", "--run", tmp_path / "r", "--predictions", pipe)
    code, _, err = telex("replay", wire, *arguments, "--checkpoint-every", 10)
    thread.join(WAIT)
    assert code == 0, err
    assert read[0].count(b"\n") == 60


def test_documents_from_a_named_pipe_are_all_read(telex, wire, tmp_path):
    """Comparing files must not read from a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=lambda: pipe.write_bytes(wire.read_bytes()))
    thread.start()
    code, out, _ = telex(
        "replay", pipe, "--format", "jsonl", "--order", "file", "--learner", "nb", "--json", "--run", tmp_path / "r"
    )
    thread.join(WAIT)
    assert (code, json.loads(out)["documents"]) == (0, 60)


def test_a_learner_may_have_any_name(telex, wire, tmp_path):
    arguments = ("--learner", "$array=nb", "--learner", "$block=mmp", "--run", tmp_path / "r", "--limit")
    assert telex("replay", wire, *arguments, 30)[0] == 0
    code, _, err = telex("replay", "--run", tmp_path / "r", "--resume", "--limit", 60)
    assert code == 0, err

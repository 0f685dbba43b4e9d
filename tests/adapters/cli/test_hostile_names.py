"""Names of files, labels and learners that would act on a terminal, or are not UTF-8: every command survives them."""

import csv
import io
import json
import shutil
import tarfile

import prometheus_client
import pytest

from telex.adapters.prometheus import MetricsSink
from telex.learners import BR, BatchBuilder
from telex.stream import PredictionsFile, Run, RunFolder
from telex.stream.run_folder import read_labels, read_predictions

ACTS = [chr(c) for c in (*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x2028, 0xDCE9)]
EVIL = "\x1b[31m\x1b]0;title\x07\x1b[2J\u202e"
LABELS = ["caf\udce9", f"=cmd{EVIL}", "-1+1\n\r@SUM", "'=quoted", "plain"]
POST = "From: a\nSubject: {subject}\nDate: {day} Apr 93 12:00:00 GMT\n\n{word} {word} gold\n"


def post(i, day):
    return POST.format(subject=f"{EVIL}\x9b2J {i}", day=day, word=f"word{i}").encode()


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    """Posts in folders whose names are the labels; times fall, so that they are sorted by way of a file."""
    folder = tmp_path_factory.mktemp("n") / f"new\udce9s{EVIL}"
    for i, label in enumerate(LABELS):
        (folder / label).mkdir(parents=True)
        for day in range(1, 9):
            (folder / label / f"{i}\udcff{EVIL}{day}").write_bytes(post(i, 9 - day))
    (folder / "plain" / f"broken\n{EVIL}\udce9").write_bytes(b"no post")
    return folder


@pytest.fixture
def telex(telex, capsys):
    """Run a command line, and check that nothing in what a person sees acts on the terminal."""

    def go(*argv, machine=False):
        code, out, err = telex(*argv)
        for text in (err,) if machine else (out, err):
            assert [c for c in ACTS if c in text] == []
        assert "Traceback" not in err
        return code, out, err

    return go


REPLAY = ("--format", "newsgroups:labels=folder", "--learner", "br", "--learner", "mmp")


@pytest.fixture
def run(telex, news, tmp_path):
    folder = tmp_path / "run\udce9"
    code, _, err = telex("replay", news, *REPLAY, "--run", folder, "--predictions", tmp_path / "predictions.jsonl")
    assert code == 0
    assert "broken record" in err
    return folder


def test_every_file_of_a_run_is_utf8_and_comes_back(run, news, tmp_path):
    for path in [*run.iterdir(), tmp_path / "predictions.jsonl"]:
        if path.suffix in {".json", ".jsonl", ".csv"}:
            path.read_text(encoding="utf-8")
    facts = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert facts["options"]["paths"] == [str(news)]
    shown = [label.replace("\udce9", "\\xe9") for label in LABELS]
    assert sorted(read_labels(run)["br"]["label"]) == sorted(shown)
    assert {label for line in read_predictions(tmp_path / "predictions.jsonl") for label in line.true} == set(shown)


def test_cells_are_no_formulas(run):
    with (run / "labels.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@\t\r"))]
    assert f"'=cmd{EVIL}" in cells
    assert "''=quoted" in cells


def test_a_resumed_run_is_the_same_run(telex, news, run, tmp_path):
    again = tmp_path / "again\udce9"
    outputs = ("--run", again, "--checkpoint-every", "7")
    assert telex("replay", news, *REPLAY, *outputs, "--limit", "15")[0] == 0
    assert telex("replay", "--run", again, "--resume", "--limit", "100")[0] == 0
    for name in ("curves.csv", "labels.csv", "losses.bin", "dead-letters.jsonl"):
        assert (again / name).read_bytes() == (run / name).read_bytes(), name
    assert telex("inspect", again)[0] == 0


def test_all_that_people_see(telex, news, run, tmp_path):
    evil = f"x{EVIL}\udce9\x9b\n"
    for command in (
        ("inspect", run, "--terms", "3", "--labels", "5"),
        ("inspect", evil),
        ("compare", run),
        ("compare", run, "--learners", evil),
        ("report", run, "-o", tmp_path / "page.html"),
        ("report", evil),
        ("predict", "--run", run, news, "--format", "newsgroups:labels=folder", "--reasons", "3"),
        ("predict", "--run", run, "--text", f"gold {evil}", "--title", evil),
        ("predict", "--run", evil, "--text", "gold"),
        ("replay", news, *REPLAY, "--explain"),
        ("replay", news, *REPLAY, "--strict"),
        ("replay", news, "--learner", f"{evil}=br"),
        ("replay", news, "--learner", evil),
        ("replay", evil),
        ("replay", news, "--format", evil),
        ("replay", news, f"--{evil}"),
        ("replay", news, "--config", evil),
        ("publish", news, "--format", "newsgroups:labels=folder", "--out", tmp_path / "out.jsonl"),
        ("publish", news, "--format", "newsgroups", "--out", evil + "/x"),
        ("crossval", news, "--format", "newsgroups:labels=folder", "--learner", "nb", "--folds", "2"),
        ("learners", evil),
        ("formats", evil),
        ("losses", evil),
        ("completion", evil),
        ("reproduce", evil),
        ("consume", "--brokers", "localhost:1", "--topic", "news", "--from", evil),
        (evil,),
    ):
        code, _, err = telex(*command)
        assert code in {0, 1, 2}
        if code:
            assert err.rstrip("\n").splitlines()[-1].startswith("telex: "), command
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 8 * len(LABELS)
    assert "caf" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_members_of_archives(telex, tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w", errors="surrogateescape") as archive:
        for name in (f"{EVIL}/1.txt", "caf\udce9/2.txt", "../3.txt"):
            info = tarfile.TarInfo(name)
            info.size = 7
            archive.addfile(info, io.BytesIO(b"no post"))
    code, _, err = telex("replay", tmp_path / "a.tar", "--format", "newsgroups", "--run", tmp_path / "run")
    assert (code, err.count("broken record:")) == (2, 3)  # there is nothing else in it
    assert telex("report", tmp_path / "run", "-o", tmp_path / "page.html")[0] == 0


def test_a_run_folder_of_a_stranger(telex, run, tmp_path):
    """Its learner has a name that no command line would take."""
    theirs = tmp_path / "theirs"
    shutil.copytree(run, theirs)
    for path in theirs.glob("*.*"):
        if path.suffix in {".json", ".csv", ".jsonl"}:
            text = path.read_text(encoding="utf-8")
            evil = json.dumps(f"mmp{EVIL}\n")[1:-1] if path.suffix != ".csv" else f"mmp{EVIL}"
            path.write_text(text.replace("mmp", evil), encoding="utf-8")
    for command in (("compare", theirs), ("report", theirs, "-o", tmp_path / "page.html"), ("inspect", theirs)):
        telex(*command)


def test_labels_of_a_program_that_are_no_utf8(tmp_path):
    """Python lets a text have half a surrogate pair; files and metrics get it as a backslash escape."""
    builder = BatchBuilder()
    for i in range(40):
        builder.add({f"caf\udce9{i % 3}": 1.0}, ["caf\udce9"] if i % 2 else ["b"], id=f"d\udce9{i}")
    metrics = MetricsSink(labels=["caf\udce9"])
    sinks = [metrics, RunFolder(tmp_path / "run"), PredictionsFile(tmp_path / "p.jsonl")]
    list(Run([builder.take()], {"br": BR()}, sinks=sinks))
    lines = list(read_predictions(tmp_path / "p.jsonl"))
    assert lines[1].true == ["caf\udce9"]
    assert lines[1].id == "d\udce91"
    assert json.loads((tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()[1])["id"] == "d\udce91"
    assert "caf\\udce9" in read_labels(tmp_path / "run")["br"]["label"]
    assert b'label="caf\\\\udce9"' in prometheus_client.generate_latest(metrics.registry)

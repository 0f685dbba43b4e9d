"""What a run folder holds, and that each reader reads what this Telex and an earlier one wrote."""

import base64
import csv
import errno
import fcntl
import io
import json
import os
import stat
import tarfile
from pathlib import Path

import pytest
from oracles.streams import zipf

from telex.learners import BR, MMP, NB
from telex.learners.base import UsageError
from telex.learners.trees import Tree
from telex.stream import DeadLetter, Run, RunFolder
from telex.stream.checkpoints import own_folders
from telex.stream.curves import columns_of
from telex.stream.run_folder import (
    compare_learners,
    fact_tree,
    lock_folder,
    read_curves,
    read_dead_letters,
    read_events,
    read_facts,
    read_label_history,
    read_labels,
    read_losses,
    read_predictions,
    read_speed,
)
from telex.stream.run_folder.vacancy import check_vacant

KEPT = Path(__file__).resolve().parents[2] / "data" / "checkpoints"

STREAM = zipf(11, documents=60, unlabelled=0.1)


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


@pytest.fixture
def kept(tmp_path, source_of):
    folder = tmp_path / "runs" / "first"
    run = Run(
        source_of(STREAM, letters={2}),
        {"br": BR(seed=4), "a,b": NB()},
        sinks=[RunFolder(folder, {"seed": 4})],
        test_after="n:50",
    )
    return folder, run, list(run)


def test_curves(kept):
    folder, run, points = kept
    rows = table(folder / "curves.csv")
    assert list(rows[0]) == ["learner", "documents", "time", *columns_of(run.settings.names)]
    trained = [point for point in points if point.part == "train"]
    assert [(row["learner"], int(row["documents"])) for row in rows] == [
        (name, point.documents) for point in trained for name in ("br", "a,b")
    ]
    for row, figures in zip(rows[::2], (point.learners["br"] for point in trained), strict=True):
        assert {name: float(row[name]) if row[name] else None for name in figures} == figures
    assert rows[0]["avgp"] == ""
    assert rows[-1]["time"] == "1970-01-01T13:36:40Z"


def test_labels(kept):
    folder, run, _ = kept
    rows = [row for row in table(folder / "labels.csv") if row["learner"] == "br"]
    first = {}
    for i, (_, y) in enumerate(STREAM[:50], 1):
        for label in y or ():
            first.setdefault(label, i)
    assert {row["label"]: int(row["first_seen"]) for row in rows} == first
    for row in rows:
        tp, fp, fn = int(row["tp"]), int(row["fp"]), int(row["fn"])
        support = sum(row["label"] in (y or ()) for _, y in STREAM[:50])
        assert int(row["support"]) == tp + fn == support
        assert row["precision"] == (repr(tp / (tp + fp)) if tp + fp else "")
        assert float(row["recall"]) == tp / support
        assert float(row["f1"]) == 2 * tp / (2 * tp + fp + fn)
    assert list(run.labels("br")["label"]) == [row["label"] for row in rows]


def test_facts(kept):
    folder, run, _ = kept
    facts = json.loads((folder / "run.json").read_text())
    assert facts["seed"] == 4
    assert facts["learners"]["br"] == {"kind": "br", "init": "zero", "init_scale": 0.05, "averaged": False, "seed": 4}
    assert set(facts["versions"]) == {"telex", "python", "numpy", "river"}
    assert facts["finished"] is True
    assert facts["summary"] == run.summary()


def test_dead_letters_are_stored_whole(tmp_path):
    letters = [
        DeadLetter("{'ü'".encode(), "a.jsonl", 3, 17, "decode", "no JSON"),
        DeadLetter(b"\xff\x00\n", "a.gz", None, None, "read", "the file breaks off"),
    ]
    list(Run(letters, {"br": BR()}, sinks=[RunFolder(tmp_path / "r")]))
    kept = [json.loads(line) for line in (tmp_path / "r" / "dead-letters.jsonl").read_text("utf-8").splitlines()]
    assert kept[0] == {
        "path": "a.jsonl",
        "line": 3,
        "offset": 17,
        "stage": "decode",
        "reason": "no JSON",
        "raw": "{'ü'",
    }
    assert base64.b64decode(kept[1]["raw_base64"]) == b"\xff\x00\n"
    assert "raw" not in kept[1]


def test_the_tree_of_a_run_is_in_its_facts(tmp_path, source_of):
    tree = Tree.of([("E21", "energy"), (7, "energy")])
    for name, given in {"with": tree, "without": None}.items():
        list(Run(source_of(STREAM), {"mmp": MMP()}, tree=given, sinks=[RunFolder(tmp_path / name)]))
    assert fact_tree(read_facts(tmp_path / "with")["tree"]).labels == ("energy", "E21", "7")
    assert read_facts(tmp_path / "without")["tree"] is None


def test_what_is_written_is_whole_at_every_point(tmp_path, source_of):
    folder = tmp_path / "r"
    for n, _ in enumerate(Run(source_of(STREAM), {"mmp": MMP()}, points=5, sinks=[RunFolder(folder)]), 1):
        assert [int(row["documents"]) for row in table(folder / "curves.csv")] == [5 * i for i in range(1, n + 1)]
        assert len(table(folder / "speed.csv")) == n
        assert table(folder / "labels.csv")
        assert json.loads((folder / "run.json").read_text())["finished"] is False
    assert not list(folder.glob("*.new"))


def test_a_run_that_breaks_off_leaves_whole_files(tmp_path, source_of):
    folder = tmp_path / "r"
    run = Run(source_of(STREAM, letters={33}), {"mmp": MMP()}, strict=True, points=5, sinks=[RunFolder(folder)])
    with pytest.raises(Exception, match="breaks off"):
        list(run)
    assert table(folder / "curves.csv")[-1]["documents"] == "30"
    assert sum(int(row["support"]) for row in table(folder / "labels.csv")) == sum(len(y or ()) for _, y in STREAM[:33])
    assert len((folder / "dead-letters.jsonl").read_text().splitlines()) == 1
    assert "summary" not in json.loads((folder / "run.json").read_text())


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    RunFolder(tmp_path / "empty")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "curves.csv").write_text("")
    with pytest.raises(UsageError, match="is not empty; choose another"):
        RunFolder(tmp_path / "full")
    with pytest.raises(UsageError, match="is a file"):
        RunFolder(tmp_path / "full" / "curves.csv")
    assert not list((tmp_path / "empty").iterdir())


def test_the_name_of_a_mount_point_is_not_ours_to_sync(tmp_path, monkeypatch, source_of):
    """The folder above may be unreadable: a run begins in a folder that is there, and makes none of its own."""
    (tmp_path / "mounted").mkdir()

    def unreadable(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(own_folders, "sync_folder", unreadable)
    own_folders.make_folder(tmp_path / "mounted")
    with pytest.raises(PermissionError):
        own_folders.make_folder(tmp_path / "new")


def test_where_folders_cannot_be_locked_a_file_in_them_is(tmp_path, monkeypatch):
    """NFS locks only what is open for writing."""
    flock = fcntl.flock

    def of_nfs(descriptor, how):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", of_nfs)
    held = lock_folder(tmp_path)
    with pytest.raises(UsageError, match="another run is at work"):
        lock_folder(tmp_path)
    os.close(held)
    os.close(lock_folder(tmp_path))
    check_vacant(tmp_path)


def test_a_folder_that_cannot_be_locked_is_one_sentence(tmp_path, monkeypatch):
    def no_locks(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(UsageError, match=r"cannot be opened and locked \(No locks available\); choose another"):
        lock_folder(tmp_path)


def test_the_folder_of_the_first_version_is_read(tmp_path):
    with tarfile.open(KEPT / "folder-v1.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    folder = tmp_path / "run"
    curves, labels, history = read_curves(folder), read_labels(folder), read_label_history(folder)
    losses, rows = read_losses(folder), table(folder / "curves.csv")
    learners = list(dict.fromkeys(row["learner"] for row in rows))
    assert list(curves.learners) == list(labels) == list(history) == losses.learners == learners
    assert curves.documents.tolist() == [int(row["documents"]) for row in rows if row["learner"] == learners[0]]
    assert curves.learners["br"]["iserr"].tolist() == [float(r["iserr"]) for r in rows if r["learner"] == "br"]
    assert [documents for _, documents in read_speed(folder)] == curves.documents.tolist()
    assert len(losses.rows) > 0
    assert {pair.n for pair in compare_learners(folder)} == {len(losses.rows)}
    assert len(list(read_events(folder))) == (folder / "events.jsonl").read_bytes().count(b"\n")
    assert len(list(read_dead_letters(folder))) == (folder / "dead-letters.jsonl").read_bytes().count(b"\n")
    assert {one.learner for one in read_predictions(tmp_path / "predictions.jsonl")} <= set(learners)
    assert list(read_facts(folder)["summary"]["learners"]) == learners

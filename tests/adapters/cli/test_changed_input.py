"""A run over a file that is written meanwhile: it ends, and no checkpoint stands on what is not there any more."""

import gzip
import json
import os

import pytest

import telex
from telex.adapters.formats.jsonl import with_answers
from telex.learners import Last
from telex.learners.base import StoppedError
from telex.stream import Run, RunFolder
from telex.stream.delayed_labels import Lateness
from telex.stream.run import Sink


class WritesInto(Sink):
    """Appends to a file at a point, once a checkpoint is there."""

    def __init__(self, path, at):
        self.path, self.at = path, at

    def begin(self, run):
        self.checkpoints = run.checkpoints

    def point(self, point):
        if point.documents == self.at:
            if self.checkpoints:
                self.checkpoints.wait()
            with self.path.open("ab") as file:
                file.write(b"\n")


@pytest.fixture
def long(tmp_path):
    """A file of 600 documents, of which a run reads 20 at a time."""
    path = tmp_path / "long.jsonl"
    documents = ({"id": f"d{i}", "time": i, "features": {f"f{i % 7}": 1}, "labels": [f"l{i % 3}"]} for i in range(600))
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return path


@pytest.fixture(params=["plain", "compressed", "answers", "unsorted"])
def changing(request, long, tmp_path):
    """The paths of documents and of answers, and which of them is written."""
    if request.param == "plain":
        return long, None, long
    if request.param == "compressed":
        packed = tmp_path / "long.jsonl.gz"
        packed.write_bytes(gzip.compress(long.read_bytes()))
        return packed, None, packed
    if request.param == "unsorted":
        long.write_bytes(b"".join(reversed(long.read_bytes().splitlines(keepends=True))))
        return long, None, long
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "d1", "labels": ["a"]}\n')
    return long, answers, answers


def test_checkpoints(changing, tmp_path):
    documents, answers, written = changing
    source = telex.open_source(documents, order="time", rows=20)
    if answers:
        source, late = with_answers(source, str(answers)), Lateness(by_id=True)
    folder = RunFolder(tmp_path / "r")
    run = Run(
        source,
        {"last": Last()},
        sinks=[folder, WritesInto(written, 300)],
        points=50,
        checkpoints=folder.checkpoints,
        checkpoint_every=50,
        lateness=late if answers else None,
    )
    with pytest.raises(StoppedError, match=f"{written.name} grew while it was read; start again"):
        list(run)
    assert run.documents >= 300
    _, tree = folder.checkpoints.newest()
    assert 50 <= tree["reading"]["counts"][0] <= 300
    assert not run.finished


def test_a_limit_and_no_checkpoints(long):
    run = telex.replay(long, ["last"], limit=300, points=50, sinks=[WritesInto(long, 200)])
    with pytest.raises(StoppedError, match="grew while it was read"):
        list(run)


def test_a_run_goes_on_from_the_checkpoint_before(telex, long, tmp_path, monkeypatch):
    whole = long.read_bytes()

    def point(self, made, before=RunFolder.point):
        before(self, made)
        if made.documents == 300:
            self.checkpoints.wait()
            os.truncate(long, len(whole) // 2)

    options = "--learner", "mmp", "--points", 50, "--format", "jsonl:rows=20"
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "point", point)
        code, _, err = telex("replay", long, "--run", tmp_path / "r", "--checkpoint-every", 50, *options)
    assert code == 1
    assert f"telex: {long} was cut while it was read; start again" in err
    long.write_bytes(whole)
    assert telex("replay", "--run", tmp_path / "r", "--resume")[0] == 0
    assert telex("replay", long, "--run", tmp_path / "other", *options)[0] == 0
    assert (tmp_path / "r" / "curves.csv").read_bytes() == (tmp_path / "other" / "curves.csv").read_bytes()

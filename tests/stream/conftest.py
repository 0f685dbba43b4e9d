"""Sources made for tests, and the results of a run."""

import json
import os

import pytest

from telex.learners import BatchBuilder
from telex.stream import DeadLetter, PredictionsFile, Run, RunFolder


def letter(line):
    return DeadLetter(b'{"id": ', "wire.jsonl", line, 7 * line, "decode", "the line breaks off")


def cut_source(stream, sizes=(), letters=()):
    """`stream` of (features, labels) pairs as a source, in batches of `sizes`, the last as large as the rest.

    Before each document whose position is in `letters` is a broken record. Document i has the id
    "d<i>" and the time 1,000 i, but every seventh has no time.
    """
    builder = BatchBuilder()
    for i, (x, y) in enumerate(stream):
        builder.add(x, y, id=f"d{i}", **({} if i % 7 == 3 else {"time": 1000.0 * i}))
    whole = builder.take()
    cuts = {0, len(whole), *letters}
    for size in sizes:
        cuts.add(min(len(whole), max(cuts - {len(whole)}, default=0) + size))
    source = []
    ordered = sorted(cuts)
    for start, stop in zip(ordered, [*ordered[1:], len(whole)], strict=True):
        source += [letter(start)] if start in letters else []
        source += [whole.rows(start, stop)] if start < stop else []
    return source


def without_clock(summary):
    return {name: value for name, value in summary.items() if name not in {"seconds", "docs_per_second"}}


@pytest.fixture(scope="session")
def source_of():
    return cut_source


@pytest.fixture(scope="session")
def left_behind(tmp_path_factory):
    """Run, and return everything that the run wrote, the wall clock left out."""

    def go(source, learners, **options):
        folder = tmp_path_factory.mktemp("run")
        sinks = [RunFolder(folder / "r"), PredictionsFile(folder / "predictions.jsonl", top=3)]
        run = Run(source, learners, sinks=sinks, **options)
        points = list(run)
        files = {path.name: path.read_bytes() for path in (folder / "r").iterdir() if path.name != "speed.csv"}
        facts = json.loads(files.pop("run.json"))
        facts["summary"] = without_clock(facts["summary"])
        files["predictions.jsonl"] = (folder / "predictions.jsonl").read_bytes()
        return files, facts, points, without_clock(run.summary())

    return go


@pytest.fixture
def pipes(tmp_path):
    """Two named pipes: one signals that a fit has begun, the other lets it continue."""
    begun, go = tmp_path / "begun", tmp_path / "go"
    os.mkfifo(begun)
    os.mkfifo(go)
    return begun, go

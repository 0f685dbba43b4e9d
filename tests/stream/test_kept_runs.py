"""Whole runs that an earlier Telex left in their midst: this one goes on, to the end that it would have come to."""

import tarfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from river.__version__ import __version__ as river

from telex.learners.errors import UsageError
from telex.stream import Checkpoints, Sink

KEPT = Path(__file__).resolve().parents[1] / "data" / "checkpoints"


class Heard(Sink):
    """Keeps what happened after a document, and who was champion."""

    def __init__(self, after):
        self.after, self.events, self.champions = after, [], []

    def begin(self, run):
        self.run = run

    def event(self, event):
        if event["document"] > self.after:
            self.events.append({name: value for name, value in event.items() if name != "seconds"})

    def chosen(self, learners):
        self.champions += learners.tolist()


@pytest.fixture(scope="module")
def make_runs():
    spec = spec_from_file_location("make_runs", KEPT / "make_runs.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ended(run):
    heard = Heard(70)
    run.sinks = (heard,)
    for _ in run:
        pass
    assert run.finished
    summary = {name: value for name, value in run.summary().items() if name not in {"seconds", "docs_per_second"}}
    return summary, run.curves, run.watching.save(), heard


def same(one, other):
    assert list(one) == list(other)
    for name, curve in one.items():
        assert {column: values.tobytes() for column, values in curve.items()} == {
            column: values.tobytes() for column, values in other[name].items()
        }


@pytest.mark.parametrize("name", ["run", "watched"])
def test_a_run_of_the_first_version_goes_on(make_runs, tmp_path, name):
    with tarfile.open(KEPT / f"{name}-v1.tar.xz") as packed:
        packed.extractall(tmp_path / "kept", filter="data")
    whole = ended(make_runs.made(name, tmp_path / "whole"))
    resumed = make_runs.made(name, tmp_path / "kept")
    theirs = Checkpoints(tmp_path / "kept").newest()[1]
    made_by = None
    if name == "watched":
        made_by = theirs["watching"]["drift"]["learners"]["mmp"]["detector"]["river"]
    if made_by not in {None, river}:  # detectors are river's, and belong to a version of it
        with pytest.raises(UsageError, match=f"this was saved by river {made_by}, but river {river} is here"):
            resumed.resume()
        return
    resumed.resume()
    assert (resumed.documents, resumed.late.pending > 0) == (70, True)
    summary, curves, watching, heard = ended(resumed)
    compared = [one.pop("comparison")["running"]["counts"] for one in (watching, whole[2])]
    assert (compared[1] - compared[0] > 0).all()  # the first version compared nobody: that begins here
    assert summary == whole[0]
    same(curves, whole[1])
    assert repr(watching) == repr(whole[2])
    assert heard.events == whole[3].events
    assert heard.champions == whole[3].champions[70:]
    kinds = {event["event"] for event in heard.events}
    assert kinds == ({"champion", "refit", "drift"} if name == "watched" else {"champion", "refit"})
    assert {"br", "mmp", "mlpp", "nb", "counted", "timed"} <= set(curves)

"""Whole runs that an earlier Telex left in their middle: this one resumes them, to the same end.

No module of its own: it reads the run folders of tests/data/checkpoints.
"""

import tarfile
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from river.__version__ import __version__ as river

from telex.learners import usual_losses
from telex.learners.base import UsageError
from telex.learners.losses import LOSSES
from telex.stream import Checkpoints, PredictionsFile, RunFolder, Sink
from telex.stream.run_folder.speed_csv import SpeedFile
from telex.testing import RecordingSink

KEPT = Path(__file__).resolve().parents[2] / "data" / "checkpoints"


LATER = {"ranking_loss", "example_f1", "hamming_loss"}
MEASURED = [loss for name, loss in usual_losses().items() if name not in LATER]
"""What those versions measured: a run that resumes measures no more."""


@pytest.fixture
def zeros_where_nothing_is_to_rank(monkeypatch):
    """Give the losses the values that they had in those versions: a run that resumes keeps what it has summed."""
    for name in ("iserr", "errsetsize", "margin"):
        now = type(LOSSES[name]).of
        monkeypatch.setattr(
            type(LOSSES[name]), "of", lambda self, judged, now=now: np.where(judged.ranked(), now(self, judged), 0.0)
        )


@pytest.fixture(scope="module")
def make_runs():
    spec = spec_from_file_location("make_runs", KEPT / "make_runs.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ended(run):
    sink = RecordingSink()
    run.sinks[:] = [sink]
    for _ in run:
        pass
    assert run.finished
    summary = {name: value for name, value in run.summary().items() if name not in {"seconds", "docs_per_second"}}
    events = [{**event, "seconds": None} for event in sink.events if event["document"] > 70]
    summary["learnt"] = run.state.progress.learnt
    return summary, run.curves, run.state.monitors.save(), events, sink.champions


def as_it_was(run):
    """Give the learners the parameters that they had when the kept runs were made."""
    for learner in run.learners.values():
        for name, value in getattr(learner, "earlier", {}).items():
            setattr(learner, name, value)
    return run


def same(one, other):
    assert list(one) == list(other)
    for name, curve in one.items():
        assert {column: values.tobytes() for column, values in curve.items()} == {
            column: values.tobytes() for column, values in other[name].items()
        }


@pytest.mark.usefixtures("zeros_where_nothing_is_to_rank")
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("name", ["run", "watched"])
def test_a_run_of_an_earlier_version_resumes(make_runs, tmp_path, name, version):
    with tarfile.open(KEPT / f"{name}-v{version}.tar.xz") as packed:
        packed.extractall(tmp_path / "kept", filter="data")
    whole = ended(as_it_was(make_runs.made(name, tmp_path / "whole", losses=MEASURED)))
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
    assert (resumed.documents, resumed.state.delay_queue.pending > 0) == (70, True)
    summary, curves, watching, events, champions = ended(resumed)
    if version == 1:  # it compared no learners: that begins here
        compared = [one.pop("comparison")["running"]["counts"] for one in (watching, whole[2])]
        assert (compared[1] - compared[0] > 0).all()
    whole[0].pop("reliability")  # a run that began before it was counted has none
    assert summary == whole[0]
    same(curves, whole[1])
    assert repr(watching) == repr(whole[2])
    assert events == whole[3]
    assert champions == whole[4][70:]
    kinds = {event["event"] for event in events}
    assert kinds == ({"champion", "refit", "drift"} if name == "watched" else {"champion", "refit"})
    assert {"br", "mmp", "mlpp", "nb", "counted", "timed"} <= set(curves)


FILES = ("curves.csv", "label-history.csv", "losses.bin", "losses.json", "events.jsonl", "dead-letters.jsonl")


@pytest.mark.usefixtures("zeros_where_nothing_is_to_rank")
@pytest.mark.parametrize("version", [1, 2])
def test_a_run_folder_of_an_earlier_version_resumes_into_the_same_files(make_runs, tmp_path, version):
    with tarfile.open(KEPT / f"folder-v{version}.tar.xz") as packed:
        packed.extractall(tmp_path / "kept", filter="data")
    (tmp_path / "whole").mkdir()
    for _ in as_it_was(make_runs.made("folder", tmp_path / "whole" / "run", losses=MEASURED)):
        pass
    resumed = make_runs.made("folder", tmp_path / "kept" / "run", resume=True)
    resumed.resume()
    assert resumed.documents == 70
    for _ in resumed:
        pass
    for name in ("predictions.jsonl", *(f"run/{name}" for name in FILES)):
        assert (tmp_path / "kept" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    assert len((tmp_path / "kept" / "run" / "speed.csv").read_text().splitlines()) > 70 // 10


@contextmanager
def renamed(classes):
    names = {cls: (cls.__name__, cls.__qualname__) for cls in classes}
    for cls in classes:
        cls.__name__ = cls.__qualname__ = f"Another{cls.__name__}"
    try:
        yield
    finally:
        for cls, (name, whole) in names.items():
            cls.__name__, cls.__qualname__ = name, whole


def test_a_run_resumes_whatever_its_classes_are_called_now(make_runs, tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "cut").mkdir()
    for _ in make_runs.made("folder", tmp_path / "whole" / "run"):
        pass
    for _ in make_runs.made("folder", tmp_path / "cut" / "run", limit=70):
        pass
    resumed = make_runs.made("folder", tmp_path / "cut" / "run", resume=True)
    ours = {RunFolder, PredictionsFile, type(resumed.settings.lateness), type(resumed.state.monitors.champion)}
    ours |= {type(file) for file in resumed.sinks[0].files} | {type(one) for one in resumed.learners.values()}
    ours |= {type(loss) for loss in resumed.settings.losses}
    with renamed(ours):
        resumed.resume()
        for _ in resumed:
            pass
    for name in ("predictions.jsonl", *(f"run/{name}" for name in FILES)):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


class Nameless(Sink):
    """Saves a state under no name."""

    def save(self):
        return {"heard": 1}


class Named(Nameless):
    """Saves a state under a name."""

    stored_name = "named"


def test_a_sink_that_saves_has_a_stored_name(make_runs, tmp_path):
    with pytest.raises(UsageError, match="the sink Nameless saves a state but has no name to store it under"):
        make_runs.made("run", tmp_path, sinks=[Nameless()])


@pytest.mark.parametrize(
    ("then", "now", "why"),
    [
        ([], [Named()], "the checkpoint holds no state of 'named', which this run has"),
        ([Named()], [], "the checkpoint holds a state of 'named', which this run has not"),
    ],
)
def test_a_state_that_is_missing_or_left_over_is_refused(make_runs, tmp_path, then, now, why):
    for _ in make_runs.made("run", tmp_path, limit=70, sinks=then):
        pass
    with pytest.raises(UsageError, match=why):
        make_runs.made("run", tmp_path, sinks=now).resume()


def stopped(make_runs, folder):
    folder.parent.mkdir(exist_ok=True)
    for _ in make_runs.made("folder", folder, limit=70):
        pass
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return before, make_runs.made("folder", folder, resume=True)


@pytest.mark.parametrize("side", ["more", "fewer"])
def test_a_run_folder_with_other_files_than_its_checkpoint_is_refused(make_runs, tmp_path, side):
    before, resumed = stopped(make_runs, tmp_path / "run")
    kept = resumed.sinks[0]
    losses = next(file for file in kept.files if file.path.name == "losses.bin")
    more = SpeedFile(kept.path / "another.csv")
    kept.files = [*kept.files, more] if side == "more" else [file for file in kept.files if file is not losses]
    with pytest.raises(UsageError, match=r"another\.csv, which" if side == "more" else r"losses\.bin, which"):
        resumed.resume()
    assert {path.name: path.read_bytes() for path in kept.path.iterdir() if path.is_file()} == before


def test_a_file_of_a_run_is_never_begun_anew(make_runs, tmp_path):
    before, resumed = stopped(make_runs, tmp_path / "run")
    resumed.resume()
    curves = resumed.sinks[0].files[0]
    curves._length = None  # as if its state had been lost
    with pytest.raises(UsageError, match=r"curves\.csv exists, but the checkpoint does not say how much of it"):
        next(resumed)
    assert curves.path.read_bytes() == before["curves.csv"]

"""The losses of every document that a run folder stores."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import BR, NB, Last, usual_losses
from telex.learners.base import BatchBuilder, span
from telex.learners.losses import LOSSES, Loss
from telex.stream import Checkpoints, Run, RunFolder
from telex.stream.delayed_labels import Lateness
from telex.stream.run_folder import read_losses
from telex.stream.run_folder.losses_bin import LOSSES_BIN, has_losses
from telex.testing import RecordingSink

SAME = {name: loss.same_as for name, loss in LOSSES.items() if loss.same_as}
STREAM = zipf(11, documents=90, unlabelled=0.2)


def opened(folder, part=""):
    """As anybody may open it."""
    with open(folder / f"losses{part}.json", encoding="utf-8") as header:
        return np.fromfile(folder / f"losses{part}.bin", json.load(header)["dtype"])


def scored(sink, name):
    """The documents on which a learner was scored, and their losses, from the run itself."""
    found = [(step.scored, step.losses[name]) for step in sink.steps if step.watched]
    return tuple(np.concatenate(parts, axis=-1) for parts in zip(*found, strict=True))


def kept(folder, source, learners=("br", "a,b"), **options):
    sink = RecordingSink()
    made = dict(zip(learners, (BR(), NB(), Last()), strict=False))
    run = Run(source, made, sinks=[RunFolder(folder), sink], **options)
    list(run)
    return run, sink


@pytest.mark.parametrize("delay", [None, "7"])
def test_a_row_a_scored_document(tmp_path, source_of, delay):
    late = delay and Lateness(after=span("labels-after", delay))
    run, sink = kept(tmp_path / "r", source_of(STREAM, [1, 30, 2, 17]), lateness=late)
    rows = opened(tmp_path / "r")
    answered = [number for number, (_, labels) in enumerate(STREAM, 1) if labels is not None]
    wait = int(delay or 0)
    assert rows["document"].tolist() == [min(number + wait, len(STREAM)) for number in answered]
    assert np.isnan(rows["avgp br"]).any()
    for name in run.learners:
        documents, values = scored(sink, name)
        assert documents.tolist() == rows["document"].tolist()
        for loss, column in zip(run.settings.losses, values, strict=True):
            if loss.name not in SAME:
                assert rows[f"{loss.name} {name}"].tobytes() == column.astype(np.float32).tobytes()
                figure = run.summary()["learners"][name][loss.name]
                assert np.nanmean(rows[f"{loss.name} {name}"], dtype=float) == pytest.approx(figure, abs=1e-6)
    assert len(rows.dtype) == 1 + 2 * (len(usual_losses()) - len(SAME))


def test_losses_under_two_names_are_the_same(tmp_path, source_of):
    run, sink = kept(tmp_path / "r", source_of(STREAM))
    names = [loss.name for loss in run.settings.losses]
    for name in run.learners:
        values = scored(sink, name)[1]
        for other, one in SAME.items():
            assert (values[names.index(other)] == values[names.index(one)]).all()


def test_what_only_tests_is_apart_and_later_passes_are_left_out(tmp_path, source_of):
    run, _ = kept(tmp_path / "r", source_of(STREAM), test_after="n:60", epochs=3)
    train, test = opened(tmp_path / "r"), opened(tmp_path / "r", "-test")
    assert len(train) + len(test) == sum(labels is not None for _, labels in STREAM)
    assert train["document"].max() <= 60 < test["document"].min()
    for rows, figures in ((train, run.summary()["learners"]), (test, run.summary()["test"])):
        assert np.nanmean(rows["iserr br"]) == pytest.approx(figures["br"]["iserr"], abs=1e-6)
    kept(tmp_path / "other", source_of(STREAM))
    assert not list((tmp_path / "other").glob("losses-test*"))


def test_bounds_and_bests_are_named(tmp_path, source_of):
    class Twice(Loss):
        name, best = "twice", 0.0

        def of(self, judged):
            return 2.0 * judged.fp

    kept(tmp_path / "r", source_of(STREAM), losses=[LOSSES["avgp"], Twice()])
    header = json.loads((tmp_path / "r" / "losses.json").read_text())
    assert header["learners"] == ["br", "a,b"]
    assert header["losses"] == {
        "avgp": {"best": 1.0, "bounded": True, "binary": False},
        "twice": {"best": 0.0, "bounded": False, "binary": False},
    }


@pytest.mark.parametrize(
    "name", [name for name, loss in LOSSES.items() if loss.bounded and name not in {"prec3", "prec5", "brier"}]
)
def test_what_is_said_to_be_bounded_is(tmp_path, source_of, name):
    run, sink = kept(tmp_path / "r", source_of(zipf(5)), losses=[LOSSES[name]])
    values = np.concatenate([scored(sink, learner)[1] for learner in run.learners], axis=1)
    assert 0.0 <= np.nanmin(values) < 0.1
    assert np.nanmax(values) == 1.0


def test_a_resumed_run_cuts_back_what_was_written_since(tmp_path, source_of):
    def made(folder, limit, *, resume):
        sinks = [RunFolder(folder, resume=resume)]
        run = Run(source_of(STREAM, [7] * 13), {"br": BR(), "nb": NB()}, sinks=sinks, limit=limit, points=10,
                  checkpoints=Checkpoints(folder / "checkpoints"))  # fmt: skip
        if resume:
            run.resume()
        list(run)

    made(tmp_path / "whole", None, resume=False)
    made(tmp_path / "cut", 40, resume=False)
    before = (tmp_path / "cut" / "losses.bin").read_bytes()
    (tmp_path / "cut" / "losses.bin").write_bytes(before + b"written behind the checkpoint, and torn")
    made(tmp_path / "cut", None, resume=True)
    for name in ("losses.bin", "losses.json"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@given(st.integers(0, 2**16), st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=2, unique=True), st.data())
def test_losses_come_back(tmp_path_factory, seed, learners, data):
    folder = tmp_path_factory.mktemp("losses") / "r"
    builder = BatchBuilder()
    for i, (x, labels) in enumerate(zipf(seed, documents=12, unlabelled=0.2)):
        builder.add(x, labels, id=str(i))
    batch = builder.take()
    run, _ = kept(folder, [batch], learners)
    assert has_losses(folder)
    found, rows = read_losses(folder), opened(folder)
    assert found.learners == learners
    assert (found.documents() - 1).tolist() == np.flatnonzero(batch.labelled).tolist()
    for name in learners:
        for loss in found.losses:
            assert found.values(loss, name).tobytes() == rows[f"{loss} {name}"].tobytes()
        if len(rows):
            mean = found.values("zero_one", name).mean(dtype=float)
            assert mean == pytest.approx(run.summary()["learners"][name]["zero_one"], abs=1e-6)
    path = folder / LOSSES_BIN["train"]
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)), label="cut")
    path.write_bytes(content[:cut])
    assert read_losses(folder).rows.tobytes() == content[: cut - cut % rows.dtype.itemsize]

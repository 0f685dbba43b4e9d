"""A model that changes to each newer checkpoint, whatever becomes of the others."""

import os
import shutil
import threading
import time

import numpy as np
import pytest

from telex.adapters.formats import open_source
from telex.learners import MMP, NB
from telex.stream import Run, RunFolder
from telex.stream.predict import FollowedModel


def made():
    return {"mmp": MMP(), "nb": NB()}


def run_of(path, documents=600, every=100, seed=3):
    folder = RunFolder(path)
    whole = list(open_source(f"synthetic:n={documents},seed={seed},topics=5"))
    source = [some.rows(i, min(i + 50, len(some))) for some in whole for i in range(0, len(some), 50)]
    return Run(source, made(), sinks=[folder], checkpoints=folder.checkpoints, checkpoint_every=every)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run with three checkpoints."""
    path = tmp_path_factory.mktemp("whole") / "run"
    for _ in run_of(path):
        pass
    return path


@pytest.fixture
def folder(whole, tmp_path):
    """A run of which nothing but the first checkpoint has come, and the folder of the others."""
    shutil.copytree(whole, tmp_path / "run")
    numbers = sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir() if int(path.name))
    (tmp_path / "later").mkdir()
    for name in numbers[1:]:
        shutil.move(tmp_path / "run" / "checkpoints" / name, tmp_path / "later" / name)
    return tmp_path / "run", [int(name) for name in numbers]


@pytest.fixture
def no_pause(monkeypatch):
    """Broken checkpoints are tried again at once."""
    monkeypatch.setattr("telex.stream.predict.followed_model._LONGEST", -1.0)


def comes(run, number):
    shutil.move(run.parent / "later" / f"{number:06}", run / "checkpoints" / f"{number:06}")


def test_a_newer_checkpoint_takes_the_place_of_the_old_one(folder):
    run, (first, second, *_) = folder
    seen = []
    followed = FollowedModel(run, made, learner="nb", loaded=seen.append)
    assert followed.look()
    old = followed.newest
    assert (old.number, followed.look(), followed.documents_behind) == (first, False, 0)
    comes(run, second)
    assert followed.look()
    assert [one.number for one in seen] == [first, second]
    assert followed.newest.documents > old.documents
    assert old.model.predict({"gold": 1.0}).learner  # who has it may finish
    assert followed.newest.written == (run / "checkpoints" / f"{second:06}" / "header.json").stat().st_mtime_ns / 1e9


def damage(path, how):
    data = path / "state.npz"
    match how:
        case "half":
            os.truncate(data, data.stat().st_size // 2)
        case "no arrays":
            data.unlink()
        case "half a header":
            os.truncate(path / "header.json", 100)
        case "no header":
            (path / "header.json").unlink()


@pytest.mark.parametrize("how", ["half", "no arrays", "half a header", "no header"])
def test_a_damaged_checkpoint_is_passed_over_until_it_is_whole(folder, no_pause, how):
    run, (first, second, *_) = folder
    said = []
    followed = FollowedModel(run, made, say=said.append)
    followed.look()
    shutil.copytree(run.parent / "later" / f"{second:06}", run / "checkpoints" / f"{second:06}")
    damage(run / "checkpoints" / f"{second:06}", how)
    for _ in range(3):
        assert not followed.look()
    assert followed.newest.number == first
    assert followed.written[0] == second
    if how != "no header":  # then it is not there yet
        assert followed.failures == 3
        [sentence] = said
        assert f"checkpoint {second} cannot be loaded" in sentence
        assert f"checkpoint {first} stays in use" in sentence
    shutil.rmtree(run / "checkpoints" / f"{second:06}")
    comes(run, second)
    assert followed.look()
    assert followed.newest.number == second


def test_the_newest_whole_one_counts_not_the_newest(folder):
    run, (_, second, third) = folder
    followed = FollowedModel(run, made)
    comes(run, second)
    comes(run, third)
    damage(run / "checkpoints" / f"{third:06}", "half")
    assert followed.look()
    assert followed.newest.number == second
    assert followed.failures == 1
    assert not followed.look()  # it waits before it tries again
    assert followed.failures == 1
    assert followed.documents_behind == 0  # what is damaged does not say how far it is


def test_a_run_that_began_anew_is_followed_too(folder):
    run, (_, second, third) = folder
    comes(run, second)
    comes(run, third)
    followed = FollowedModel(run, made)
    followed.look()
    assert followed.newest.number == third
    shutil.rmtree(run)
    assert not followed.look()
    for _ in run_of(run, documents=100, every=50, seed=4):
        pass
    assert followed.look()
    assert followed.newest.documents == 100


def test_what_is_no_run_never_raises(tmp_path):
    said = []
    followed = FollowedModel(tmp_path / "nothing", made, say=said.append)
    assert not followed.look()
    assert said == []
    (tmp_path / "nothing").mkdir()
    (tmp_path / "nothing" / "checkpoints").symlink_to(tmp_path)
    assert not followed.look()
    assert "symbolic link" in said[0]


def test_a_place_that_cannot_be_reached_leaves_the_old_model(folder, no_pause):
    run, (first, *_) = folder
    said = []

    def away():
        raise ConnectionError("the store is away")

    followed = FollowedModel(run, made, refresh=away, say=said.append)
    assert followed.look()
    assert followed.newest.number == first
    assert "cannot be reached" in said[0]


def test_learners_that_were_asked_for_come_with_the_next_model(folder):
    run, (_, second, *_) = folder
    followed = FollowedModel(run, made, learner="nb")
    followed.look()
    assert set(followed.newest.model._loaded) == {"nb"}
    followed.wanted.add("mmp")
    followed.wanted.add("gone")
    comes(run, second)
    followed.look()
    assert set(followed.newest.model._loaded) == {"nb", "mmp"}


def test_beside_a_learner_every_prediction_is_that_of_one_checkpoint(tmp_path):
    """Checkpoints come and go as fast as they can, and a thread follows while this one predicts."""
    run = run_of(tmp_path / "run", documents=3000, every=60)
    learning = threading.Thread(target=lambda: [None for _ in run])
    followed = FollowedModel(tmp_path / "run", made, learner="mmp")
    followed.follow(0.001)
    learning.start()
    met, asked = {}, {str(name): 1.0 for name in next(iter(run_of(tmp_path / "other").source)).feature_names}
    deadline = time.monotonic() + 120
    while (learning.is_alive() or len(met) < 2) and time.monotonic() < deadline:
        if (now := followed.newest) is not None:
            found = now.model.predict(asked, reasons=0)
            scores = np.array([score for _, score in found.top])
            assert np.array_equal(met.setdefault(now.mark, scores), scores)
        time.sleep(0.001)
    learning.join()
    followed.look()
    followed.close()
    assert len(met) > 2
    assert followed.newest.documents == 3000
    assert followed.failures == 0

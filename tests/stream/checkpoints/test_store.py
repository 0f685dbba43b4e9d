"""The last few checkpoints of a run."""

import errno
import json
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from telex.learners.base import StoppedError, UsageError
from telex.stream.checkpoints import Block
from telex.stream.checkpoints import reader as reading
from telex.stream.checkpoints import store as module
from telex.stream.checkpoints.reader import read
from telex.stream.checkpoints.store import KEEP, Checkpoints


def keep(kept, *numbers):
    """Write a checkpoint for each number."""
    for number in numbers:
        kept.begin({"documents": number * 10}, {"n": number, "a": np.arange(number)})
        kept.wait()


@pytest.fixture
def kept(tmp_path):
    return Checkpoints(tmp_path / "run" / "checkpoints")


def test_a_wait_that_is_interrupted_gives_up_what_is_not_synced(kept):
    released, synced = threading.Event(), []
    kept.begin({}, {"n": 1}, [lambda: synced.append(released.wait(30))])
    writes = kept._thread.ident
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        kept.wait()
    kept.wait()  # as whoever closes the run does
    assert synced == []
    released.set()
    while writes in sys._current_frames():  # an interrupted join takes a thread for ended (Python 3.11)
        time.sleep(0.01)
    assert kept.numbers() == []
    keep(kept, 2)
    assert kept.newest()[1]["n"] == 2


def test_the_last_three_are_stored(kept):
    assert kept.numbers() == []
    keep(kept, 1, 2)
    assert kept.numbers() == [1, 2]
    keep(kept, 3, 4, 5)
    assert kept.numbers() == [3, 4, 5]
    assert KEEP == 3
    path, state = kept.newest()
    assert (path.name, state["n"], state["a"].tolist()) == ("000005", 5, [0, 1, 2, 3, 4])
    assert sorted(path.name for path in kept.folder.iterdir()) == ["000003", "000004", "000005"]


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_are_stored(tmp_path, count):
    kept = Checkpoints(tmp_path, count)
    keep(kept, 1, 2, 3, 4)
    assert kept.numbers() == [1, 2, 3, 4][-count:]


def test_numbers_grow_beyond_six_digits(kept):
    keep(kept, 1)
    kept.path(1).rename(kept.folder / "999999")
    keep(kept, 2)
    assert kept.numbers() == [999_999, 1_000_000]
    assert kept.newest()[0].name == "1000000"


def test_what_a_kill_left_is_cleared_away(kept):
    keep(kept, 1, 2, 3)
    for name in (".new-000004", ".gone-000001"):
        (kept.folder / name).mkdir()
        (kept.folder / name / "state.npz").write_text("half")
    shutil.copytree(kept.path(3), kept.path(4))  # killed before the first was removed
    keep(kept, 5)
    assert sorted(path.name for path in kept.folder.iterdir()) == ["000003", "000004", "000005"]


def test_other_things_in_the_folder_are_left_alone(kept):
    keep(kept, 1)
    (kept.folder / "notes").write_text("mine")
    (kept.folder / "12").mkdir()
    keep(kept, 2, 3, 4, 5)
    assert kept.numbers() == [3, 4, 5]
    assert (kept.folder / "notes").read_text() == "mine"


def test_syncs_come_before_it_appears(kept):
    seen = []
    kept.begin({}, {}, [lambda: seen.append(kept.numbers()), lambda: seen.append(kept.folder.is_dir())])
    kept.wait()
    assert seen == [[], True]


def test_blocks_outlive_the_checkpoint_that_wrote_them(kept):
    for _ in range(6):
        kept.begin({}, {"b": Block("b", 1, {"x": np.arange(4)})})
        kept.wait()
        inodes = [(kept.path(number) / "b.npz").stat().st_ino for number in kept.numbers()]
        assert len(set(inodes)) == (len(inodes) + 1) // 2  # not all of them can be damaged by what damages one file
    assert kept.newest()[1]["b"]["x"].tolist() == [0, 1, 2, 3]


# -- what goes wrong


def test_where_there_is_none_that_is_reported(kept):
    with pytest.raises(
        UsageError, match=r"there is no checkpoint in .*; start the run anew without --resume, in another folder"
    ):
        kept.newest()


def cut(path):
    os.truncate(path / "state.npz", 10)


def flip(path):
    """Change a bit: the size stays."""
    data = bytearray((path / "state.npz").read_bytes())
    data[100] ^= 4
    (path / "state.npz").write_bytes(data)


def empty(path):
    for one in path.iterdir():
        one.unlink()


def become_a_file(path):
    shutil.rmtree(path)
    path.write_bytes(b"")


DAMAGE = {
    "cut": cut,
    "flip": flip,
    "no array": lambda path: (path / "state.npz").unlink(),
    "no header": lambda path: (path / "header.json").unlink(),
    "half a header": lambda path: os.truncate(path / "header.json", 90),
    "header of nonsense": lambda path: (path / "header.json").write_text('{"format": "telex checkpoint"}'),
    "header of something else": lambda path: (path / "header.json").write_text("[]"),
    "empty": empty,
    "file": become_a_file,
}


@pytest.mark.parametrize("harm", DAMAGE)
def test_a_damaged_one_is_passed_over_and_keeps_another_name(kept, harm):
    keep(kept, 1, 2, 3)
    DAMAGE[harm](kept.path(3))
    with pytest.raises(UsageError) as caught:
        kept.newest(strict=True)
    assert str(caught.value).endswith(f"; remove {kept.path(3)} to resume from 000002, at document 20")
    assert kept.numbers() == [1, 2, 3]
    path, state = kept.newest()
    assert (path.name, state["n"]) == ("000002", 2)
    assert (kept.folder / "damaged-000001-000003").exists()
    [said] = kept.remarks
    assert str(kept.folder) in said
    assert said.endswith("; it is now damaged-000001-000003, and the run goes on from 000002, at document 20")
    assert kept.newest()[0] == path
    assert len(kept.remarks) == kept.damaged == 1
    keep(kept, 30)
    assert kept.newest()[1]["n"] == 30
    assert kept.numbers() == [1, 2, 3]


@pytest.mark.parametrize("harm", ["header of nonsense", "flip"])
def test_only_one_that_can_be_read_is_gone_on_from(kept, harm):
    keep(kept, 1, 2, 3)
    DAMAGE[harm](kept.path(2))
    cut(kept.path(3))
    with pytest.raises(UsageError, match=r"to resume from 000001, at document 10$"):
        kept.newest(strict=True)
    kept.pass_over_damaged()
    assert kept.numbers() == [1]
    assert [said.partition(", and")[0][-21:] for said in kept.remarks] == [
        "damaged-000001-000002",
        "damaged-000002-000003",
    ]
    assert kept.newest()[1]["n"] == 1


def test_the_last_damaged_ones_stay(kept):
    for number in range(1, 8):
        keep(kept, number, number)
        cut(kept.path(kept.numbers()[-1]))
        kept.pass_over_damaged()
    assert kept.damaged == 7
    named = sorted(one.name[:14] for one in kept.folder.glob("damaged-*"))
    assert named == ["damaged-000005", "damaged-000006", "damaged-000007"]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EMFILE, errno.ELOOP])
def test_what_only_this_process_cannot_read_stays(kept, monkeypatch, number):
    keep(kept, 1, 2)

    def unreadable(path, *_):
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(reading, "sum_of_file", unreadable)
    with pytest.raises(UsageError, match=r"000002 cannot be read: .*"):
        kept.newest()
    assert kept.numbers() == [1, 2]


def test_one_that_does_not_fit_into_memory_stays(kept, monkeypatch):
    keep(kept, 1, 2)

    def too_large(*_):
        raise MemoryError

    monkeypatch.setattr(reading, "restore", too_large)
    with pytest.raises(UsageError, match=r"000002 does not fit into memory"):
        kept.newest()
    assert kept.numbers() == [1, 2]


def test_a_damaged_one_that_cannot_be_renamed_is_one_sentence(kept, monkeypatch):
    keep(kept, 1, 2)
    cut(kept.path(2))
    monkeypatch.setattr(module, "rename_damaged", full)
    with pytest.raises(StoppedError, match=r"is broken: .*, and it cannot be renamed \(No space left on device\); rem"):
        kept.newest()


def test_where_all_are_broken_that_is_reported(kept):
    keep(kept, 1, 2)
    for number in (1, 2):
        (kept.path(number) / "state.npz").unlink()
    with pytest.raises(UsageError, match=r"no earlier one is left: start the run anew in another folder"):
        kept.newest()
    assert kept.numbers() == [1, 2]


def test_one_of_the_future_is_refused_and_the_one_before_offered(kept):
    keep(kept, 1, 2)
    header = json.loads((kept.path(2) / "header.json").read_text())
    (kept.path(2) / "header.json").write_text(json.dumps({**header, "version": 99}))
    with pytest.raises(UsageError, match=r"of version 99, .* use the Telex that wrote it; remove .*000002 to resume"):
        kept.newest()


def test_a_broken_one_before_does_not_stop_the_next(kept):
    keep(kept, 1)
    (kept.path(1) / "header.json").write_text("{")
    keep(kept, 2)
    assert kept.newest()[1]["n"] == 2


def full(*_, **__):
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_one_sentence_at_the_next_call(kept, monkeypatch):
    keep(kept, 1)
    with monkeypatch.context() as patch:
        patch.setattr(module, "write", full)
        kept.begin({}, {})
        with pytest.raises(StoppedError, match=r"cannot be written to .*\(No space left on device\); make room"):
            kept.wait()
    kept.check()  # it is reported once
    assert kept.numbers() == [1]
    keep(kept, 2)
    assert kept.newest()[1]["n"] == 2


def test_a_sync_that_fails_leaves_no_checkpoint(kept):
    kept.begin({}, {}, [full])
    with pytest.raises(StoppedError):
        kept.wait()
    assert kept.numbers() == []


def test_what_is_no_error_of_the_disk_is_passed_on(kept):
    kept.begin({}, {"x": object()})
    with pytest.raises(TypeError, match="not JSON serializable"):
        kept.wait()
    assert [*kept.folder.iterdir()] == []


def test_one_is_written_at_a_time(kept):
    free, order = threading.Event(), []

    def first():
        order.append("first begins")
        free.wait(30)
        order.append("first ends")

    kept.begin({}, {"n": 1}, [first])
    assert kept.busy
    threading.Timer(0.05, free.set).start()
    kept.begin({}, {"n": 2}, [lambda: order.append("second")])
    kept.wait()
    assert not kept.busy
    assert order == ["first begins", "first ends", "second"]
    assert [read(kept.path(number))["n"] for number in kept.numbers()] == [1, 2]


def test_a_file_where_the_folder_should_be(tmp_path):
    (tmp_path / "checkpoints").write_text("x")
    kept = Checkpoints(tmp_path / "checkpoints")
    assert kept.numbers() == []
    kept.begin({}, {})
    with pytest.raises(StoppedError, match="File exists"):
        kept.wait()
    assert Path(tmp_path / "checkpoints").read_text() == "x"

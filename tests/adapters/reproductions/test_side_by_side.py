"""Reproductions in processes of their own: the same figures, in the order of their names, and one that is killed.

`made` makes each of them.
"""

import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from telex.adapters.reproductions import check_taken, make_all
from telex.learners.base import UsageError

NAMES = ["lc-updates", "mlpp-table4", "mpboost-table1"]


@dataclass(frozen=True)
class Notes:
    """Notes what is said, in whichever process."""

    path: Path
    kill: str = "nothing"

    def __call__(self, what):
        with self.path.open("a") as file:
            file.write(f"{os.getpid()} {what}\n")
        if what.startswith(self.kill):
            os.kill(os.getpid(), signal.SIGKILL)

    def said(self):
        return [line.split(" ", 1) for line in self.path.read_text().splitlines()]


def made(folder, note, processes):
    return [
        replace(one, seconds=0)
        for one in make_all(NAMES, folder, {"rounds": 2, "terms": 3, "runs": 1}, note, processes)
    ]


def test_other_processes_make_the_same(rcv1_tokens, tmp_path):
    here, there = Notes(tmp_path / "here"), Notes(tmp_path / "there")
    expected = made(rcv1_tokens, here, 1)
    assert made(rcv1_tokens, there, 2) == expected
    assert [one.name for one in expected] == NAMES
    assert [bool(one.found) for one in expected] == [True, True, False]
    assert expected[0].settings == {"rounds": 2, "terms": 3}
    assert expected[2].failed.startswith("there is no")
    assert sorted(what for _, what in here.said()) == sorted(what for _, what in there.said())
    assert {pid for pid, _ in here.said()} == {str(os.getpid())}
    assert len({pid for pid, _ in there.said()} - {str(os.getpid())}) == len(NAMES)


def test_one_that_is_killed_harms_no_other(rcv1_tokens, tmp_path):
    killed, other, _ = made(rcv1_tokens, Notes(tmp_path / "notes", kill="lc-updates: learning hm"), 2)
    assert killed.failed == "its process ended with -9; make it by itself, with more memory"
    assert other.found


def test_processes_end_where_nobody_waits_any_more(rcv1_tokens, tmp_path):
    note = Notes(tmp_path / "notes")
    making = make_all(["mlpp-table4", "lc-figure4"], rcv1_tokens, {"rounds": 100000, "terms": 3}, note, 2)
    assert next(making).name == "mlpp-table4"
    while not any(what.startswith("lc-figure4: learning") for _, what in note.said()):
        pass
    [pid] = {int(pid) for pid, what in note.said() if what.startswith("lc-figure4")}
    making.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_setting_that_none_takes():
    with pytest.raises(UsageError, match="none of the reproductions takes --folds; they take --rounds, --terms"):
        check_taken(["lc-figure3"], {"folds": 3})

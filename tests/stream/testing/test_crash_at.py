"""A fault comes at the call that was asked for, and at no other."""

import errno
import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from telex.testing import crash_at


def save(path):
    """Two writes, an fsync and a rename."""
    with path.with_suffix(".new").open("wb") as file:
        file.write(b"first")
        file.flush()
        file.write(b"second")
        file.flush()
        os.fsync(file.fileno())
    path.with_suffix(".new").rename(path)


def test_calls_are_counted(tmp_path):
    with crash_at(0) as calls:
        save(tmp_path / "a")
    assert calls == ["write", "write", "fsync", "rename"]
    assert (tmp_path / "a").read_bytes() == b"firstsecond"
    with crash_at(0, "fsync", "rename") as calls:
        save(tmp_path / "a")
    assert calls == ["fsync", "rename"]


@pytest.mark.parametrize(("number", "left"), [(1, b""), (2, b"first"), (3, b"firstsecond"), (4, b"firstsecond")])
def test_the_call_that_fails_does_nothing(tmp_path, number, left):
    with pytest.raises(OSError, match="No space left on device") as caught, crash_at(number, stays=True):
        save(tmp_path / "a")
    assert caught.value.errno == errno.ENOSPC
    assert not (tmp_path / "a").exists()
    assert (tmp_path / "a.new").read_bytes() == left


def test_only_calls_of_a_kind_fail_and_with_an_error_of_choice(tmp_path):
    with pytest.raises(OSError, match="Input/output error"), crash_at(1, "rename", error=errno.EIO) as calls:
        save(tmp_path / "a")
    assert calls == ["rename"]


def test_a_fault_passes_or_stays(tmp_path):
    def attempt():
        try:
            save(tmp_path / "a")
        except OSError:
            return False
        return True

    with crash_at(1, "fsync"):
        assert [attempt() for _ in range(3)] == [False, True, True]
    with crash_at(2, "fsync", stays=True):
        assert [attempt() for _ in range(3)] == [True, False, False]
    assert attempt()


def test_a_write_counts_when_a_file_hands_it_over(tmp_path):
    with crash_at(0) as calls, (tmp_path / "a").open("w", encoding="utf-8") as file:
        for _ in range(100):
            file.write("ä")
        assert calls == []
    assert calls == ["write"]


def test_files_of_every_mode_are_what_they_were(tmp_path):
    path = tmp_path / "a"
    with crash_at(0):
        path.write_text("eins\n", encoding="latin-1")
        with open(path, "a", encoding="latin-1", newline="\r\n") as file:
            file.write("zwei\n")
        with path.open("r+b") as file:
            assert isinstance(file, io.BufferedRandom)
            assert file.read() == b"eins\nzwei\r\n"
            file.seek(0)
            file.write(b"Eins")
        with path.open("rb", 0) as file:
            assert file.read() == b"Eins\nzwei\r\n"
        with pytest.raises(FileExistsError):
            path.open("xb")
        with tempfile.TemporaryFile() as file:
            file.write(b"x")
    with open(path, encoding="latin-1") as file:
        assert file.mode == "r"
        assert file.read() == "Eins\nzwei\n"


def test_nothing_is_left_behind_it():
    before = (open, io.open, os.write, os.pwrite, os.fsync, os.rename, os.replace)
    with pytest.raises(ZeroDivisionError), crash_at(1):
        1 / 0  # noqa: B018
    assert before == (open, io.open, os.write, os.pwrite, os.fsync, os.rename, os.replace)


def test_calls_of_all_threads_count(tmp_path):
    with crash_at(0) as calls:
        threads = [threading.Thread(target=save, args=(tmp_path / str(i),)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(calls) == ["fsync"] * 8 + ["rename"] * 8 + ["write"] * 16


KILLED = """
import sys
from pathlib import Path
from telex.testing import crash_at

with crash_at(int(sys.argv[2]), kill=True), open(sys.argv[1], "wb", 4) as file:
    for letter in b"abcde":
        file.write(bytes([letter]) * 5)
print("alive")
"""


@pytest.mark.parametrize(("number", "left"), [(1, b""), (3, b"aaaaabbbbb"), (6, b"aaaaabbbbbcccccdddddeeeee")])
def test_a_process_is_killed_there(tmp_path, number, left):
    call = [sys.executable, "-c", KILLED, str(tmp_path / "a"), str(number)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (tmp_path / "a").read_bytes() == left
    survives = number > 5
    assert (done.returncode, done.stdout) == ((0, "alive\n") if survives else (-signal.SIGKILL, ""))


def test_a_real_library_meets_it(tmp_path):
    """numpy saves through the files that count."""
    import numpy as np  # noqa: PLC0415

    path = Path(tmp_path, "a.npz")
    with pytest.raises(OSError, match="No space"), crash_at(2, stays=True):
        np.savez(path, x=np.arange(100_000))

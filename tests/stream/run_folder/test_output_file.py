"""A file that a command writes: whole under its name, never over another unasked, and by one process."""

import os
import threading

import pytest

from telex.learners.base import StoppedError, UsageError
from telex.stream.run_folder import OutputFile, check_output
from telex.stream.run_folder.output_file import PART


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_gets_its_name_when_it_is_whole(tmp_path):
    with OutputFile(tmp_path / "a") as file:
        file.write(b"whole")
        assert names(tmp_path) == ["a.part"]
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"whole"


def test_nothing_comes_of_an_error(tmp_path):
    (tmp_path / "a").write_text("old")

    def fail():
        with OutputFile(tmp_path / "a", overwrite=True) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "old"


@pytest.mark.parametrize("in_place", [False, True])
def test_an_existing_file_is_replaced_only_on_request(tmp_path, in_place):
    (tmp_path / "a").write_text("old")
    os.link(tmp_path / "a", tmp_path / "other")
    with pytest.raises(UsageError, match="a is there already; name another file, or replace it with --overwrite"):
        OutputFile(tmp_path / "a", in_place=in_place)
    with OutputFile(tmp_path / "a", overwrite=True, in_place=in_place) as file:
        file.write(b"new")
    assert ((tmp_path / "a").read_text(), (tmp_path / "other").read_text()) == ("new", "old")


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_one_process_writes_a_file(tmp_path, first, second):
    output = OutputFile(tmp_path / "a", in_place=first)
    with pytest.raises(UsageError, match=r"another process is writing .*a(\.part)?; wait for its end"):
        OutputFile(tmp_path / "a", overwrite=True, in_place=second)
    output.file.write(b"first")
    output.finish()
    assert (tmp_path / "a").read_bytes() == b"first"
    OutputFile(tmp_path / "a", overwrite=True, in_place=second).discard()


def test_a_file_that_came_meanwhile_stays(tmp_path):
    output = OutputFile(tmp_path / "a")
    (tmp_path / "a").write_text("another's")
    with pytest.raises(StoppedError, match=r"another process has written .*a meanwhile"):
        output.finish()
    output.discard()
    assert (tmp_path / "a").read_text() == "another's"


def test_what_a_kill_has_left_is_dropped(tmp_path):
    (tmp_path / f"a{PART}").write_text("left by a process that was killed")
    with OutputFile(tmp_path / "a") as file:
        file.write(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names(tmp_path) == ["a"]


def test_a_part_that_is_another_file(tmp_path):
    (tmp_path / "mine").write_text("mine")
    os.link(tmp_path / "mine", tmp_path / f"a{PART}")
    with OutputFile(tmp_path / "a") as file:
        file.write(b"new")
    (tmp_path / f"b{PART}").symlink_to(tmp_path / "mine")
    with pytest.raises(UsageError, match=r"b cannot be written .*; name another file"):
        OutputFile(tmp_path / "b")
    os.mkfifo(tmp_path / f"c{PART}")
    with pytest.raises(UsageError, match=r"c\.part is not a plain file; remove it"):
        OutputFile(tmp_path / "c")
    assert ((tmp_path / "mine").read_text(), (tmp_path / "a").read_text()) == ("mine", "new")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    with OutputFile(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path / "folder") == ["file"]


def test_devices_pipes_and_what_is_open_already(tmp_path):
    with OutputFile("/dev/null", overwrite=True) as file:
        file.write(b"lost")
    assert not os.path.isfile("/dev/null")
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    with OutputFile(tmp_path / "pipe") as file:
        file.write(b"through")
    reader.join()
    assert read == [b"through"]
    with (tmp_path / "log").open("wb", 0) as log:
        log.write(b"first ")
        with OutputFile(f"/dev/fd/{log.fileno()}") as file:
            file.write(b"second")
    assert (tmp_path / "log").read_bytes() == b"first second"
    assert names(tmp_path) == ["log", "pipe"]


def test_what_cannot_become_a_file(tmp_path):
    with pytest.raises(UsageError, match="is a folder; name a file in it"):
        check_output(tmp_path)
    with pytest.raises(UsageError, match=r"the folder .*none is not there; make it"):
        check_output(tmp_path / "none" / "a")
    with pytest.raises(UsageError, match=r"cannot be written \(File name too long\)"):
        OutputFile(tmp_path / ("a" * 252))


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    called = []

    def noted(name):
        call = getattr(os, name)

        def go(*given):
            called.append(name)
            return call(*given)

        return go

    for name in ("fsync", "link"):
        monkeypatch.setattr(os, name, noted(name))
    with OutputFile(tmp_path / "a") as file:
        file.write(b"new")
    assert called == ["fsync", "link", "fsync"]

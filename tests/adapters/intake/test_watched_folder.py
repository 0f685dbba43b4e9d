"""Files are taken once they are whole, by a clock of our own."""

import pytest

from telex.adapters.intake import WatchedFolder


@pytest.fixture
def watch(tmp_path, monkeypatch):
    """A watch over a folder, with a clock that is moved by hand, and what was taken."""
    now, taken = [0.0], []
    monkeypatch.setattr("telex.adapters.intake.watched_folder._POLL", 0.0)

    def take(paths):
        taken.append([path.rpartition("/")[2] for path in paths])
        return True

    def begun(**how):
        return WatchedFolder(str(tmp_path), take, clock=lambda: now[0], **{"settle": 2.0, **how}), now, taken

    return begun


def test_a_file_is_whole_once_it_stays_as_it_is(watch, tmp_path):
    watched, now, taken = watch()
    (tmp_path / "a10").write_text("1")
    (tmp_path / "a9").write_text("1")
    assert watched() is False
    now[0] = 1.5
    (tmp_path / "a10").write_text("12")
    assert watched() is False
    now[0] = 2.0
    assert watched() is True
    now[0] = 3.5
    assert watched() is True
    now[0] = 9.0
    assert watched() is False
    assert taken == [["a9"], ["a10"]]
    (tmp_path / "a9").write_text("more")
    assert watched() is False
    now[0] = 11.0
    assert watched() is True
    assert taken[2:] == [["a9"]]


def test_what_is_unfinished_hidden_or_a_folder_is_left_alone(watch, tmp_path):
    watched, _, taken = watch(settle=0.0)
    for name in (".a", "b.part", "c.tmp", "d~", "e.csv"):
        (tmp_path / name).write_text("1")
    (tmp_path / "inside").mkdir()
    assert watched() is True
    (tmp_path / "b.part").rename(tmp_path / "b")
    assert watched() is True
    assert watched() is False
    assert taken == [["e.csv"], ["b"]]


def test_files_are_taken_in_the_order_of_their_names(watch, tmp_path):
    watched, _, taken = watch(settle=0.0)
    for name in ("day10", "day9", "day1"):
        (tmp_path / name).write_text("1")
    assert watched() is True
    assert taken == [["day1", "day9", "day10"]]


def test_what_grows_is_looked_at_whenever_it_has_changed(watch, tmp_path):
    watched, _, taken = watch(grows=lambda path: path.endswith("a"))
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("1")
    assert watched() is True
    assert watched() is False
    (tmp_path / "a").write_text("12")
    assert watched() is True
    assert taken == [["a"], ["a"]]


def test_it_is_over_when_nothing_has_changed_for_so_long(watch, tmp_path):
    watched, now, taken = watch(until_idle=5.0)
    assert watched() is False
    now[0] = 4.0
    (tmp_path / "a").write_text("1")
    assert watched() is False
    now[0] = 6.0
    assert watched() is True
    now[0] = 100.0  # it was learnt meanwhile
    assert watched() is False
    now[0] = 104.0
    assert watched() is False
    now[0] = 105.0
    assert watched() is None
    assert taken == [["a"]]

"""A resumed run recognises its files, wherever they were changed."""

import os
from itertools import pairwise

import pytest

from telex.adapters.cli.input_identity import check_inputs, file_identity, piece_offsets, sum_before
from telex.learners.base import UsageError


def write(path, data):
    """Write without a change of the time that can be seen."""
    path.write_bytes(data)
    os.utime(path, ns=(7, 7))


def refuse(warning):
    raise AssertionError(warning)


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 4 << 20, (4 << 20) + 1, 10**9])
def test_the_pieces_cover_both_ends_and_all_of_a_small_file(size):
    starts = piece_offsets(size)
    assert starts[0] == 0
    assert starts == sorted(starts)
    assert len(starts) <= 64
    assert starts[-1] == max(0, size - 65_536)
    if size <= 4 << 20:
        assert all(after - before <= 65_536 for before, after in pairwise(starts))


def test_a_byte_that_differs_is_refused_and_a_later_write_is_warned_of(tmp_path):
    path = tmp_path / "news.jsonl"
    write(path, b"x" * 100_000)
    then = file_identity(str(path))
    check_inputs([then, None], str(tmp_path), refuse, None)
    write(path, b"x" * 99_999 + b"y")
    with pytest.raises(UsageError, match="is not what this run has read so far"):
        check_inputs([then], str(tmp_path), refuse, None)
    path.write_bytes(b"x" * 100_000)
    warnings = []
    check_inputs([then], str(tmp_path), warnings.append, None)
    assert ["was written after this run began" in one for one in warnings] == [True]
    path.unlink()
    with pytest.raises(UsageError, match="is not there any more; put it back"):
        check_inputs([then], str(tmp_path), refuse, None)


def test_a_mended_record_may_differ_and_what_is_before_it_may_not(tmp_path):
    path = tmp_path / "news.jsonl"
    write(path, b"good\nbad\n")
    then = file_identity(str(path))
    mended = {"path": str(path), "offset": 5, "before": sum_before(str(path), 5)}
    write(path, b"good\nmended\n")
    check_inputs([then], str(tmp_path), refuse, mended)
    write(path, b"evil\nmended\n")
    with pytest.raises(UsageError, match="is not what this run has read so far"):
        check_inputs([then], str(tmp_path), refuse, mended)
    assert sum_before(str(path), 13) is None


def test_a_folder_is_known_by_its_files(tmp_path):
    folder = tmp_path / "news"
    folder.mkdir()
    for name in ("a", "b"):
        write(folder / name, name.encode())
    then = file_identity(str(folder))
    (folder / ".hidden").write_text("nothing")
    check_inputs([then], str(tmp_path), lambda _: None, None)
    write(folder / "c", b"c")
    with pytest.raises(UsageError, match="is not what this run has read so far"):
        check_inputs([then], str(tmp_path), lambda _: None, None)


def test_a_pipe_has_no_identity(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert file_identity(str(tmp_path / "pipe")) is None

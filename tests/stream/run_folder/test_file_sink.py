"""What the sinks of single files share: a file that is begun, cut back, or replaced as a whole."""

import pytest

from telex.learners.base import StoppedError, UsageError
from telex.stream.run_folder import csv_text, open_output, replace_file
from telex.stream.run_folder.file_sink import FileSink


def test_a_resumed_file_is_cut_back_to_its_checkpoint(tmp_path):
    first = FileSink(tmp_path / "file")
    first.begin(None)
    first.write("kept\n")
    saved = first.save()
    first.write("written after the checkpoint\n")
    first.close()
    again = FileSink(tmp_path / "file")
    again.load(saved)
    again.begin(None)
    again.write("more\n")
    again.sync()
    again.close()
    assert (tmp_path / "file").read_text() == "kept\nmore\n"


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="move it away, or start a new run"):
        open_output(tmp_path / "file", None)
    with pytest.raises(UsageError, match=r"missing or shorter than .* 9 bytes; put it back"):
        open_output(tmp_path / "file", 9)
    assert (tmp_path / "file").read_text() == "mine"


def test_an_error_names_the_file(tmp_path):
    with pytest.raises(StoppedError, match=r"folder/file cannot be written \(No such file or directory\)"):
        replace_file(tmp_path / "folder" / "file", "text")


def test_only_one_process_continues_a_file(tmp_path):
    (tmp_path / "file").write_text("kept, and more")
    message = r"another process is writing .*file; wait for its end"
    with open_output(tmp_path / "file", 5), pytest.raises(UsageError, match=message):
        open_output(tmp_path / "file", 4)
    assert (tmp_path / "file").read_text() == "kept,"


def test_numbers_have_their_shortest_exact_form():
    assert csv_text([["a", 0.1, None, 3, "x,y"]]) == 'a,0.1,,3,"x,y"\n'

"""Files beside the documents: a named pipe is refused before it is opened, which could wait forever."""

import os
import socket

import pytest

from telex.learners.base import UsageError, check_plain_file


@pytest.fixture
def pipe(tmp_path):
    """A named pipe to which nothing writes."""
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_what_is_refused(pipe, tmp_path):
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(tmp_path / "s"))
        for path, what in ((pipe, "a pipe"), (tmp_path / "s", "a socket"), ("/dev/zero", "a device")):
            with pytest.raises(UsageError, match=f"is {what}; give a plain file"):
                check_plain_file(path)


def test_what_passes(pipe, tmp_path):
    read, write = os.pipe()
    for path in (tmp_path, tmp_path / "none", os.devnull, f"/dev/fd/{read}", __file__, "a\0b"):
        check_plain_file(path)
    os.close(read)
    os.close(write)

"""JSON of a run folder that somebody else has made."""

import os
import socket

import pytest

from telex.stream.text_files import encoded, read_json


def test_a_value_comes_back(tmp_path):
    path = tmp_path / "run.json"
    path.write_bytes(encoded('{"paths": ["caf\udce9", "é"]}'))
    assert read_json(path) == {"paths": ["caf\udce9", "é"]}
    assert path.read_text(encoding="utf-8")  # valid UTF-8, for other programs
    path.write_bytes('{"paths": ["caf\udce9"]}'.encode("utf-8", "surrogatepass"))  # as older runs wrote it
    assert read_json(path) == {"paths": ["caf\udce9"]}


def test_what_cannot_be_read_to_an_end_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(OSError, match="not a plain file"):
            read_json(path)
    for path in (tmp_path / "socket", tmp_path / "none", tmp_path):
        with pytest.raises(OSError, match=r"No such file|not a plain file"):
            read_json(path)


def test_size_and_depth_are_bounded(tmp_path):
    path = tmp_path / "run.json"
    path.write_text("[1, 2]")
    assert read_json(path, 6) == [1, 2]
    with pytest.raises(ValueError, match="more than 5 bytes"):
        read_json(path, 5)
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match="more than"):
        read_json(path)
    for deep in ("[" * 10**6, '{"a":' * 10**6):
        path.write_text(deep)
        with pytest.raises(ValueError, match="deeply"):
            read_json(path)

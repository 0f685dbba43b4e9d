"""Formats of texts in files of their own; `story_format`, their base, is tested with them."""

import io
import os
import tarfile
import threading
import zipfile

import pytest

from telex.adapters.formats import Newsgroups, open_archive
from telex.adapters.formats.newsml import NewsML
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter

ITEM = '<newsitem itemid="%d" date="1996-08-20"><text><p>x</p></text></newsitem>\n'
POST = b"Newsgroups: a\nSubject: s\n\nbody\n"


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(**members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def test_folders_and_archives_are_known_by_the_first_file_that_is_known(told, file, tmp_path):
    for make in (zipped, tarred):
        source = open_archive(file(make(README=b"posts", a=b"", b=POST), "archive"))
        assert isinstance(source, Newsgroups)
    (tmp_path / "archive").unlink()
    (tmp_path / "days" / "1").mkdir(parents=True)
    (tmp_path / "days" / "README").write_text("days")
    (tmp_path / "days" / "1" / "day.zip").write_bytes(zipped(x=ITEM % 1))
    assert isinstance(open_archive(tmp_path / "days"), NewsML)
    assert isinstance(open_archive([tmp_path / "days", tmp_path / "days" / "README"]), NewsML)


def test_what_holds_nothing_known(file, tmp_path):
    path = file(tarred(a=b"A,B 1:1\n"), "x.tar")
    with pytest.raises(
        UsageError, match="is an archive without a file in a format that is read from archives; unpack it"
    ):
        open_archive(path)
    with pytest.raises(UsageError, match="is a folder without a file in a format that is read from folders"):
        open_archive(tmp_path)


def test_a_folder_is_passed_over_for_a_file_that_is_known(told, file, tmp_path):
    path = file(b'{"id": "1", "text": "x"}\n', "one.jsonl")
    letter, story = told(open_archive([path.parent, path], order="file"))
    assert (letter.stage, story.id) == ("read", "1")


def test_what_comes_out_of_a_pipe_does_not_wait_for_more(told, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = [threading.Event() for _ in range(3)]

    def write():
        with path.open("wb", buffering=0) as pipe:
            for i, event in enumerate(read):
                pipe.write((ITEM % i).encode())
                event.wait(5)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    for i, (event, stories) in enumerate(zip(read, open_archive(path, order="file"), strict=True)):
        assert list(stories.ids) == [str(i)]
        event.set()
    writer.join()


@pytest.mark.parametrize("order", ["file", "time"])
@pytest.mark.parametrize("make", [zipped, None])
def test_how_much_is_read(file, tmp_path, make, order):
    if make:
        path = file(make(**{f"{i}.xml": ITEM % i for i in range(600)}), "day.zip")
    else:
        path = tmp_path
        for i in range(600):
            (path / f"{i}.xml").write_text(ITEM % i)
    source = NewsML(path, order=order, rows=50)
    shares = []
    for _ in range(2):
        for stories in source:
            assert not isinstance(stories, DeadLetter)
            shares.append(source.share_read)
    assert all(0 < share <= 1 for share in shares)
    assert shares[-1] > 0.99

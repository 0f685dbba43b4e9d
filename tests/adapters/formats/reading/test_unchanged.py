"""Files and folders that are written while they are read: the reading ends with an error, whatever came of it."""

import gzip
import io
import os
import shutil
import tarfile
import zipfile

import pytest

from telex.adapters.formats import open_archive
from telex.adapters.formats.reading.input import Input
from telex.learners.base import BrokenRecordError, StoppedError

LINES = b"".join(b'{"id": "%d", "time": %d, "features": {"a": 1}, "labels": ["x"]}\n' % (i, i) for i in range(9000))
NEWS = b"Newsgroups: sci.med\nSubject: Re: gold\n\n" + b"Gold falls. " * 1000


def grows(path):
    with path.open("ab") as file:
        file.write(b"more\n")


def is_cut(path):
    os.truncate(path, path.stat().st_size // 2)


def is_written(path):
    content = path.read_bytes()
    path.write_bytes(content[::-1])
    os.utime(path, ns=(0, 0))


def is_replaced(path):
    found = path.stat()
    shutil.copy(path, path.with_name("new"))
    os.utime(path.with_name("new"), ns=(found.st_atime_ns, found.st_mtime_ns))
    os.replace(path.with_name("new"), path)


def is_removed(path):
    path.unlink()


CHANGES = {grows: "grew", is_cut: "was cut", is_written: "was written", is_replaced: "was written",
           is_removed: "was removed"}  # fmt: skip


def zipped(names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, NEWS)
    return out.getvalue()


def tarred(names):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = len(NEWS)
            archive.addfile(member, io.BytesIO(NEWS))
    return out.getvalue()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("content", [LINES, gzip.compress(LINES)], ids=["plain", "compressed"])
def test_a_file_that_changes_between_two_chunks(file, content, change):
    path = file(content, "a.jsonl")
    source = Input(path)
    chunks = source.chunks()
    next(chunks)
    change(path)
    with pytest.raises(StoppedError, match=rf"a\.jsonl {CHANGES[change]} while it was read; start again") as told:
        list(chunks)
    assert not isinstance(told.value, BrokenRecordError)
    with pytest.raises(StoppedError, match="start again"):
        source.check_unchanged()


@pytest.mark.parametrize("order", ["file", "time"])
@pytest.mark.parametrize("lines", [LINES, b"".join(reversed(LINES.splitlines(keepends=True)))], ids=["sorted", "not"])
def test_a_change_between_two_documents(file, lines, order):
    path = file(lines, "a.jsonl")
    archive = open_archive(path, order=order, rows=100)
    items = iter(archive)
    next(items)
    is_cut(path)
    with pytest.raises(StoppedError, match=r"a\.jsonl was cut"):
        [*items, archive.check_unchanged()]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_that_changes(file, pack):
    path = file(pack([f"sci.med/{i}" for i in range(300)]), "news")
    items = iter(open_archive(path, "newsgroups", order="file", rows=1))
    next(items)
    is_cut(path)
    with pytest.raises(StoppedError, match="news was cut while it was read"):
        list(items)


def adds(folder):
    (folder / "sci.med" / "new").write_bytes(NEWS)


def removes(folder):
    (folder / "sci.med" / "1").unlink()


def writes_what_was_read(folder):
    (folder / "sci.med" / "0").write_bytes(NEWS[::-1])


@pytest.mark.parametrize(
    ("change", "how"), [(adds, "got more files"), (removes, "lost files"), (writes_what_was_read, "was written")]
)
def test_a_folder_that_changes(tmp_path, change, how):
    (tmp_path / "sci.med").mkdir()
    for i in range(8):
        (tmp_path / "sci.med" / str(i)).write_bytes(NEWS)
    archive = open_archive(tmp_path, "newsgroups", order="file", rows=1)
    assert len(list(archive)) == 8
    archive.check_unchanged()
    change(tmp_path)
    with pytest.raises(StoppedError, match=f"{how} while it was read"):
        list(archive)
    with pytest.raises(StoppedError, match=f"{how} while it was read"):
        archive.check_unchanged()


def test_a_file_in_a_folder_that_is_cut_while_it_is_read(tmp_path):
    (tmp_path / "a.sgm").write_bytes(b'<REUTERS NEWID="1"><BODY>gold falls</BODY></REUTERS>\n' * 60_000)
    items = iter(open_archive(tmp_path, "reuters21578", order="file", rows=1))
    next(items)
    is_cut(tmp_path / "a.sgm")
    with pytest.raises(StoppedError, match=r"a\.sgm was cut while it was read"):
        list(items)


def test_a_parquet_file_that_changes(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.table({"id": [str(i) for i in range(2000)], "text": ["gold"] * 2000, "labels": [["x"]] * 2000})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=100)
    items = iter(open_archive(tmp_path / "a.parquet", order="file", rows=10))
    next(items)
    is_cut(tmp_path / "a.parquet")
    with pytest.raises(StoppedError, match=r"a\.parquet was cut while it was read"):
        list(items)


def test_files_beside_the_documents(tmp_path):
    (tmp_path / "vectors.dat").write_text("2287  7:0.6 9:0.8\n2286  9:1\n")
    (tmp_path / "topics.qrels").write_text("ECAT 2286 1\n")
    archive = open_archive(tmp_path / "vectors.dat", "lyrl-vectors")
    assert len(list(archive)) == 1
    grows(tmp_path / "topics.qrels")
    with pytest.raises(StoppedError, match=r"topics\.qrels grew while it was read"):
        archive.check_unchanged()

"""The checkpoints of a run at a URL, which may be half copied there."""

import functools
import http.server
import os
import shutil
import threading

import pytest

from telex.learners.base import UsageError
from telex.stream.checkpoints import Checkpoints, RemoteRun
from telex.stream.checkpoints.reader import CheckpointError, facts_of
from telex.stream.checkpoints.writer import write

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install 'telex[remote]'")


def comes(run, number, documents=None):
    write(run / "checkpoints" / f"{number:06}", {"documents": documents or 10 * number}, {"a": [number]})


def comes_again(run, number, documents):
    """Put a checkpoint of another run in the place of the one of this number."""
    shutil.rmtree(run / "checkpoints" / f"{number:06}")
    comes(run, number, documents)


@pytest.fixture
def run(tmp_path):
    """The folder of a run with two checkpoints, and that from which nothing was learnt."""
    for number in range(3):
        comes(tmp_path / "wire", number)
    (tmp_path / "wire" / "run.json").write_text('{"options": {}}')
    return tmp_path / "wire"


class Quiet(http.server.SimpleHTTPRequestHandler):
    lists = True

    def log_message(self, *_):
        """Say nothing."""

    def list_directory(self, path):
        return super().list_directory(path) if self.lists else self.send_error(403)


@pytest.fixture(params=["file", "memory", "http that lists folders", "http with an index"])
def place(request, run):
    """The URL of the run, and a function that brings its folder's newest state there."""
    kind = request.param
    if kind == "file":
        yield f"file://{run}", lambda: None
    elif kind == "memory":
        store = fsspec.filesystem("memory")

        def bring():
            if store.exists("/wire"):
                store.rm("/wire", recursive=True)
            store.put(str(run), "/wire", recursive=True)

        bring()
        yield "memory://wire", bring
        store.rm("/wire", recursive=True)
    else:
        handler = type("Handler", (Quiet,), {"lists": kind.endswith("folders")})

        def bring():
            if kind.endswith("index"):
                names = sorted(path.name for path in (run / "checkpoints").iterdir() if path.is_dir())
                (run / "checkpoints" / "index.txt").write_text("\n".join(names))

        bring()
        with http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(handler, directory=str(run.parent))
        ) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            yield f"http://127.0.0.1:{server.server_port}/wire/", bring
            server.shutdown()
            thread.join()


def numbers(remote):
    return Checkpoints(remote.folder / "checkpoints").numbers()


def test_the_newest_is_copied_and_few_are_kept(run, place, tmp_path):
    url, bring = place
    remote = RemoteRun(url, tmp_path / "cache")
    remote.refresh()
    assert numbers(remote) == [2]
    assert facts_of(remote.folder / "checkpoints" / "000002")["documents"] == 20
    assert (remote.folder / "run.json").read_text() == '{"options": {}}'
    before = (remote.folder / "checkpoints" / "000002").stat()
    remote.refresh()
    assert (remote.folder / "checkpoints" / "000002").stat().st_ino == before.st_ino  # it is not copied again
    for number in (3, 4):
        comes(run, number)
        bring()
        remote.refresh()
    assert numbers(remote) == [3, 4]
    shutil.rmtree(run / "checkpoints")
    comes(run, 4, documents=7)  # another run
    bring()
    remote.refresh()
    assert facts_of(remote.folder / "checkpoints" / "000004")["documents"] == 7


def test_a_new_run_that_begins_with_lower_numbers_is_taken(run, place, tmp_path):
    url, bring = place
    remote = RemoteRun(url, tmp_path / "cache")
    for number in (900, 901):
        comes(run, number)
        bring()
        remote.refresh()
    assert numbers(remote) == [900, 901]
    shutil.rmtree(run / "checkpoints")
    comes(run, 1, documents=6)
    comes(run, 2, documents=7)
    (run / "checkpoints" / "000002" / "state.npz").rename(tmp_path / "late")
    bring()
    with pytest.raises(CheckpointError):
        remote.refresh()
    assert numbers(remote) == [1]
    (tmp_path / "late").rename(run / "checkpoints" / "000002" / "state.npz")
    bring()
    remote.refresh()
    assert numbers(remote) == [1, 2]
    assert facts_of(remote.folder / "checkpoints" / "000002")["documents"] == 7


@pytest.mark.parametrize("how", ["no arrays", "half the arrays", "other arrays", "half a header", "no header"])
def test_what_is_half_copied_is_not_taken_until_it_is_whole(run, place, tmp_path, how):
    url, bring = place
    comes(run, 3)
    newest = run / "checkpoints" / "000003"
    shutil.copytree(newest, tmp_path / "whole")
    data, header = newest / "state.npz", newest / "header.json"
    match how:
        case "no arrays":
            data.unlink()
        case "half the arrays":
            data.write_bytes(data.read_bytes()[:-1])
        case "other arrays":
            data.write_bytes(bytes(reversed(data.read_bytes())))
        case "half a header":
            header.write_bytes(header.read_bytes()[:100])
        case "no header":
            header.unlink()
    bring()
    remote = RemoteRun(url, tmp_path / "cache")
    if how == "no header":  # it has not begun to come
        remote.refresh()
    else:
        with pytest.raises(CheckpointError):
            remote.refresh()
    assert numbers(remote) == [2]
    assert [path.name for path in (remote.folder / "checkpoints").iterdir()] == ["000002"]
    shutil.rmtree(newest)
    shutil.copytree(tmp_path / "whole", newest)
    bring()
    remote.refresh()
    assert numbers(remote) == [2, 3]


@pytest.mark.parametrize("when", ["while nothing is there", "while another run is there"])
def test_processes_that_share_the_cache_keep_the_first_copy(run, tmp_path, monkeypatch, when):
    """While one copies, another process makes the same copy."""
    url, cache = f"file://{run}", tmp_path / "cache"
    if when == "while another run is there":
        RemoteRun(url, cache).refresh()
        comes_again(run, 2, documents=7)
    ours, other = RemoteRun(url, cache), RemoteRun(url, cache)
    copy, found = ours.folder / "checkpoints" / "000002", []
    get_file = ours._store.get_file

    def get_and_be_overtaken(*arguments):
        monkeypatch.setattr(ours._store, "get_file", get_file)
        with monkeypatch.context() as there:
            there.setattr(os, "getpid", lambda: 7)
            other.refresh()
        found.append(copy.stat().st_ino)
        get_file(*arguments)

    monkeypatch.setattr(ours._store, "get_file", get_and_be_overtaken)
    ours.refresh()
    assert found == [copy.stat().st_ino]
    assert facts_of(copy)["documents"] == (20 if when == "while nothing is there" else 7)
    assert [path.name for path in copy.parent.iterdir()] == ["000002"]


def test_a_run_that_has_not_begun_has_no_checkpoints(tmp_path):
    remote = RemoteRun(f"file://{tmp_path / 'later'}", tmp_path / "cache")
    remote.refresh()
    assert numbers(remote) == []


def test_a_store_that_is_not_known_is_a_sentence(tmp_path):
    with pytest.raises(UsageError, match="give another URL"):
        RemoteRun("carrierpigeon://loft/wire", tmp_path)

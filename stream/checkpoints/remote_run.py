"""A run at a URL: its newest whole checkpoint is copied into a local folder, from which it is read."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.checkpoints.own_folders import make_folder
from telex.stream.checkpoints.reader import HEADER, CheckpointError, Files, body_of, broken
from telex.stream.checkpoints.snapshot import RUN_JSON
from telex.stream.checkpoints.store import CHECKPOINTS, Checkpoints
from telex.stream.checkpoints.writer import leftovers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

INDEX = "index.txt"
"""The file in the folder of checkpoints that lists their names, for web servers that list no folders."""
_KEEP = 2
"""How many copies stay: readers that share the folder may still load the one before."""
_ABANDONED = 3600.0
"""Seconds after which an unfinished copy is nobody's."""


def is_url(run: str) -> bool:
    """Tell whether a run is at a URL.

    >>> is_url("s3://bucket/wire"), is_url("runs/wire")
    (True, False)
    """
    return re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://", run) is not None


class RemoteRun:
    """Copies the newest checkpoint of the run at ``url`` into ``folder``, which then looks like that of the run.

    The run's folder may be half copied to the URL itself: a checkpoint counts once all files that its header names are
    there with their checksums. A copy appears only when it is whole; several processes may share the ``cache``, in
    which each URL has a folder. The URL is of any store that fsspec knows: ``s3://`` (with the package s3fs),
    ``gs://`` (gcsfs), ``https://``.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from telex.stream.checkpoints.writer import write
    >>> place = TemporaryDirectory()
    >>> run = Path(place.name, "wire")
    >>> write(run / "checkpoints" / "000001", {"documents": 7}, {})
    >>> _ = (run / "run.json").write_text("{}")
    >>> remote = RemoteRun(f"file://{run}", Path(place.name, "cache"))
    >>> remote.refresh()
    >>> Checkpoints(remote.folder / "checkpoints").numbers()
    [1]
    >>> place.cleanup()
    """

    def __init__(self, url: str, cache: Path) -> None:
        self.url = url.rstrip("/")
        self.folder = cache / hashlib.blake2b(self.url.encode(), digest_size=12).hexdigest()
        self._copies = Checkpoints(self.folder / CHECKPOINTS)
        self._store, self._root = _opened(self.url)

    def refresh(self) -> None:
        """Copy the newest whole checkpoint, unless it is here; raise an error if one that is newer is not whole."""
        make_folder(self._copies.folder)
        self._store.invalidate_cache()
        self._copy_run_json()
        wrong: CheckpointError | None = None
        here = self._copies.numbers()  # before those there: another process may copy a newer one meanwhile
        numbers = sorted(self._numbers(), reverse=True)
        for number in numbers:
            try:
                header = self._store.cat_file(self._at(number, HEADER))
                if not self._is_here(number, header):
                    self._copy(number, header)
                self._remove(one for one in here if one > numbers[0])  # of the run before
                break
            except FileNotFoundError:  # it is being removed, or its header has not come yet
                continue
            except CheckpointError as error:
                wrong = wrong or error
        self._remove(self._copies.numbers()[:-_KEEP])
        self._remove_abandoned()
        if wrong is not None:
            raise wrong

    def _at(self, number: int, name: str) -> str:
        return f"{self._root}/{CHECKPOINTS}/{number:06}/{name}"

    def _numbers(self) -> list[int]:
        """Return the numbers of the checkpoints there; 0, from which nothing was learnt, is left out."""
        place = f"{self._root}/{CHECKPOINTS}/"
        try:
            names = self._store.cat_file(f"{place}{INDEX}").decode("ascii", "replace").split()
        except FileNotFoundError:
            try:
                names = self._store.ls(place, detail=False)
            except FileNotFoundError:
                return []
        last = (str(name).rstrip("/").rpartition("/")[2] for name in names)
        return [int(name) for name in last if re.fullmatch(r"\d{6,}", name, re.ASCII) and int(name)]

    def _is_here(self, number: int, header: bytes) -> bool:
        try:
            return (self._copies.path(number) / HEADER).read_bytes() == header
        except OSError:
            return False

    def _copy_run_json(self) -> None:
        """Copy what names the learners; a run that is not there yet has none."""
        with suppress(FileNotFoundError):
            found, path = self._store.cat_file(f"{self._root}/{RUN_JSON}"), self.folder / RUN_JSON
            if not path.exists() or path.read_bytes() != found:
                new = path.with_name(f".new-{os.getpid()}-{RUN_JSON}")
                new.write_bytes(found)
                new.rename(path)

    def _copy(self, number: int, header: bytes) -> None:
        final = self._copies.path(number)
        new = final.with_name(f".new-{os.getpid()}-{final.name}")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            (new / HEADER).write_bytes(header)
            body = body_of(new)
            for name, size in body["files"].items():
                if (there := self._store.info(self._at(number, name)).get("size")) not in (None, size):
                    raise broken(final, f"{name} has {there:,} bytes at {self.url} instead of {size:,}")
                self._store.get_file(self._at(number, name), str(new / name))
            with Files(new, body["files"]) as files:
                files.check(body["sums"])
            self._keep_time(number, new / HEADER)
            self._put_in_place(new, number, header)
        except FileNotFoundError as error:
            raise broken(final, f"not all of it is at {self.url} yet, or any more ({error})") from error
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def _put_in_place(self, new: Path, number: int, header: bytes) -> None:
        """Rename a copy, unless another process has made the same one meanwhile: it may be loaded already."""
        final = self._copies.path(number)
        while True:
            try:
                new.rename(final)
            except OSError as error:
                if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                    raise
                if self._is_here(number, header):
                    return
                with suppress(FileNotFoundError):  # another run has begun there
                    final.rename(gone := final.with_name(f".gone-{os.getpid()}-{final.name}"))
                    shutil.rmtree(gone)
            else:
                return

    def _keep_time(self, number: int, header: Path) -> None:
        """Give the copy the time of the checkpoint, where the store knows it: it tells how old a model is."""
        with suppress(NotImplementedError, OSError, KeyError, TypeError, AttributeError):
            written = self._store.modified(self._at(number, HEADER)).timestamp()
            os.utime(header, (written, written))

    def _remove(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            shutil.rmtree(self._copies.path(number), ignore_errors=True)

    def _remove_abandoned(self) -> None:
        for path in leftovers(self._copies.folder):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _ABANDONED:
                    shutil.rmtree(path)


def _opened(url: str) -> tuple[Any, str]:
    """Return the store of a URL, and the path there."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UsageError(f"{url} needs another library: pip install 'telex[remote]'") from error
    try:
        store, root = url_to_fs(url, use_listings_cache=False)
    except (ImportError, ValueError) as error:  # s3fs is missing, or there is no such protocol
        raise UsageError(f"{url} cannot be read: {error}; install what it needs, or give another URL") from error
    return store, str(root).rstrip("/")

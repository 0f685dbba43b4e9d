"""The reader of checkpoints: it returns the whole state, or says in a sentence why it cannot."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np

from telex.learners.base import UsageError
from telex.stream.checkpoints.version_1 import upgraded
from telex.stream.text_files import open_regular, read_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from telex.learners.base import State

FORMAT, VERSION = "telex checkpoint", 2
HEADER = "header.json"
ARRAY, BLOCK = "$array", "$block"
_NO_DAMAGE = {errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE, errno.ETIMEDOUT,
              errno.ELOOP, errno.EINVAL}  # fmt: skip
"""Errors that say nothing of the bytes: another process could read them, or this one later, or they are no file."""

_Count = Annotated[int, msgspec.Meta(ge=0, lt=10**15)]
_Figures = dict[str, dict[str, float | None]]


class _Summary(msgspec.Struct):
    """The types of the summary in the facts: what is there is shown to people."""

    documents: _Count = 0
    labels: _Count = 0
    features: _Count = 0
    unlabelled: _Count = 0
    pending: _Count = 0
    dead_letters: _Count = 0
    duplicates: _Count = 0
    learners: _Figures = {}
    test: _Figures = {}


class _Facts(msgspec.Struct):
    """The types of the facts; ``time`` is that of the newest document, in epoch seconds."""

    documents: _Count = 0
    epoch: _Count = 1
    part: str = "train"
    finished: bool = False
    time: float | None = None
    summary: _Summary | None = None


class _Body(msgspec.Struct):
    """The types of a header's body, whose ``state`` is a tree of any kind."""

    facts: _Facts
    state: Any
    blocks: dict[str, int]
    files: dict[str, _Count]
    sums: dict[str, str]


class CheckpointError(UsageError):
    """A checkpoint that cannot be read: it is damaged, of a later version, or closed to this process."""


class DamagedCheckpointError(CheckpointError):
    """A checkpoint that is not what a run wrote, and that nobody can read any more."""


def read(folder: Path) -> State:
    """Return the state saved in ``folder``, or raise an error that says why it cannot be read."""
    body = body_of(folder)
    try:
        with Files(folder, body["files"]) as files:
            files.check(body["sums"])
            state = restore(body["state"], files)
    except CheckpointError:
        raise
    except MemoryError as error:
        raise CheckpointError(f"the checkpoint {folder} does not fit into memory") from error
    except OSError as error:
        raise _unreadable(folder, error) from error
    except Exception as error:  # a zip and its arrays can be broken in many ways
        raise broken(folder, str(error) or type(error).__name__) from error
    if not isinstance(state, dict):
        raise broken(folder, "it holds no state")
    return state


def verify(folder: Path) -> None:
    """Raise the error that :func:`read` would raise, mostly; take no memory for the state."""
    body = body_of(folder)
    try:
        with Files(folder, body["files"]) as files:
            files.check(body["sums"])
    except OSError as error:
        raise _unreadable(folder, error) from error


def facts_of(folder: Path) -> dict[str, Any]:
    """Return the ``facts`` of a checkpoint; check its header and the sizes of its files, but read no arrays."""
    body = body_of(folder)
    for name, size in body["files"].items():
        path = folder / name
        if not path.is_file():
            raise broken(folder, f"{name} is missing")
        if path.stat().st_size != size:
            raise broken(folder, f"{name} has {path.stat().st_size:,} bytes instead of {size:,}")
    facts: dict[str, Any] = body["facts"]
    return facts


class Files:
    """The .npz files of a checkpoint, opened when they are first needed."""

    def __init__(self, folder: Path, names: Mapping[str, int]) -> None:
        self._folder, self._names = folder, names
        self._open: dict[str, Any] = {}
        self._closing = ExitStack()

    def __enter__(self) -> Files:
        facts_of(self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def check(self, sums: Mapping[str, str]) -> None:
        """Read every file, and compare its checksum."""
        for name in self._names:
            if sum_of_file(self._folder / name) != sums[name]:
                raise broken(self._folder, f"{name} has changed since it was written")

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise ValueError(f"{name} is not one of its files")
        if name not in self._open:
            # Opened here: numpy does not close a file that turns out not to be .npz.
            file = self._closing.enter_context(open_regular(self._folder / name))
            self._open[name] = np.load(file, allow_pickle=False)
        return self._open[name]

    def block(self, name: str) -> dict[str, Any]:
        """Return all arrays of a file, and close it: there may be more such files than a process can open."""
        if name not in self._names:
            raise ValueError(f"{name} is not one of its files")
        with open_regular(self._folder / name) as file, np.load(file, allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}


def restore(value: Any, files: Files) -> Any:
    """Return a state, or a part of one, from its tree in a header."""
    if isinstance(value, dict):
        if ARRAY in value:
            return files["state.npz"][value[ARRAY]]
        if BLOCK in value:
            return files.block(f"{value[BLOCK]}.npz")
        return {key[key.startswith("$") :]: restore(one, files) for key, one in value.items()}
    if isinstance(value, list):
        return [restore(one, files) for one in value]
    return value


def sum_of_file(path: Path) -> str:
    """Return the checksum of a file."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def sum_of(body: Mapping[str, Any]) -> str:
    """Return the checksum of a header's body."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def body_of(folder: Path) -> dict[str, Any]:
    """Return the body of a checkpoint's header, once its checksum has been verified."""
    try:
        header = read_json(folder / HEADER)
    except FileNotFoundError:
        raise DamagedCheckpointError(f"{folder} is no checkpoint: it has no {HEADER}") from None
    except OSError as error:
        raise _unreadable(folder / HEADER, error) from error
    except (ValueError, RecursionError):
        raise broken(folder, f"its {HEADER} is not JSON") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise DamagedCheckpointError(f"{folder} is no checkpoint of Telex: its {HEADER} belongs to something else")
    version = header.get("version")
    if not isinstance(version, int) or version < 1:
        raise broken(folder, f"its {HEADER} has no version")
    if version > VERSION:
        raise CheckpointError(
            f"{folder} is a checkpoint of version {version}, and this Telex reads versions 1 and {VERSION}; "
            "use the Telex that wrote it"
        )
    body = header.get("body")
    if not isinstance(body, dict) or header.get("sum") != sum_of(body):
        raise broken(folder, f"its {HEADER} has changed since it was written")
    try:
        msgspec.convert(body, _Body)
        if any(os.path.basename(name) != name for name in body["files"]) or body["files"].keys() != body["sums"].keys():
            raise broken(folder, "its files and their sums are not what a run writes")
        return {**body, "state": upgraded(body["state"])} if version == 1 else body
    except (msgspec.ValidationError, LookupError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise broken(folder, f"its {HEADER} does not hold what it should ({error})") from error


def broken(folder: Path, why: str) -> DamagedCheckpointError:
    """Return the error for a checkpoint that is damaged, and why."""
    return DamagedCheckpointError(f"the checkpoint {folder} is broken: {why}")


def _unreadable(path: Path, error: OSError) -> CheckpointError:
    """Return the error for what cannot be read; some errors mean no damage."""
    kind = CheckpointError if error.errno in _NO_DAMAGE else DamagedCheckpointError
    return kind(f"{path} cannot be read: {error.strerror or error}")

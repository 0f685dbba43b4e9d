"""The writer of checkpoints: a JSON header and arrays in .npz files, in a folder that appears only when complete."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from telex.learners.base import UsageError
from telex.stream.checkpoints.own_folders import sync_folder
from telex.stream.checkpoints.reader import (
    ARRAY,
    BLOCK,
    FORMAT,
    HEADER,
    VERSION,
    CheckpointError,
    body_of,
    broken,
    sum_of,
    sum_of_file,
)
from telex.stream.text_files import encoded, open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from telex.learners.base import State

SHARED = 2
"""How many checkpoints may share a file, by hard links."""
_PIECE = 1 << 20
"""How many bytes are written at once."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a state that has a file of its own, ``name``.npz.

    While ``stamp`` stays the same, so must the arrays: the next checkpoint may then link to the file instead of writing
    it. ``arrays`` may be None if an earlier checkpoint has the file, or a function, which is called only when the
    arrays have to be written.
    """

    name: str
    stamp: int
    arrays: Mapping[str, np.ndarray[Any, Any]] | Callable[[], Mapping[str, np.ndarray[Any, Any]]] | None


def write(
    folder: Path, facts: Mapping[str, Any], state: State, previous: Path | None = None, shared: int = SHARED
) -> None:
    """Write ``state`` into the new folder ``folder``, which appears once its last byte is on the disk.

    ``previous`` is an earlier checkpoint of the same run. Its blocks are linked to until ``shared`` checkpoints share a
    file; then the file is written again, so that one damaged file does not break all checkpoints. ``facts`` are for
    people: JSON that :func:`~telex.stream.checkpoints.reader.facts_of` reads without the state.
    """
    new = folder.with_name(f".new-{folder.name}")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        arrays: dict[str, np.ndarray[Any, Any]] = {}
        blocks: dict[str, int] = {}
        sums: dict[str, str] = {}
        before = _before(previous)

        def put(block: Block) -> None:
            name = f"{block.name}.npz"
            checksum = _linked(block, new / name, previous, before, shared)
            if checksum is None:
                checksum = _save(new / name, block.arrays() if callable(block.arrays) else block.arrays or {})
            sums[name] = checksum
            blocks[block.name] = block.stamp

        tree = _plain(state, arrays, put)
        sums["state.npz"] = _save(new / "state.npz", arrays)
        body = {
            "facts": dict(facts),
            "state": tree,
            "blocks": blocks,
            "files": {path.name: path.stat().st_size for path in sorted(new.iterdir())},
            "sums": sums,
        }
        text = json.dumps({"format": FORMAT, "version": VERSION, "sum": sum_of(body), "body": body}, ensure_ascii=False)
        with (new / HEADER).open("xb") as file:
            file.write(encoded(text))
            _sync(file)
        sync_folder(new)
        new.rename(folder)
        sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _plain(value: Any, arrays: dict[str, np.ndarray[Any, Any]], put: Any) -> Any:
    """Return a state as JSON; add its arrays to ``arrays`` and give its blocks to ``put``."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise UsageError(
                "a state has an array of Python objects, which no checkpoint can hold; give numbers or a list"
            )
        key = f"a{len(arrays)}"
        arrays[key] = value
        return {ARRAY: key}
    if isinstance(value, Block):
        put(value)
        return {BLOCK: value.name}
    if isinstance(value, dict):
        return {_escaped(str(key)): _plain(one, arrays, put) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, arrays, put) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def _escaped(key: str) -> str:
    return f"${key}" if key.startswith("$") else key


def _before(previous: Path | None) -> dict[str, Any]:
    """Return the body of an earlier checkpoint's header; empty if there is no checkpoint, or a broken one."""
    try:
        return {} if previous is None else body_of(previous)
    except CheckpointError:
        return {}


def _linked(block: Block, new: Path, previous: Path | None, before: Mapping[str, Any], shared: int) -> str | None:
    """Link to a block of the checkpoint before and return its checksum, or return None if it must be written."""
    name = new.name
    if previous is None or not before or before["blocks"].get(block.name) != block.stamp:
        if block.arrays is None:
            raise UsageError(f"the block {block.name} is in no checkpoint yet; give its arrays")
        return None
    old, known = previous / name, str(before["sums"][name])
    try:
        found = old.lstat()
        if stat.S_ISREG(found.st_mode) and found.st_size == before["files"][name] and found.st_nlink < shared:
            os.link(old, new)
            return known
    except OSError:  # not every file system has links
        pass
    if block.arrays is not None:
        return None
    if sum_of_file(old) != known:
        raise broken(previous, f"{name} has changed since it was written")
    with open_regular(old) as source, new.open("xb") as copy:
        shutil.copyfileobj(source, copy, _PIECE)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    return known


def _save(path: Path, arrays: Mapping[str, np.ndarray[Any, Any]]) -> str:
    """Write a file; return its checksum."""
    with path.open("xb") as file:
        summed = _Summed(file)
        # Not by numpy.savez: it holds the interpreter's lock for 16 MB at a time, and the stream waits for it.
        with zipfile.ZipFile(cast("BinaryIO", summed), "w") as archive:
            for name, array in arrays.items():
                whole = np.asarray(array, order="C")
                with archive.open(f"{name}.npy", "w", force_zip64=True) as out:
                    np.lib.format.write_array_header_1_0(out, np.lib.format.header_data_from_array_1_0(whole))
                    data = whole.reshape(-1).view(np.uint8).data
                    for start in range(0, len(data), _PIECE):
                        out.write(data[start : start + _PIECE])
        _sync(file)
    return summed.sum.hexdigest()


class _Summed:
    """A file that is written from start to end, with the checksum of what was written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.sum = file, hashlib.blake2b(digest_size=16)

    def write(self, data: bytes | memoryview) -> int:
        self.sum.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield the folders that a kill during writing or removing has left beside the checkpoints."""
    yield from folder.glob(".new-*")
    yield from folder.glob(".gone-*")

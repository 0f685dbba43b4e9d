"""A state on disk: arrays in .npz files beside one JSON header; whole, or not there at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from telex.learners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from telex.stream.state import State

FORMAT, VERSION = "telex checkpoint", 1
_HEADER = "header.json"
_PIECE = 1 << 20
_ARRAY, _BLOCK = "$array", "$block"


class CheckpointError(UsageError):
    """A checkpoint that cannot be taken: broken, of something else, or of a later version."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a state that has a file of its own, ``name``.npz.

    While ``stamp`` stays the same the arrays are the same, and the next checkpoint links to the file instead of writing
    it; ``arrays`` may then be None. A function is called only where they are to be written.
    """

    name: str
    stamp: int
    arrays: Mapping[str, np.ndarray[Any, Any]] | Callable[[], Mapping[str, np.ndarray[Any, Any]]] | None


def write(folder: Path, facts: Mapping[str, Any], state: State, previous: Path | None = None) -> None:
    """Write ``state`` into the new folder ``folder``, which appears with its last byte on the disk.

    ``previous`` is a checkpoint of the same run, whose blocks may be linked to. ``facts`` are for people: JSON that
    :func:`facts_of` reads without the state.
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
            sums[name] = _linked(block, name, new, previous, before) or _save(
                new / name, block.arrays() if callable(block.arrays) else block.arrays or {}
            )
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
        text = json.dumps({"format": FORMAT, "version": VERSION, "sum": _sum(body), "body": body}, ensure_ascii=False)
        with (new / _HEADER).open("xb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
            _sync(file)
        _sync_folder(new)
        new.rename(folder)
        _sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def read(folder: Path) -> State:
    """Return the state kept in ``folder``, or say in a sentence why it cannot be taken."""
    body = _body(folder)
    try:
        with _Files(folder, body["files"]) as files:
            files.check(body["sums"])
            state = _live(body["state"], files)
    except CheckpointError:
        raise
    except Exception as error:  # a zip and its arrays can be wrong in many ways
        raise _broken(folder, str(error) or type(error).__name__) from error
    if not isinstance(state, dict):
        raise _broken(folder, "its state is none")
    return state


def facts_of(folder: Path) -> dict[str, Any]:
    """Return the ``facts`` of a checkpoint, having looked at its header and at the sizes of its files."""
    body = _body(folder)
    for name, size in body["files"].items():
        path = folder / name
        if not path.is_file():
            raise _broken(folder, f"{name} is not there")
        if path.stat().st_size != size:
            raise _broken(folder, f"{name} has {path.stat().st_size:,} bytes instead of {size:,}")
    facts: dict[str, Any] = body["facts"]
    return facts


class _Files:
    """The .npz files of a checkpoint, open while it is read."""

    def __init__(self, folder: Path, names: Mapping[str, int]) -> None:
        self._folder, self._names = folder, names
        self._open: dict[str, Any] = {}

    def __enter__(self) -> _Files:
        facts_of(self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._open.values():
            file.close()

    def check(self, sums: Mapping[str, str]) -> None:
        """Read every byte, and hold it against its file's sum."""
        for name in self._names:
            if _sum_of(self._folder / name) != sums[name]:
                raise _broken(self._folder, f"{name} is not as it was written")

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise ValueError(f"{name} is not one of its files")
        if name not in self._open:
            self._open[name] = np.load(self._folder / name, allow_pickle=False)
        return self._open[name]


def _plain(value: Any, arrays: dict[str, np.ndarray[Any, Any]], put: Any) -> Any:
    """Return JSON for a state; its arrays go to ``arrays``, its blocks to ``put``."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise UsageError(
                "a state has an array of Python objects, which no checkpoint keeps; give numbers or a list"
            )
        key = f"a{len(arrays)}"
        arrays[key] = value
        return {_ARRAY: key}
    if isinstance(value, Block):
        put(value)
        return {_BLOCK: value.name}
    if isinstance(value, dict):
        return {_escaped(str(key)): _plain(one, arrays, put) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, arrays, put) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def _live(value: Any, files: _Files) -> Any:
    if isinstance(value, dict):
        if _ARRAY in value:
            return files["state.npz"][value[_ARRAY]]
        if _BLOCK in value:
            block = files[f"{value[_BLOCK]}.npz"]
            return {key: block[key] for key in block.files}
        return {key[key.startswith("$") :]: _live(one, files) for key, one in value.items()}
    if isinstance(value, list):
        return [_live(one, files) for one in value]
    return value


def _escaped(key: str) -> str:
    return f"${key}" if key.startswith("$") else key


def _before(previous: Path | None) -> dict[str, Any]:
    """Return what an earlier checkpoint holds, nothing where there is none, or a broken one."""
    try:
        return {} if previous is None else _body(previous)
    except CheckpointError:
        return {}


def _linked(block: Block, name: str, new: Path, previous: Path | None, before: Mapping[str, Any]) -> str | None:
    """Take a block over from the checkpoint before, and return its sum; None where it must be written."""
    if previous is None or not before or before["blocks"].get(block.name) != block.stamp:
        return None
    try:
        if (previous / name).stat().st_size != before["files"][name]:
            return None
        os.link(previous / name, new / name)
    except OSError:  # not every file system has links
        if block.arrays is not None:
            return None
        shutil.copyfile(previous / name, new / name)
        with (new / name).open("rb") as file:
            os.fsync(file.fileno())
    found: str = before["sums"][name]
    return found


def _save(path: Path, arrays: Mapping[str, np.ndarray[Any, Any]]) -> str:
    """Write a file, and return its sum."""
    with path.open("xb") as file:
        summed = _Summed(file)
        # Not by numpy.savez: it keeps the interpreter for itself for 16 MB at a time, and the stream waits for it.
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
    """A file that is written from its begin to its end, and what it sums up to."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.sum = file, hashlib.blake2b(digest_size=16)

    def write(self, data: bytes | memoryview) -> int:
        self.sum.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


def _sum_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _sum(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _body(folder: Path) -> dict[str, Any]:
    try:
        header = json.loads((folder / _HEADER).read_bytes().decode("utf-8", "surrogatepass"))
    except FileNotFoundError:
        raise CheckpointError(f"{folder} is no checkpoint: it has no {_HEADER}") from None
    except OSError as error:
        raise CheckpointError(f"{folder / _HEADER} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        raise _broken(folder, f"its {_HEADER} is no JSON") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise CheckpointError(f"{folder} is no checkpoint of Telex: its {_HEADER} is something else's")
    if header.get("version") != VERSION:
        raise CheckpointError(
            f"{folder} is a checkpoint of version {header.get('version')}, and this Telex reads version {VERSION}; "
            "take the Telex that wrote it"
        )
    body = header.get("body")
    if not isinstance(body, dict) or header.get("sum") != _sum(body):
        raise _broken(folder, f"its {_HEADER} is not as it was written")
    return body


def _broken(folder: Path, why: str) -> CheckpointError:
    return CheckpointError(f"the checkpoint {folder} is broken: {why}")


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield what a kill in the midst of writing has left in a folder of checkpoints."""
    yield from folder.glob(".new-*")
    yield from folder.glob(".gone-*")

"""Which format the files of some paths are in, and which files these are."""

from __future__ import annotations

import codecs
import os
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.known_formats import find_format, format_names, recognised
from telex.learners.base import UnclearInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from telex.adapters.formats.known_formats import Format
    from telex.adapters.formats.reading import Input

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_WORKBOOK = "xlsx"
_PREFERRED = {"lyrl-vectors": "lyrl2004_vectors", "lyrl-tokens": "lyrl2004_tokens"}
"""How the names of the files begin that are meant by a folder, of formats whose collections have others beside them."""


class _NoFormatInFolderError(Exception):
    """No file of a folder is in a format that is read from folders."""


def format_of(path: str) -> str:
    """Return the name of the format in which a file is, by its content."""
    from telex.adapters.formats.reading import Input  # noqa: PLC0415

    return _recognise([Input(path)])[0]


def choose_format(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], name: str | None, encoding: str | None
) -> tuple[str, Format, Any, list[str]]:
    """Return the format of ``paths`` by name, its class, what to give to it, and what to say about that."""
    if encoding is not None:
        _check_encoding(encoding)
    if name is None and _any_text(paths, lambda path: path.startswith(("http://", "https://"))):
        name = "rss"
    if name is None and _any_text(paths, lambda path: path.partition(":")[0] == "synthetic"):
        name = "synthetic"
    if name is None:
        name = _collection_in(paths)
    given: Any = paths
    if name is not None:
        found = find_format(name)
        if not found.takes_folders:
            given, remarks = _without_folders(paths, found, name)
            return name, found, _in_encoding(given, encoding), remarks
        return name, found, _in_encoding(given, encoding), []
    inputs = inputs_of(paths)
    _in_encoding(inputs, encoding)
    try:
        name, found = _recognise(inputs)
    except _NoFormatInFolderError:
        name, given, remarks = _files_of(inputs)
        return name, find_format(name), _in_encoding(given, encoding), remarks
    return name, found, inputs, []


def inputs_of(paths: Any) -> list[Input]:
    """Return the paths as inputs, each with its first bytes where they were read."""
    from telex.adapters.formats.reading import Input  # noqa: PLC0415

    return Input.all(paths)


def as_list(paths: Any) -> list[Any]:
    """Return one path or several as a list."""
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _collection_in(paths: Any) -> str | None:
    """Return the format of the collection that a folder holds, by the names of its files."""
    many = as_list(paths)
    if len(many) == 1 and isinstance(many[0], (str, os.PathLike)) and os.path.isdir(many[0]):
        names = sorted(os.listdir(many[0]))
        known = (name for name, begin in _PREFERRED.items() if any(one.startswith(begin) for one in names))
        return next(known, None)
    return None


def _in_encoding(given: Any, encoding: str | None) -> Any:
    if encoding is None:
        return given
    from telex.adapters.formats.detection import EACH, own_encoding  # noqa: PLC0415

    inputs = inputs_of(given)
    for source in inputs:
        source.encoding = own_encoding(source) if encoding == EACH else encoding
    return inputs


def _check_encoding(encoding: str) -> None:
    from telex.adapters.formats.detection import EACH  # noqa: PLC0415

    try:
        if encoding == EACH or codecs.lookup(encoding)._is_text_encoding:
            return
    except (LookupError, ValueError):
        pass
    raise UsageError(f"encoding={encoding}: give an encoding of text, such as cp1252, utf-16 or latin-1, or each")


def _without_folders(paths: Any, found: Format, name: str) -> tuple[Any, list[str]]:
    """Return the paths with the files of a format in the place of their folders, and what to say about it."""
    from telex.adapters.formats.detection import files_in_folder, said_of_folder  # noqa: PLC0415

    many, taken, remarks = as_list(paths), list[Any](), list[str]()
    if not any(isinstance(path, (str, os.PathLike)) and os.path.isdir(path) for path in many):
        return many, []
    for path in many:
        if not os.path.isdir(path):
            taken.append(path)
            continue
        files = files_in_folder(os.fspath(path), found.recognises, _PREFERRED.get(name, ""))
        if not files:
            raise UsageError(f"{path} is a folder without a file of the format {name}; name the files")
        remarks.append(said_of_folder(os.fspath(path), files))
        taken += files
    return taken, remarks


def _files_of(inputs: list[Input]) -> tuple[str, list[str], list[str]]:
    """Return the one format of the files in folders, these files, and what to say about it."""
    from telex.adapters.formats.detection import files_in_folder, said_of_folder  # noqa: PLC0415

    by_format = dict[str, list[str]]()
    remarks = list[str]()
    for source in inputs:
        here = dict[str, list[str]]()

        def recognises(head: bytes, path: str, here: dict[str, list[str]] = here) -> bool:
            known = recognised(head, path)
            if known:
                here.setdefault(known[0], []).append(path)
            return known is not None

        files_in_folder(source.path, recognises)
        for name, files in here.items():
            preferred = [path for path in files if os.path.basename(path).startswith(_PREFERRED.get(name, "\0"))]
            by_format.setdefault(name, []).extend(preferred or files)
            remarks.append(said_of_folder(source.path, preferred or files))
    if not by_format:
        path = inputs[0].path
        raise UsageError(f"{path} is a folder without a file in a format that is read from folders; name a file in it")
    if len(by_format) > 1:
        several = " and ".join(f"{name} (as {os.path.basename(files[0])})" for name, files in by_format.items())
        raise UnclearInputError(f"{inputs[0].path} is a folder with files of several formats: {several}", [*by_format])
    [(name, files)] = by_format.items()
    return name, files, remarks


def _any_text(paths: Any, is_such: Callable[[str], bool]) -> bool:
    many = [paths] if isinstance(paths, str) else paths if isinstance(paths, (list, tuple)) else []
    return any(isinstance(path, str) and is_such(path) for path in many)


def _recognise(inputs: list[Any]) -> tuple[str, Format]:
    for source in inputs:
        head = source.head()
        if head.startswith(b"PK") and find_format(_WORKBOOK).recognises(head, source.path):  # a zip archive by itself
            return _WORKBOOK, find_format(_WORKBOOK)
        if source.is_folder or head.startswith(b"PK") or b"\0" in head[:512]:
            inside = _recognise_inside(source, head)
            if inside is not None:
                return inside
        if head.strip():
            if known := recognised(head, source.path):
                return known
            if head.startswith(_UTF_16) and source.encoding is None:
                source.encoding = "utf-16"
                return _recognise(inputs)
            raise UsageError(
                f"the format of {source.path} is not recognised; name it with --format, one of "
                f"{', '.join(format_names())}"
            )
    if all(source.is_folder for source in inputs):
        raise _NoFormatInFolderError
    # no file can be decoded in any format: each becomes a dead letter
    return recognised(b"", inputs[0].path) or ("jsonl", find_format("jsonl"))


def _recognise_inside(source: Any, head: bytes) -> tuple[str, Format] | None:
    from telex.adapters.formats.reading import file_heads, is_archive  # noqa: PLC0415

    if not source.is_folder and not is_archive(head):
        return None
    for first, path in file_heads(source):
        if known := recognised(first, path, inside=True):
            return known
    if source.is_folder:
        return None
    raise UsageError(f"{source.path} is an archive without a file in a format that is read from archives; unpack it")

"""Finds the formats, and chooses one by name or by content."""

from __future__ import annotations

import difflib
import inspect
import os
from functools import cache
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol

from telex.adapters.plugins import read_declarations
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from telex.stream.sources import Archive, Features, RecordBudget

__all__ = ["Format", "find_format", "format_names", "format_of", "open_archive", "open_source", "open_split"]

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class Format(Protocol):
    """A class of sources, as the table of formats holds it."""

    summary: str
    options: Mapping[str, str]
    takes_folders: bool

    def __call__(self, paths: Any, **options: Any) -> Archive:
        """Return the documents of ``paths``."""
        ...

    def recognises(self, head: bytes, path: str) -> bool:
        """Tell whether a file that begins with ``head`` (empty if nothing could be read) is of this format."""
        ...


def format_names() -> list[str]:
    """Return the names of all formats, those of other packages last."""
    return [*_ours(), *_installed()]


@cache
def _ours() -> dict[str, str]:
    """Return the class of each format of this folder, as ``module:class``, by name, in the order of their places."""
    found = [
        (place, name, f"{__package__}.{module}:{member}")
        for module, formats in read_declarations(str(Path(__file__).parent), "FORMATS").items()
        for name, (member, place) in formats.items()
    ]
    return {name: where for _, name, where in sorted(found)}


def _installed() -> Iterator[str]:
    yield from sorted({entry.name for entry in entry_points(group="telex.formats")} - set(_ours()))


def find_format(name: str) -> Format:
    """Return the format of that name.

    >>> find_format("svmlight").summary
    'svmlight or libsvm with any number of labels a line (l1,l2 feature:value ...)'
    """
    if name in _ours():
        found: Format = resolve_name(_ours()[name])
        return found
    for entry in entry_points(group="telex.formats", name=name):
        from telex.learners import load_object  # noqa: PLC0415 - only for formats of other packages

        loaded: Format = load_object(entry.value)
        return loaded
    close = difflib.get_close_matches(name, format_names(), 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(format_names())}"
    raise UsageError(f"there is no format {name!r}; {hint}")


def open_source(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    format: str | None = None,  # noqa: A002
    *,
    words: str | Mapping[str, Any] = "",
    features: str = "auto",
    bias: bool = False,
    duplicates: str = "keep",
    budget: str | Mapping[str, Any] | RecordBudget = "",
    skip_records: Iterable[str] = (),
    **options: Any,
) -> Features:
    """Return the documents of ``paths`` as a source of batches, read ahead in threads.

    ``words`` says how texts become features (``key=value,...``, see :class:`telex.stream.Words`), ``features`` how
    features are scaled: ``unit``, ``standard``, ``maxabs``, ``none``, or ``auto``, what suits the format; with ``bias``
    each document gets one more. A document with an id that came before becomes a dead letter. So does a record that
    exceeds the ``budget`` (``labels=N,...``, see :class:`telex.stream.RecordBudget`), and one whose place is in
    ``skip_records``. Duplicates (the same text under another id) are counted, and left out with ``duplicates="skip"``.
    """
    from telex.adapters.formats.reading import reads_once  # noqa: PLC0415
    from telex.stream.sources import Features, text_settings  # noqa: PLC0415

    many = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if "fit" in text_settings(words) and any(map(reads_once, many)):
        options["passes"] = int(options.get("passes", 1)) + 1
    archive = open_archive(many, format, budget=budget, skip_records=skip_records, **options)
    return Features(archive, words, duplicates, features=features, bias=bias, ahead=True, unique_ids=True)


def open_archive(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    format: str | None = None,  # noqa: A002
    *,
    budget: str | Mapping[str, Any] | RecordBudget = "",
    skip_records: Iterable[str] = (),
    **options: Any,
) -> Archive:
    """Return the documents of ``paths``, as texts where the format has texts.

    Without ``format``, the content of the first file that is not empty decides; all files are read in that format.
    Formats that take folders and archives look into them. An address (http, https) is a feed.
    """
    from telex.adapters.formats.reading import Input  # noqa: PLC0415
    from telex.stream.sources import RecordBudget  # noqa: PLC0415

    if format is None and _any_address(paths):
        format = "rss"  # noqa: A001
    if format is None and _any_synthetic(paths):
        format = "synthetic"  # noqa: A001
    if format is not None:
        found = find_format(format)
        given: Any = paths
    else:
        given = inputs = Input.all(paths)
        format, found = _recognise(inputs)  # noqa: A001
    possible = list(inspect.signature(found).parameters)[1:]
    for option in options:
        if option not in possible:
            close = difflib.get_close_matches(option, possible, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(possible) or 'none'}"
            raise UsageError(f"format {format} has no option {option!r}; {hint}")
    archive = found(given, **options)
    archive.budget, archive.skip_records = RecordBudget.of(budget), frozenset(skip_records)
    return archive


def format_of(path: str) -> str:
    """Return the name of the format in which a file is, by its content."""
    from telex.adapters.formats.reading import Input  # noqa: PLC0415

    return _recognise([Input(path)])[0]


def open_split(
    paths: Iterable[str],
    split: str,
    format: str | None = None,  # noqa: A002
    **options: Any,
) -> tuple[Archive, Archive]:
    """Return the training part and the test part of the named ``split`` of ``paths``.

    A format lists its splits in ``splits``: for each name, the options of the two parts.
    """
    many = list(paths)
    if "-" in many:
        raise UsageError("a split reads its two parts one after the other, and standard input can be read only once")
    known = open_archive(many, format, **options).splits
    if split not in known:
        there = f"it knows {', '.join(known)}" if known else "it knows none; try --folds or --train-first"
        raise UsageError(f"the format of these documents knows no split {split!r}; {there}")
    train, test = (open_archive(many, format, **{**options, **part}) for part in known[split])
    return train, test


def _any_address(paths: Any) -> bool:
    many = [paths] if isinstance(paths, str) else paths if isinstance(paths, (list, tuple)) else []
    return any(isinstance(path, str) and path.startswith(("http://", "https://")) for path in many)


def _any_synthetic(paths: Any) -> bool:
    many = [paths] if isinstance(paths, str) else paths if isinstance(paths, (list, tuple)) else []
    return any(isinstance(path, str) and path.partition(":")[0] == "synthetic" for path in many)


def _recognise(inputs: list[Any]) -> tuple[str, Format]:
    for source in inputs:
        head = source.head()
        if source.is_folder or head.startswith(b"PK") or b"\0" in head[:512]:
            inside = _recognise_inside(source, head)
            if inside is not None:
                return inside
        if head.strip():
            if known := _known(head, source.path):
                return known
            if head.startswith(_UTF_16):
                raise UsageError(f"{source.path} is in UTF-16; convert it, as with iconv -f utf-16 -t utf-8")
            raise UsageError(
                f"the format of {source.path} is not recognised; name it with --format, one of "
                f"{', '.join(format_names())}"
            )
    if all(source.is_folder for source in inputs):
        path = inputs[0].path
        raise UsageError(f"{path} is a folder without a file in a format that is read from folders; name a file in it")
    # no file can be decoded in any format: each becomes a dead letter
    return _known(b"", inputs[0].path) or ("jsonl", find_format("jsonl"))


def _known(head: bytes, path: str, *, inside: bool = False) -> tuple[str, Format] | None:
    for name in chain(_ours(), _installed()):  # chain: look up installed packages only if needed
        found = find_format(name)
        if (not inside or found.takes_folders) and found.recognises(head, path):
            return name, found
    return None


def _recognise_inside(source: Any, head: bytes) -> tuple[str, Format] | None:
    from telex.adapters.formats.reading import file_heads, is_archive  # noqa: PLC0415

    if not source.is_folder and not is_archive(head):
        return None
    for first, path in file_heads(source):
        if known := _known(first, path, inside=True):
            return known
    if source.is_folder:
        return None
    raise UsageError(f"{source.path} is an archive without a file in a format that is read from archives; unpack it")

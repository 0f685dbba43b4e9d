"""Finds the formats, and chooses one by name or by content."""

from __future__ import annotations

import codecs
import difflib
import inspect
import os
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol

from telex.adapters.plugins import read_declarations
from telex.learners.base import UnclearInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from telex.adapters.formats.detection import Findings
    from telex.adapters.formats.reading import Input
    from telex.stream.sources import Archive, Features, RecordBudget

__all__ = [
    "Format",
    "find_format",
    "format_names",
    "format_of",
    "look_at",
    "open_archive",
    "open_source",
    "open_split",
]

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_WITH_FIELDS = ("csv", "tsv", "jsonl", "json", "parquet", "xlsx")
_BINARY = ("parquet", "xlsx")
_WORKBOOK = "xlsx"
_OF_READING = ("order", "rows", "passes")
"""Options of formats that do not say what is in a file."""
_PREFERRED = {"lyrl-vectors": "lyrl2004_vectors", "lyrl-tokens": "lyrl2004_tokens"}
"""How the names of the files begin that are meant by a folder, of formats whose collections have others beside them."""


class _NoFormatInFolderError(Exception):
    """No file of a folder is in a format that is read from folders."""


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
    guess: bool = True,
    labelled: bool = False,
    readable: bool = False,
    encoding: str | None = None,
    **options: Any,
) -> Archive:
    """Return the documents of ``paths``, as texts where the format has texts.

    Without ``format``, the content of the first file that is not empty decides; all files are read in that format.
    Formats that take folders and archives look into them; of a folder for another format its files are taken. An
    address (http, https) is a feed. ``encoding`` is that of texts which are not in UTF-8.

    Where the format has fields or columns, a sample of the first file decides what ``options`` do not say, unless
    ``guess`` is false: the archive then has what was ``detected``, and ``remarks`` about it. If the sample leaves
    something open, an UnclearInputError asks for it. It asks for labels only if documents are to be ``labelled``, and
    stops where every record is broken only if some are to be ``readable``.
    """
    from telex.stream.sources import RecordBudget  # noqa: PLC0415

    format, found, given, remarks = _chosen(paths, format, encoding)  # noqa: A001
    possible = list(inspect.signature(found).parameters)[1:]
    for option in options:
        if option not in possible:
            close = difflib.get_close_matches(option, possible, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(possible) or 'none'}"
            raise UsageError(f"format {format} has no option {option!r}; {hint}")
    detected: dict[str, Any] = {}
    if guess and format in _WITH_FIELDS and not _is_silent(given, format, options):
        given = _inputs(given)
        findings = _findings(format, given, options, asked=encoding, labelled=labelled, readable=readable)
        detected = {"format": format, **findings.settings}
        options |= {key: value for key, value in findings.settings.items() if key != "encoding"}
        remarks += findings.sentences()
    archive = found(given, **options)
    archive.budget, archive.skip_records = RecordBudget.of(budget), frozenset(skip_records)
    archive.detected, archive.remarks = detected, [*remarks, *archive.remarks]
    return archive


def look_at(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    format: str | None = None,  # noqa: A002
    *,
    encoding: str | None = None,
    **options: Any,
) -> tuple[Findings, list[str]]:
    """Return what a sample of ``paths`` says, as :func:`open_archive` sees it, and the paths that it would read."""
    from telex.adapters.formats.detection import Findings  # noqa: PLC0415

    name, _, given, _ = _chosen(paths, format, encoding)
    if name not in _WITH_FIELDS:
        found = Findings(name, given=options)
        return found, [one if isinstance(one, str) else one.path for one in _several(given)]
    inputs = _inputs(given)
    return _findings(name, inputs, options, asked=encoding, raises=False), [source.path for source in inputs]


def _findings(
    name: str,
    inputs: list[Input],
    options: Mapping[str, Any],
    *,
    asked: str | None,
    labelled: bool = True,
    readable: bool = True,
    raises: bool = True,
) -> Findings:
    """Return the findings of a sample of the first input with content; what is open is raised, unless told otherwise.

    Inputs in another encoding than UTF-8 are made to be read as that.
    """
    from telex.adapters.formats.detection import BYTES, Findings, Guess, detect, encoding_of  # noqa: PLC0415

    given = {key: value for key, value in options.items() if key not in _OF_READING and value is not None}
    source = next((one for one in inputs if one.head().strip()), None)
    if source is None:
        return Findings(name, given=given)
    encoding = asked or source.encoding or ("utf-8" if name in _BINARY else encoding_of(source.head(BYTES)))
    if asked is not None:
        given["encoding"] = asked
    for one in inputs:
        one.encoding = None if encoding == "utf-8" else encoding
    found = detect(name, source, given, labelled=labelled, readable=readable)
    if asked is None and encoding == "cp1252":
        guess = Guess("encoding", encoding, "it is not UTF-8, and reads well so")
        found = replace(found, guesses=(guess, *found.guesses))
    elif asked is None and encoding != "utf-8":
        found = replace(found, guesses=(Guess("encoding", encoding, "it begins with a mark of that"), *found.guesses))
    if found.questions and raises:
        question = found.questions[0]
        specs = [found.spec(choice) for choice in question.choices]
        raise UnclearInputError(f"{source.name}: {question.cause}", specs)
    return found


def _chosen(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], name: str | None, encoding: str | None
) -> tuple[str, Format, Any, list[str]]:
    """Return the format of ``paths`` by name, its class, what to give to it, and what to say about that."""
    if encoding is not None:
        _check_encoding(encoding)
    if name is None and _any_address(paths):
        name = "rss"
    if name is None and _any_synthetic(paths):
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
    inputs = _inputs(paths)
    for source in inputs:
        source.encoding = encoding
    try:
        name, found = _recognise(inputs)
    except _NoFormatInFolderError:
        name, given, remarks = _files_of(inputs)
        return name, find_format(name), _in_encoding(given, encoding), remarks
    return name, found, inputs, []


def _collection_in(paths: Any) -> str | None:
    """Return the format of the collection that a folder holds, by the names of its files."""
    many = _several(paths)
    if len(many) == 1 and isinstance(many[0], (str, os.PathLike)) and os.path.isdir(many[0]):
        names = sorted(os.listdir(many[0]))
        known = (name for name, begin in _PREFERRED.items() if any(one.startswith(begin) for one in names))
        return next(known, None)
    return None


def _in_encoding(given: Any, encoding: str | None) -> Any:
    if encoding is None:
        return given
    inputs = _inputs(given)
    for source in inputs:
        source.encoding = encoding
    return inputs


def _is_silent(given: Any, name: str, options: Mapping[str, Any]) -> bool:
    """Tell whether a look would wait for the first bytes of a pipe, where the format itself does not."""
    from telex.adapters.formats.reading import Input, reads_once  # noqa: PLC0415

    if name != "jsonl" or "order" not in options:
        return False
    paths = (one.path if isinstance(one, Input) else one for one in _several(given))
    return any(reads_once(path) for path in paths)


def _check_encoding(encoding: str) -> None:
    try:
        if codecs.lookup(encoding)._is_text_encoding:
            return
    except (LookupError, ValueError):
        pass
    raise UsageError(f"encoding={encoding}: give an encoding of text, such as cp1252, utf-16 or latin-1")


def _inputs(paths: Any) -> list[Input]:
    from telex.adapters.formats.reading import Input  # noqa: PLC0415

    return Input.all(paths)


def _several(paths: Any) -> list[Any]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _without_folders(paths: Any, found: Format, name: str) -> tuple[Any, list[str]]:
    """Return the paths with the files of a format in the place of their folders, and what to say about it."""
    from telex.adapters.formats.detection import files_in_folder, said_of_folder  # noqa: PLC0415

    many, taken, remarks = _several(paths), list[Any](), list[str]()
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
            known = _known(head, path)
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
        if head.startswith(b"PK") and find_format(_WORKBOOK).recognises(head, source.path):  # a zip archive by itself
            return _WORKBOOK, find_format(_WORKBOOK)
        if source.is_folder or head.startswith(b"PK") or b"\0" in head[:512]:
            inside = _recognise_inside(source, head)
            if inside is not None:
                return inside
        if head.strip():
            if known := _known(head, source.path):
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

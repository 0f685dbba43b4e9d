"""Opens files in their format: by its name or by content, with what a sample says of its fields."""

from __future__ import annotations

import difflib
import inspect
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.chosen_format import as_list, choose_format, inputs_of
from telex.learners.base import UnclearInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.adapters.formats.detection import Findings
    from telex.adapters.formats.reading import Input
    from telex.stream.sources import Archive, Features, RecordBudget

_WITH_FIELDS = ("csv", "tsv", "jsonl", "json", "parquet", "xlsx")
_BINARY = ("parquet", "xlsx")
_OF_READING = ("order", "rows", "passes")
"""Options of formats that do not say what is in a file."""


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
    address (http, https) is a feed. ``encoding`` is that of texts which are not in UTF-8; ``each`` is each
    file's own.

    Where the format has fields or columns, a sample of the first file decides what ``options`` do not say, unless
    ``guess`` is false: the archive then has what was ``detected``, and ``remarks`` about it. If the sample leaves
    something open, an UnclearInputError asks for it. It asks for labels only if documents are to be ``labelled``, and
    stops where every record is broken only if some are to be ``readable``.
    """
    from telex.stream.sources import RecordBudget  # noqa: PLC0415

    format, found, given, remarks = choose_format(paths, format, encoding)  # noqa: A001
    possible = list(inspect.signature(found).parameters)[1:]
    for option in options:
        if option not in possible:
            close = difflib.get_close_matches(option, possible, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(possible) or 'none'}"
            raise UsageError(f"format {format} has no option {option!r}; {hint}")
    detected: dict[str, Any] = {}
    if guess and format in _WITH_FIELDS and not _is_silent(given, format, options):
        given = inputs_of(given)
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

    name, _, given, _ = choose_format(paths, format, encoding)
    if name not in _WITH_FIELDS:
        found = Findings(name, given=options)
        return found, [one if isinstance(one, str) else one.path for one in as_list(given)]
    inputs = inputs_of(given)
    return _findings(name, inputs, options, asked=encoding, raises=False), [source.path for source in inputs]


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

    Inputs in another encoding than UTF-8 are made to be read as that, each in its own. It is asked about, too, if some
    inputs are written in another way than the first.
    """
    from telex.adapters.formats.detection import Findings, detect, difference, tell_encodings  # noqa: PLC0415

    given = {key: value for key, value in options.items() if key not in _OF_READING and value is not None}
    source = next((one for one in inputs if one.head().strip()), None)
    if source is None:
        return Findings(name, given=given)
    guess = None
    if asked is not None:
        given["encoding"] = asked
    elif name not in _BINARY:
        guess = tell_encodings(inputs, source)
    found = detect(name, source, given, labelled=labelled, readable=readable)
    if guess is not None:
        found = replace(found, guesses=(guess, *found.guesses))
    others = (one for one in inputs if one is not source)
    if not found.questions and (question := difference(name, found, others, given)) is not None:
        found = replace(found, questions=(question,))
    if found.questions and raises:
        question = found.questions[0]
        specs = [found.spec(choice) for choice in question.choices]
        raise UnclearInputError(f"{source.name}: {question.cause}", specs)
    return found


def _is_silent(given: Any, name: str, options: Mapping[str, Any]) -> bool:
    """Tell whether a look would wait for the first bytes of a pipe, where the format itself does not."""
    from telex.adapters.formats.reading import Input, reads_once  # noqa: PLC0415

    if name != "jsonl" or "order" not in options:
        return False
    paths = (one.path if isinstance(one, Input) else one for one in as_list(given))
    return any(reads_once(path) for path in paths)

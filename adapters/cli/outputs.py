"""Outputs are never inputs: the files that a command reads, and the refusal to write into one of them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from telex.learners.base import UsageError
from telex.stream.checkpoints import CHECKPOINTS
from telex.stream.run_folder import PART

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.adapters.cli.options import DocumentOptions

_PAGES = (".html", ".svg", ".png", ".pdf")


def refuse_inputs(output: str | Path, inputs: Iterable[str | Path | None]) -> None:
    """Refuse an output that is one of ``inputs``, by whatever name, or would be in a folder among them.

    ``-`` is standard output, and standard input among the inputs; what is None or not there is passed over.
    """
    whole = os.path.realpath(output)
    written = {found for found in (_identity(output, 1), _identity(whole + PART, 1)) if found}
    name = "standard output" if output == "-" else str(output)
    for one in inputs:
        if one is None:
            continue
        if _identity(one, 0) in written:
            raise UsageError(
                f"{name} is {'standard input' if one == '-' else one}, which this command reads; name another file for "
                "what it writes"
            )
        if output != "-" and os.path.isdir(one) and Path(whole).is_relative_to(os.path.realpath(one)):
            raise UsageError(f"{name} would be in {one}, a folder that this command reads; name a place outside of it")


def refuse_inputs_in(folder: str | Path, inputs: Iterable[str | Path | None]) -> None:
    """Refuse a run's folder that is, or would be, in a folder among ``inputs``, or has one of them among its files."""
    known = list(inputs)
    for path in (folder, *_files(folder)):
        refuse_inputs(path, known)


def files_in(folders: Iterable[str | Path]) -> Iterator[str]:
    """Yield the files in the folders of runs, without the pages and pictures that were made of them."""
    for folder in folders:
        for inside in (folder, *Path(folder, CHECKPOINTS).glob("*")):
            yield from (path for path in _files(inside) if not path.endswith(_PAGES))


def document_paths(options: DocumentOptions, beside: Iterable[str] = ()) -> list[str]:
    """Return the paths that a command reads documents from, with the files ``beside`` them that their format reads."""
    _, settings = options.format_settings()
    named = [settings.get("qrels"), settings.get("labels"), *beside]
    for path in map(Path, options.paths):
        if path.suffix == ".arff":
            named += sorted(str(other) for other in path.parent.glob("*.xml"))
    return list(dict.fromkeys([*options.paths, *(str(path) for path in named if path and os.path.isfile(path))]))


def _files(folder: str | Path) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return []


def _identity(path: str | Path, standard: int) -> tuple[int, int] | None:
    """Return what identifies a plain file under all of its names, None for anything else."""
    try:
        found = os.fstat(standard) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None

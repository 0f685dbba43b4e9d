"""What run.json says about the run to resume: checked, as the folder may come from somebody else."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypedDict, TypeVar

import msgspec

from telex.adapters.cli.run_options import RunOptions
from telex.learners.base import UsageError
from telex.stream.checkpoints import RUN_JSON
from telex.stream.text_files import read_json

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOO_MANY = 10**15
_LEAST = {"seed": -_TOO_MANY, "top": 0}
"""The smallest value of an option that is a number; it is 1 for all others."""

Chosen = TypeVar("Chosen", bound=RunOptions)


@dataclass(frozen=True, slots=True)
class StoredRun(Generic[Chosen]):
    """The options of a run, the working directory in which it began, and the identities of the files it has read.

    ``broken`` is the place of the record at which it stopped because it was ``strict``, ``detected`` what was detected
    of the format when it began, and ``id`` is what its messages name it by.
    """

    options: Chosen
    folder: str
    files: Sequence[dict[str, Any] | None]
    broken: dict[str, Any] | None
    detected: dict[str, str] | None = None
    id: str | None = None


class _Broken(TypedDict):
    path: str
    offset: Annotated[int, msgspec.Meta(ge=0, lt=_TOO_MANY)]
    before: str | None


class _Facts(msgspec.Struct):
    options: dict[str, Any]
    files: Any = None
    folder: str = ""
    broken: _Broken | None = None
    command: Any = None
    detected: dict[str, str] | None = None
    python: Any = None
    id: str | None = None


def read_stored_run(run: str, kind: type[Chosen]) -> StoredRun[Chosen]:
    """Return what run.json in the folder ``run`` says, whose options must be of ``kind``."""
    path = Path(run) / RUN_JSON
    try:
        facts = msgspec.convert(read_json(path), _Facts)
        if facts.command == "crossval":
            raise UsageError(f"{run} is a cross-validation, which cannot be resumed; make it again in another folder")
        if facts.python is not None:
            again = f"telex.replay(DOCUMENTS, LEARNERS, run={run!r}, resume=True)"
            raise UsageError(f"{run} is a run of Python, whose documents or learners no command can name; try {again}")
        _check_texts([facts.options, facts.files, facts.folder, facts.broken, facts.detected])
        files = msgspec.convert(facts.files, list[dict[str, Any] | None])
        msgspec.convert([file["path"] for file in files if file is not None], list[str])
        broken = None if facts.broken is None else dict(facts.broken)
        return StoredRun(_options(facts.options, kind), facts.folder, files, broken, facts.detected, facts.id)
    except FileNotFoundError:
        raise UsageError(f"there is no {RUN_JSON} in {run}, without which its run cannot resume; put it back, or "
                         "start a new run in another folder") from None  # fmt: skip
    except (OSError, ValueError, TypeError, KeyError, RecursionError, msgspec.ValidationError) as error:
        raise UsageError(
            f"{path} cannot be read ({error}); without it the run cannot resume: start a new one"
        ) from error


def _options(stored: dict[str, Any], kind: type[Chosen]) -> Chosen:
    """Return the stored options; those that are missing, of later versions, have their defaults."""
    if "paths" not in stored:
        raise TypeError("its options are missing")
    names = {name.rstrip("_"): name for name in vars(kind())}
    found = msgspec.convert({names[name]: value for name, value in stored.items() if name in names}, kind)
    for name, value in vars(found).items():
        if type(value) is int and not _LEAST.get(name, 1) <= value < _TOO_MANY:
            raise ValueError(f"{name} cannot be {value:,}" if abs(value) < _TOO_MANY else f"{name} is out of range")
    return replace(found)  # msgspec leaves missing fields to the class; this sets them all


def _check_texts(facts: Any) -> None:
    """Refuse texts that no command line could have given: the system takes them for no path."""
    text = json.dumps(facts, ensure_ascii=False)
    os.fsencode(text)
    if "\\u0000" in text:
        raise ValueError("a text has a zero byte")

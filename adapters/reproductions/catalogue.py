"""The reproductions by name: their titles, the settings that they take, and where their collections are."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from telex.adapters.plugins import read_declarations
from telex.learners.base import UsageError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

SETTINGS = ("rounds", "terms", "folds", "epochs", "seed", "runs")
"""The settings that reproductions may take: whole numbers, options of ``telex reproduce``."""


class Reproduction(Protocol):
    """The members of a module that is a reproduction."""

    TITLE: str

    def reproduce(
        self, data: str | os.PathLike[str], progress: Callable[[str], None], **settings: int
    ) -> dict[str, Any]:
        """Make the table again, and return it beside the paper's, with the settings, as plain data."""
        ...

    def lines(self, found: dict[str, Any]) -> list[str]:
        """Show what was found."""
        ...


@runtime_checkable
class Drawn(Reproduction, Protocol):
    """A reproduction of a figure, which can also draw it."""

    def picture(self, found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Draw what was found to a file whose ending chooses the format: .svg, .png or .pdf."""
        ...


@runtime_checkable
class Candid(Reproduction, Protocol):
    """A reproduction that knows where it does not agree with the paper."""

    def misses(self, found: dict[str, Any]) -> list[str]:
        """Say what did not reproduce, and what was tried: a sentence or several for each."""
        ...


def names() -> list[str]:
    """Return the names of all reproductions, those of other packages last.

    >>> names()[:2]
    ['boosting-mh', 'hm3-curve']
    """
    return [*_ours(), *sorted({entry.name for entry in entry_points(group="telex.reproductions")} - set(_ours()))]


def titles() -> dict[str, str]:
    """Return the title of each reproduction by name; only those of other packages are imported for it."""
    declared = read_declarations(str(Path(__file__).parent), "TITLE")
    return {name: declared[_ours()[name]] if name in _ours() else reproduction(name).TITLE for name in names()}


def known_settings() -> dict[str, dict[str, int]]:
    """Return the settings that each reproduction takes, by name; only those of other packages are imported for it."""
    declared = read_declarations(str(Path(__file__).parent), "TAKES")
    return {name: declared.get(_ours()[name], {}) if name in _ours() else taken(name) for name in names()}


def taken(name: str) -> dict[str, int]:
    """Return the settings that a reproduction takes, with their defaults.

    >>> taken("mpboost-table1")
    {'rounds': 1000}
    """
    return getattr(reproduction(name), "TAKES", {})


def chosen(name: str, given: Mapping[str, int]) -> dict[str, int]:
    """Return the settings of a reproduction, those ``given`` among them; one that it does not take is a UsageError.

    >>> chosen("mpboost-table1", {"rounds": 50})
    {'rounds': 50}
    """
    takes = taken(name)
    wrong = next((setting for setting in given if setting not in takes), None)
    if wrong is not None:
        told = ", ".join(f"--{setting} ({value})" for setting, value in takes.items())
        raise UsageError(f"{name} takes no --{wrong}; " + (f"it takes {told}" if told else "leave it out"))
    return {**takes, **given}


@cache
def _ours() -> dict[str, str]:
    """Return the modules by the names of their reproductions: ``hm3.table1`` is hm3-table1."""
    modules = read_declarations(str(Path(__file__).parent), "TITLE")
    return {module.replace(".", "-").replace("_", "-"): module for module in modules}


def reproduction(name: str) -> Reproduction:
    """Return the reproduction of that name; an unknown name raises a UsageError that lists the names.

    >>> reproduction("mpboost-table1").__name__
    'telex.adapters.reproductions.mpboost.table1'
    """
    if name in _ours():
        return cast("Reproduction", import_module(f"{__package__}.{_ours()[name]}"))
    for entry in entry_points(group="telex.reproductions", name=name):
        return cast("Reproduction", entry.load())
    from telex.learners import did_you_mean  # noqa: PLC0415

    raise UsageError(
        f"there is no reproduction {name!r}{did_you_mean(name, names())}; choose one of {', '.join(names())}"
    )


def collection(data: str | os.PathLike[str], name: str, file: str) -> Path:
    """Return the folder of a collection, which has a file like ``file``: ``data``, or the folder ``name`` in it."""
    for folder in (Path(data) / name, Path(data)):
        if folder.is_dir() and any(folder.glob(file)):
            return folder
    raise UsageError(
        f"there is no {file} in {data} or its folder {name}; name the folder of the collections with --data"
    )

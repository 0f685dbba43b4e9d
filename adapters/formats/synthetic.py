"""A made-up newswire: any number of stories, from a seed."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar

from telex.adapters.formats.reading import Input, time_of_cell
from telex.adapters.formats.reading import option_checks as read
from telex.learners import did_you_mean, key_values
from telex.learners.base import BrokenRecordError, UsageError
from telex.learners.trees import Tree
from telex.stream.newswire import Newswire, NewswireSettings
from telex.stream.raw_records import ORDERS
from telex.stream.sources import Archive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream.sources import Stories

    Path = str | os.PathLike[str]

FORMATS = {"synthetic": ("Synthetic", 130)}
NAME = "synthetic"


class Synthetic(Archive):
    """The stories of a :class:`~telex.stream.newswire.Newswire`; the path holds the settings.

    Settings in the path win over options. Ids ascend with time, so every order is the same.

    >>> [stories] = Synthetic("synthetic:n=2,seed=7,start=2024-02-29T10:00Z")
    >>> list(stories.ids), len(stories.labels[0]) >= 1
    (['1', '2'], True)
    """

    summary: ClassVar = (
        "made-up stories with topics in a tree; the path is settings: synthetic:n=20000,drift=0.1,seed=7"
    )
    options: ClassVar = {
        **NewswireSettings.OPTIONS,
        "order": "time, id or file: all are the same",
        "rows": "documents a batch (256)",
        "passes": "any number will do",
    }
    ids_are_positions = True

    def __init__(
        self,
        paths: Path | Iterable[Path] = NAME,
        *,
        n: int | str | None = None,
        seed: int | str | None = None,
        drift: float | str | None = None,
        topics: int | str | None = None,
        start: float | str | None = None,
        rate: int | str | None = None,
        vocabulary: int | str | None = None,
        repeats: float | str | None = None,
        unlabelled: float | str | None = None,
        order: str = "time",
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        given = {
            "n": n, "seed": seed, "drift": drift, "topics": topics, "start": start, "rate": rate,
            "vocabulary": vocabulary, "repeats": repeats, "unlabelled": unlabelled,
        }  # fmt: skip
        self.title = _one(paths)
        read.check_order(order, ORDERS, "")
        read.whole_number("passes", passes)
        chosen = {**given, **key_values(self.title.partition(":")[2], self.title)}
        self.newswire = Newswire(_settings(chosen), read.whole_number("rows", rows))
        self._generated = 0
        wire = self.newswire
        self.tree = Tree.of((label, wire.parents.get(label)) for label in wire.labels)

    def __iter__(self) -> Iterator[Stories]:
        self._generated = 0
        for stories in self.newswire:
            self._generated += len(stories)
            yield stories

    @property
    def share_read(self) -> float:
        """Return how much of this pass has been generated, from 0 to 1."""
        return self._generated / self.newswire.settings.n

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Return False: a newswire is recognised by its path, before any file is opened."""
        return False


def is_synthetic(path: Any) -> bool:
    """Tell whether a path is the settings of a newswire instead of a file; a file of that name is ``./synthetic``."""
    return isinstance(path, str) and path.partition(":")[0] == NAME


def _one(paths: Path | Iterable[Path]) -> str:
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    named = [path.path if isinstance(path, Input) else path for path in given]
    if len(named) != 1 or not is_synthetic(named[0]):
        shown = ", ".join(map(str, named))
        raise UsageError(f"{shown}: give one made-up newswire, such as {NAME}:n=20000,seed=7, and no file beside it")
    return str(named[0])


def _settings(given: dict[str, Any]) -> NewswireSettings:
    kinds: dict[str, Any] = {field.name: type(field.default) for field in fields(NewswireSettings)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in kinds:
            raise UsageError(f"{NAME} has no setting {name!r}{did_you_mean(name, kinds)}; it has {', '.join(kinds)}")
        if value is None:
            continue
        try:
            values[name] = time_of_cell(str(value)) if name == "start" else kinds[name](value)
        except (ValueError, BrokenRecordError) as error:
            wanted = "a date" if name == "start" else "a whole number" if kinds[name] is int else "a number"
            raise UsageError(f"{name}={value}: give {wanted}") from error
    return NewswireSettings(**values)

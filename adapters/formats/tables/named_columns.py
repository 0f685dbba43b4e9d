"""Tables with named columns: which column holds the text, the labels and so on, and how cells are read."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.formats.jsonl import MAPPED_OPTIONS, NONE, ONE_HOT, StoryMap, label_separator, split_cell
from telex.adapters.formats.reading import option_checks
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_ONE = ("label", "topic", "category", "class", "tag")
_USUAL = {
    "id": ("id",),
    "time": ("time", "date", "timestamp"),
    "text": ("text", "body", "content"),
    "title": ("title", "headline"),
    "labels": ("labels", "topics", "categories", "classes", "tags", *_ONE),
}
_ALSO_TEXT = ("article", "abstract", "story", "headline", "title", "description")
SEPARATOR = ";"

OPTIONS = {
    "id": "the column that holds the id, or none (id; without one, a document's position in the stream)",
    "time": "the column that holds the time, or none (time, date or timestamp)",
    "text": "the column that holds the text (text, body or content)",
    "title": "the column that holds the title, or none (title or headline)",
    "labels": "the column that holds the labels, onehot:A..Z for columns of 0 and 1, or none (labels, topics, "
    "categories, classes, tags, or label, topic, ...)",
    **MAPPED_OPTIONS,
    "separator": "what separates labels: a character, comma, semicolon, pipe, tab, blank, list (as in ['a', 'b']) or "
    "none (semicolon; none if the column is called label, topic, category, class or tag, which holds one label)",
    "empty": "what an empty cell of labels means: unlabelled (default), or none (no label fits)",
}


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The positions of a document's parts in a row of ``width`` cells; None for a part that is not there."""

    width: int
    text: int | None
    id: int | None
    time: int | None
    title: int | None
    labels: int | None
    separator: str | None
    """None if a cell holds one label."""
    vector: int | None = None
    names: tuple[str, ...] = ()
    fields: StoryMap | None = None
    """How a row becomes a story, where more is to do than to take its cells."""

    @property
    def marks(self) -> range:
        """The columns of 0 and 1 that each stand for a label."""
        if self.fields is None or not is_one_hot(self.fields.labels):
            return range(0)
        first, _, last = self.fields.labels.removeprefix(ONE_HOT).partition("..")
        return range(self.names.index(first), self.names.index(last or first) + 1)


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """The options of a table; None for an option that was not given."""

    id: str | None = None
    time: str | None = None
    text: str | None = None
    title: str | None = None
    labels: str | None = None
    separator: str | None = None
    empty: str = "unlabelled"
    vector: str | None = None
    time_format: str | None = None
    html: str | None = None
    classes: str = ""

    def __post_init__(self) -> None:
        asked = {option: None if name == NONE else name for option, name in self._asked().items()}
        option_checks.check_distinct(**asked)
        option_checks.one_of("empty", self.empty, ("unlabelled", "none"))
        if self.separator is not None:
            label_separator(self.separator)

    def _asked(self) -> dict[str, str | None]:
        vector = {} if self.vector is None else {"vector": self.vector}
        texts = {"text": self.text, "title": self.title}
        return {"id": self.id, "time": self.time, **texts, "labels": self.labels, **vector}

    def find(self, names: Sequence[str], path: str) -> TableColumns:
        """Return the columns of a table whose header is ``names``.

        >>> ColumnOptions(text="Story").find(["id", "story", "topic"], "news.csv")  # doctest: +ELLIPSIS
        TableColumns(width=3, text=1, id=0, time=None, title=None, labels=2, separator=None, vector=None, ...)
        """
        plain = [name.strip() for name in names]
        found = {
            option: None if name == NONE or is_one_hot(name) else _find(plain, option, name, path)
            for option, name in self._asked().items()
        }
        vector, labels = found.get("vector"), found["labels"]
        text = found["text"] if vector is None else None
        if text is None and vector is None:
            raise UsageError(f"{path} has no column for the text; its columns are {_listed(plain)}: say text=COLUMN")
        separator = SEPARATOR if labels is not None and plain[labels].lower() not in _ONE else None
        if self.separator is not None:
            separator = label_separator(self.separator)
        parts = (text, found["id"], found["time"], found["title"], labels)
        return TableColumns(len(names), *parts, separator, vector, tuple(plain), self._fields(plain, found, separator))

    def story_map(self, names: Sequence[str], path: str) -> StoryMap:
        """Return how the rows of a table with this header become stories, each a record of its cells by name."""
        at = self.find(names, path)
        found = {"id": at.id, "time": at.time, "text": at.text, "title": at.title, "labels": at.labels}
        return at.fields or self._map([*at.names], found, at.separator)

    def _fields(self, names: list[str], found: dict[str, int | None], separator: str | None) -> StoryMap | None:
        """Return how rows become stories where their cells are not taken as they are."""
        if self.time_format or self.html == "strip" or separator == "list" or is_one_hot(self.labels) or self.classes:
            return self._map(names, found, separator)
        option_checks.one_of("html", self.html or "keep", ("keep", "strip"))
        return None

    def _map(self, names: list[str], found: dict[str, int | None], separator: str | None) -> StoryMap:
        at = {option: NONE if i is None else names[i] for option, i in found.items() if option != "vector"}
        if self.labels is not None and is_one_hot(self.labels):
            ends = [
                _find(names, "labels", name, "the header") or 0
                for name in self.labels.removeprefix(ONE_HOT).split("..")
            ]
            first, last = names[ends[0]], names[ends[-1]]
            if ends[-1] < ends[0]:
                raise UsageError(
                    f"labels={self.labels}: {last!r} comes before {first!r}: say labels=onehot:{last}..{first}"
                )
            at["labels"] = ONE_HOT + "..".join(names[i] for i in ends)
        settings = (separator or NONE, self.time_format, self.html or "keep", self.empty, self.classes)
        return StoryMap(at["id"], at["time"], at["text"], at["title"], at["labels"], *settings)

    def labels_of(self, cell: str, separator: str | None) -> list[str] | None:
        """Return the labels in a cell; a separator alone means that no label fits.

        >>> options = ColumnOptions()
        >>> options.labels_of("trade; war", ";"), options.labels_of(" ", ";"), options.labels_of(";", ";")
        (['trade', 'war'], None, [])
        """
        cell = cell.strip()
        if not cell:
            return [] if self.empty == "none" else None
        return split_cell(cell, separator)


def has_text(names: Sequence[str]) -> bool:
    """Tell whether a header has a column of text under one of the usual names, or one that is also taken for it."""
    return not {name.strip().lower() for name in names}.isdisjoint({*_USUAL["text"], *_ALSO_TEXT})


def is_one_hot(labels: str | None) -> bool:
    """Tell whether the labels are columns of 0 and 1."""
    return labels is not None and labels.startswith(ONE_HOT)


def separator_sign(option: str, given: str) -> str:
    """Return the one character between cells that an option means; it may be given by name."""
    found = label_separator(given)
    if found is None or len(found) != 1:
        raise UsageError(f"{option}={given}: give one character, or comma, semicolon, tab, pipe or blank")
    return found


def _find(names: list[str], option: str, asked: str | None, path: str) -> int | None:
    lower = [name.lower() for name in names]
    for name in _USUAL[option] if asked is None else (asked.lower(),):
        exact = [i for i, other in enumerate(names) if other == (name if asked is None else asked)]
        found = exact or [i for i, other in enumerate(lower) if other == name]
        if len(found) > 1:
            raise UsageError(
                f"{path} has {len(found)} columns that are called {names[found[0]]!r}; give each its own name"
            )
        if found:
            return found[0]
    if asked is None:
        return None
    close = difflib.get_close_matches(asked, names, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {_listed(names)}"
    raise UsageError(f"{option}={asked}: {path} has no such column; {hint}")


def _listed(names: list[str]) -> str:
    shown = ", ".join(name[:40] for name in names[:20])
    return shown + (f" and {len(names) - 20} more" if len(names) > 20 else "")

"""From a record with any fields to a story: which field is what, and how its value is read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.jsonl.fields import distinct_labels, id_text
from telex.adapters.formats.jsonl.label_cells import label_text, marked_labels, split_cell
from telex.adapters.formats.reading import TIME_FORMATS, option_checks, text_of_html, time_reader
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.sources import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NONE = "none"
ONE_HOT = "onehot:"
MAPPED_OPTIONS = {
    "separator": "what separates labels in one text: a character, comma, semicolon, pipe, tab, blank, list (as in "
    "['a', 'b']) or none (default)",
    "time_format": f"how times are written: {', '.join(TIME_FORMATS)}, or a pattern such as %d.%m.%Y (iso, or epoch "
    "seconds)",
    "html": "what becomes of HTML in texts: keep (default) or strip",
    "classes": "the names of labels that are numbers, from 0, such as World|Sports|Business; -1 is unlabelled",
}
"""The options that all formats of texts with fields or columns have."""
_SEPARATOR_NAMES = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|", "blank": " "}


@dataclass(frozen=True, slots=True)
class StoryMap:
    """Which field of a record is what; ``none`` where nothing is read.

    A name is that of a field; if there is no such field, points lead into objects and ``[]`` through lists, as in
    ``article.body`` and ``tags[].name``. ``labels=onehot:a..z`` are the fields from a to z, each 1 where it is a label.
    A blank text of labels is unlabelled, or with ``empty=none`` no label fits. ``id=hash`` makes ids of the contents,
    ``id=none`` leaves them to the place in the stream.

    >>> fields = StoryMap(id="none", text="article.body", labels="tags[].name")
    >>> fields.story({"article": {"body": "Gold fell."}, "tags": [{"name": "metals"}, {"name": "trade"}]})
    Story(id='', text='Gold fell.', title='', time=nan, labels=['metals', 'trade'])
    >>> StoryMap(labels="onehot:war..trade").story({"id": 7, "text": "Gold", "war": 0, "peace": 1, "trade": 1}).labels
    ['peace', 'trade']
    >>> StoryMap(labels="label", classes="World|Sports|Business").story({"id": 7, "text": "Cup", "label": 1}).labels
    ['Sports']
    """

    id: str = "id"
    time: str = "time"
    text: str = "text"
    title: str = "title"
    labels: str = "labels"
    separator: str = NONE
    time_format: str | None = None
    html: str = "keep"
    empty: str = "unlabelled"
    classes: str = ""
    read_time: Callable[[Any], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        option_checks.one_of("html", self.html, ("keep", "strip"))
        option_checks.one_of("empty", self.empty, ("unlabelled", NONE))
        label_separator(self.separator)
        object.__setattr__(self, "read_time", time_reader(self.time_format))

    @classmethod
    def where_needed(
        cls,
        id: str = "id",  # noqa: A002
        time: str = "time",
        text: str | None = None,
        title: str = "title",
        labels: str = "labels",
        *,
        separator: str | None = None,
        time_format: str | None = None,
        html: str | None = None,
        classes: str | None = None,
    ) -> StoryMap | None:
        """Return the map that these options of the format jsonl ask for; None if fields are only called otherwise.

        >>> StoryMap.where_needed(text="content"), StoryMap.where_needed(text="article.body").text
        (None, 'article.body')
        """
        names = (id, time, text or "text", title, labels)
        settings = (separator, time_format, html, classes)
        if not any(map(_is_mapped, names)) and all(one is None for one in settings):
            return None
        return cls(*names, separator or NONE, time_format, html or "keep", classes=classes or "")

    @property
    def has_ids(self) -> bool:
        """Whether records have ids."""
        return self.id != NONE

    def story(self, record: dict[str, Any]) -> Story:
        """Return the story in a record; what is missing or of the wrong kind raises a BrokenRecordError."""
        return Story(
            self.id_of(record),
            self._plain(_text(values_at(record, self.text), self.text, needed=True)),
            "" if self.title == NONE else self._plain(_text(values_at(record, self.title), self.title)),
            self.time_of(record),
            self.labels_of(record),
        )

    def id_of(self, record: dict[str, Any]) -> str:
        """Return the id; empty where the place in the stream is the id."""
        if self.id == NONE:
            return ""
        if self.id == "hash":
            return hashlib.blake2b(repr(sorted(record.items())).encode("utf-8", "replace"), digest_size=8).hexdigest()
        found = values_at(record, self.id)
        if not isinstance(found, (str, int)) or isinstance(found, bool):
            raise BrokenRecordError(f"the id is missing: the field {self.id!r} has neither a text nor a whole number")
        return id_text(found)

    def time_of(self, record: dict[str, Any]) -> float:
        """Return the time, NaN if there is none."""
        found = None if self.time == NONE else values_at(record, self.time)
        if isinstance(found, dict) and len(found) == 1:  # {"$date": ..}, of exports of MongoDB
            [found] = found.values()
        if found is not None and (isinstance(found, bool) or not isinstance(found, (str, int, float))):
            raise BrokenRecordError(f"the time {str(found)[:40]!r} is neither a text nor a number")
        return self.read_time(found)

    def labels_of(self, record: dict[str, Any]) -> Sequence[str] | None:
        """Return the labels; None if they are unknown."""
        if self.labels == NONE:
            return None
        if self.labels.startswith(ONE_HOT):
            return _one_hot(record, self.labels.removeprefix(ONE_HOT))
        found = values_at(record, self.labels)
        if found is None or (isinstance(found, str) and not found.strip()):
            return [] if self.empty == NONE else None
        if isinstance(found, dict):
            return marked_labels([str(name) for name in found], list(found.values()))
        separator = label_separator(self.separator)
        cells = [label_text(one) for one in (found if isinstance(found, list) else [found])]
        labels = distinct_labels([label for cell in cells for label in split_cell(cell, separator)])
        return named_classes(labels, self.classes.split("|")) if self.classes else labels

    def _plain(self, text: str) -> str:
        return text_of_html(text) if self.html == "strip" else text


def _is_mapped(name: str) -> bool:
    return name in {NONE, "hash"} or "." in name or "[]" in name or name.startswith(ONE_HOT)


def label_separator(given: str) -> str | None:
    """Return the sign that an option means, given by itself or by its name; None if a cell holds one label.

    >>> label_separator("pipe"), label_separator(";"), label_separator("none"), label_separator("list")
    ('|', ';', None, 'list')
    """
    if given in {NONE, "list"}:
        return None if given == NONE else given
    found = _SEPARATOR_NAMES.get(given, given)
    if len(found) != 1 or found in '"\r\n':
        raise UsageError(
            f"separator={given}: give one character, or comma, semicolon, tab, pipe, blank, list (as in ['a', 'b']) or "
            "none (one label a cell)"
        )
    return found


def named_classes(numbers: Sequence[str], names: Sequence[str]) -> list[str] | None:
    """Return the names of labels that are numbers from 0, as data sets of Hugging Face have them; None for -1.

    >>> named_classes(["1", "0"], ["World", "Sports"]), named_classes(["-1"], ["World", "Sports"])
    (['Sports', 'World'], None)
    """
    if list(numbers) == ["-1"]:
        return None
    known = {str(number): name for number, name in enumerate(names)}
    if odd := [number for number in numbers if number not in known]:
        raise BrokenRecordError(
            f"the label {odd[0][:40]!r} is none of the {len(names)} classes, which are numbers from 0"
        )
    return [known[number] for number in numbers]


def values_at(record: Any, path: str) -> Any:
    """Return what a field holds, None if there is none; with ``[]`` in its name, a list of all that it leads to."""
    if isinstance(record, dict) and path in record:
        return record[path]
    if "." not in path and "[]" not in path:
        return None
    found, several = [record], False
    for part in path.split("."):
        name = part.removesuffix("[]")
        found = [one[name] for one in found if isinstance(one, dict) and one.get(name) is not None]
        if part.endswith("[]"):
            several = True
            found = [one for some in found for one in (some if isinstance(some, list) else [some])]
    if several:
        return found
    return found[0] if found else None


def _text(value: Any, name: str, *, needed: bool = False) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        if needed:
            raise BrokenRecordError(f"the text is missing: there is no field {name!r}")
        return ""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    raise BrokenRecordError(f"the field {name!r} holds {str(value)[:40]!r}, which is no text")


def _one_hot(record: dict[str, Any], given: str) -> list[str] | None:
    first, _, last = given.partition("..")
    cells = record.get(first)
    if not last and isinstance(cells, list):  # a vector of 0 and 1
        return marked_labels([str(i) for i in range(len(cells))], cells)
    names = list(record)
    try:
        start, stop = names.index(first), names.index(last or first)
    except ValueError as error:
        raise BrokenRecordError(f"there is no field {first!r}, or none {last!r}, for labels=onehot:{given}") from error
    if stop < start:
        raise BrokenRecordError(f"{last!r} comes before {first!r}: say labels=onehot:{last}..{first}")
    chosen = names[start : stop + 1]
    return marked_labels(chosen, [record[name] for name in chosen])

"""Which field is the text, the title, the labels, the id and the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.formats.detection.values import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.formats.detection.values import Columns

_ONE = ("label", "topic", "category", "class", "tag")
ALIASES = {
    "text": (
        "text", "body", "content", "article", "abstract", "story", "full_text", "fulltext", "article_text", "news",
        "description", "short_description", "summary", "message", "document", "sentence", "review", "headline", "title",
    ),
    "title": ("title", "headline"),
    "labels": (
        "labels", "topics", "categories", "classes", "tags", *_ONE, "section", "sections", "label_text", "label_name",
        "genre", "genres", "desk", "keywords", "subject", "subjects",
    ),
    "id": ("id", "_id", "guid", "uuid", "doc_id", "docid", "article_id", "document_id"),
    "time": (
        "time", "date", "timestamp", "datetime", "published", "published_at", "publishedat", "pubdate", "pub_date",
        "publication_date", "date_published", "created", "created_at", "createdat", "publish_date",
    ),
}  # fmt: skip
"""The usual names of each role, in any case; of several the first counts."""
OWN: dict[str, dict[str, tuple[str, ...]]] = {
    "jsonl": {"id": ("id",), "time": ("time",), "text": ("text", "body"), "title": ("title",), "labels": ("labels",)},
    "json": {"id": ("id",), "time": ("time",), "text": ("text",), "title": ("title",), "labels": ("labels",)},
    "table": {
        "id": ("id",),
        "time": ("time", "date", "timestamp"),
        "text": ("text", "body", "content"),
        "title": ("title", "headline"),
        "labels": ALIASES["labels"][:10],
    },
}
"""The names that a kind of format finds by itself."""
SINGULAR = frozenset({*_ONE, "section", "label_text", "label_name", "genre", "desk", "subject"})
_KINDS = {
    "text": {"texts", "lists of texts"},
    "title": {"texts"},
    "labels": {"texts", "numbers", "truth values", "lists of texts", "lists of numbers", "nothing"},
    "id": {"texts", "numbers"},
    "time": {"texts", "numbers", "other values"},
}
_LEAVES = frozenset({"name", "label", "term", "value", "title", "slug", "text", "id", "code"})
_LONG, _LONGER = 30, 2


def find_roles(columns: Columns, given: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the field of each role that one was found for, with the reason; what was ``given`` is left as it is.

    >>> find_roles({"Headline": ["a"], "article.body": ["b c"], "tags[].name": [["x"]]}, {})["labels"]
    ('tags[].name', 'its name')
    """
    found = dict[str, tuple[str, str]]()
    taken = {str(name) for name in given.values()}
    for role, aliases in ALIASES.items():
        if role in given:
            found[role] = (str(given[role]), "it is given")
            continue
        name = _by_alias(role, aliases, columns, taken)
        if role == "labels" and name is not None:
            name = _with_names(name, columns)
        if role == "text" and name is None:
            name = _longest(columns, taken)
            if name is not None:
                found[role] = (name, "it has the longest texts")
        elif name is not None:
            found[role] = (name, "its name")
        if name is not None:
            taken.add(name)
    return found


def _by_alias(role: str, aliases: Sequence[str], columns: Columns, taken: set[str]) -> str | None:
    """Return the field with the first alias; one in an object only where none has an alias by itself.

    Labels may also be an object with a mark for each.
    """
    objects = {name.partition(".")[0] for name in columns if "." in name and "[]" not in name}
    if role == "labels":
        for name in sorted(objects, key=lambda name: aliases.index(name.lower()) if name.lower() in aliases else -1):
            inner = [values for other, values in columns.items() if other.startswith(f"{name}.")]
            if name.lower() in aliases and all(kind_of(values) in {"truth values", "numbers"} for values in inner):
                return name
    for nested in (False, True):
        for alias in aliases:
            for name, values in columns.items():
                if name in taken or ("." in name) != nested:
                    continue
                leaf = _leaf(name, role) if nested else name
                if leaf.lower() == alias and kind_of(values) in _KINDS[role] | ({"nothing"} if not nested else set()):
                    return name
    return None


def _leaf(name: str, role: str) -> str:
    """Return the last part of a path; of ``tags[].name`` it is tags, as far as labels go."""
    *before, last = name.split(".")
    if role == "labels" and last.lower() in _LEAVES and before:
        return before[-1].removesuffix("[]")
    return last


def _with_names(name: str, columns: Columns) -> str:
    """Return the field with the names of numbered labels, if there is one beside them."""
    if kind_of(columns.get(name, [])) != "numbers":
        return name
    return next((other for other in (f"{name}_text", f"{name}_name", f"{name}_names") if other in columns), name)


def _longest(columns: Columns, taken: set[str]) -> str | None:
    lengths = {
        name: sum(map(len, values)) / len(values)
        for name, values in columns.items()
        if values and name not in taken and all(isinstance(value, str) for value in values)
    }
    best = sorted(lengths, key=lambda name: -lengths[name])[:2]
    if not best or lengths[best[0]] < _LONG or (len(best) > 1 and lengths[best[0]] < _LONGER * lengths[best[1]]):
        return None
    return best[0]

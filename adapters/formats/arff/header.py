"""The header of an ARFF file: its attributes, and which of them are labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from telex.adapters.formats.reading import Input, parse_xml
from telex.learners.base import BrokenRecordError, UsageError, check_plain_file

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMERIC = {"numeric", "real", "integer"}
_BINARY = {"0", "1"}
_NAME = re.compile(r"""\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.*)""", re.DOTALL)
_VALUE = re.compile(r"""\s*+(?:('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")\s*+|([^,'"][^,]*+|)),""")
_MEKA = re.compile(r"-[cC]\s+(-?\d+)")
_LARGEST_XML = 16 << 20


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column: numeric if ``values`` is None, else nominal with one of these values."""

    name: str
    values: tuple[str, ...] | None = None
    paths: bool = False
    """Whether the column holds paths in a hierarchy, joined by @."""

    @property
    def is_numeric(self) -> bool:
        """Whether its values are read as numbers; true also for a nominal attribute with the values 0 and 1."""
        return self.values is None or (not self.paths and set(self.values) <= _BINARY)


@dataclass(frozen=True, slots=True)
class Header:
    """All attributes, and the positions of those that are labels."""

    attributes: tuple[Attribute, ...]
    labels: frozenset[int]
    remark: str = ""
    """What is to be said about the choice of the labels."""

    @property
    def features(self) -> int:
        """The number of attributes that are not labels."""
        return len(self.attributes) - len(self.labels)

    @property
    def label_names(self) -> list[str]:
        """The labels that a document can have."""
        given = [self.attributes[i] for i in sorted(self.labels)]
        return [name for one in given for name in ((one.values or ()) if one.paths else (one.name,))]


def read_header(lines: Iterable[str], path: str, names: Input | None) -> Header:
    """Parse the lines before ``@data``; ``names`` is an XML file of labels.

    The labels are, in this order of preference: the attributes that the XML file names; a hierarchical attribute; the
    attributes that an XML file beside ``path`` names, if it is called like it; the first n attributes (the last n if n
    is negative) if the relation's name says ``-C n``; the attributes that any XML file beside ``path`` names.
    """
    relation, attributes = "", list[Attribute]()
    for line in lines:
        word = line.split(None, 1)[0].lower()
        if word == "@relation":
            relation = line
        elif word == "@attribute":
            attributes.append(_attribute(line, path))
        else:
            raise UsageError(f"{path}: the header holds {line[:40]!r}; give @relation, @attribute and @data")
    seen = set[str]()
    for attribute in attributes:
        if attribute.name in seen:
            raise UsageError(f"{path}: the attribute {attribute.name!r} comes twice; give each its own name")
        seen.add(attribute.name)
    count = _MEKA.search(relation)
    hierarchical = any(attribute.paths for attribute in attributes)
    if names is None and count is not None and not hierarchical and (beside := _called_like(path)) is not None:
        by_count = _first_or_last(attributes, int(count[1]), path)
        try:
            by_name = _labels(attributes, "", path, beside)
        except UsageError:  # of another file: the relation counts
            by_name = by_count
        if by_name != by_count:
            remark = (
                f"the labels are the {len(by_name)} attributes that {beside.path} names, not the {len(by_count)} that "
                f"{count[0]} in the name of the relation means; take that file away to go by the name"
            )
            return Header(tuple(attributes), by_name, remark)
    return Header(tuple(attributes), _labels(attributes, relation, path, names))


def split_values(text: str) -> list[str]:
    r"""Split a line at commas, and remove quotes.

    >>> split_values("a, 'b, c' ,it\\'s")
    ['a', 'b, c', "it\\'s"]
    """
    if "'" not in text and '"' not in text:
        return [value.strip() for value in text.split(",")]
    found, at = list[str](), 0
    text += ","
    while at < len(text):
        match = _VALUE.match(text, at)
        if match is None:
            raise BrokenRecordError("a quote is opened and not closed before the next comma")
        found.append(unquoted(match[1]) if match[1] else match[2].strip())
        at = match.end()
    return found


def unquoted(text: str) -> str:
    """Return a name or value without the quotes around it."""
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _attribute(line: str, path: str) -> Attribute:
    match = _NAME.match(line[len("@attribute") :])
    if match is None:
        raise UsageError(f"{path}: {line[:60]!r} names no attribute; write @attribute NAME TYPE")
    name, kind = unquoted(match[1]), match[2].strip()
    word = kind.lower().split(None, 1)[0] if kind else ""
    if word in _NUMERIC:
        return Attribute(name)
    if kind.startswith("{") and kind.endswith("}"):
        return Attribute(name, tuple(split_values(kind[1:-1])))
    if word == "hierarchical":
        return Attribute(name, tuple(split_values(kind[len(word) :])), paths=True)
    raise UsageError(
        f"{path}: the attribute {name!r} is of type {word or 'none'}, and only numeric, nominal and hierarchical ones "
        "can be read; take it out, or give its texts in a csv or jsonl file"
    )


def _labels(attributes: list[Attribute], relation: str, path: str, names: Input | None) -> frozenset[int]:
    paths = [i for i, attribute in enumerate(attributes) if attribute.paths]
    count = _MEKA.search(relation)
    if names is None and paths:
        return frozenset(paths)
    if names is None and count is not None:
        chosen = sorted(_first_or_last(attributes, int(count[1]), path))
    else:
        names = names or _beside(path)
        at = {attribute.name: i for i, attribute in enumerate(attributes)}
        wanted = _names(names)
        missing = next((name for name in wanted if name not in at), None)
        if missing is not None:
            raise UsageError(f"{names.path} names the label {missing!r}, which {path} has not; give labels=FILE")
        chosen = [at[name] for name in wanted]
    for i in chosen:
        if not attributes[i].is_numeric:
            given = attributes[i]
            raise UsageError(
                f"{path}: the label {given.name!r} must have the values 0 and 1, not {given.values}; give labels=FILE"
            )
    return frozenset(chosen)


def _first_or_last(attributes: list[Attribute], n: int, path: str) -> frozenset[int]:
    """Return the first n attributes, or the last if n is negative."""
    if not 0 < abs(n) <= len(attributes):
        raise UsageError(f"{path}: -C {n} does not fit {len(attributes)} attributes; mend the relation's name")
    whole = range(len(attributes))
    return frozenset(whole[:n] if n > 0 else whole[n:])


def _names(source: Input) -> list[str]:
    check_plain_file(source.path)
    raw = b""
    for chunk in source.chunks():
        raw += chunk
        if len(raw) > _LARGEST_XML:
            raise UsageError(f"{source.path} is too large for a list of labels; give labels=FILE.xml")
    try:
        root = parse_xml(raw)
    except BrokenRecordError as error:
        raise UsageError(f"{source.path} is no list of labels: {error}; give labels=FILE.xml") from error
    names = [str(element.get("name")) for element in root.iter() if element.tag.rpartition("}")[2] == "label"]
    if not names:
        raise UsageError(f"{source.path} names no labels; write <labels><label name=...></label></labels>")
    return names


def _xml_beside(path: str) -> tuple[list[Path], list[Path]]:
    """Return the XML files beside a file, and those of them that are called like it."""
    where = Path(path)
    found = [] if path == "-" else sorted(other for other in where.parent.iterdir() if other.suffix == ".xml")
    stem = where.name.partition(".")[0]
    exact = [other for other in found if other.stem == stem]
    return found, exact or [other for other in found if stem.startswith(other.stem)]


def _called_like(path: str) -> Input | None:
    """Return the XML file that is called like a file beside it, if there is one."""
    fitting = _xml_beside(path)[1]
    return Input(fitting[0]) if len(fitting) == 1 else None


def _beside(path: str) -> Input:
    found, fitting = _xml_beside(path)
    chosen = fitting or found
    if len(chosen) == 1:
        return Input(chosen[0])
    several = f"several XML files are beside {path} ({', '.join(other.name for other in chosen)})"
    problem = several if chosen else f"{path} does not say which attributes are labels"
    raise UsageError(f"{problem}; give labels=FILE.xml, or write -C N into the name of the relation")

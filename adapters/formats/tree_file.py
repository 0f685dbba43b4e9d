"""Files of trees: the topics of RCV1, a parent and a child a line, a path a line, or the header of an ARFF file."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from telex.adapters.formats.reading import Input
from telex.learners.base import BrokenRecordError, UsageError
from telex.learners.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    Edges = Iterator[tuple[str, str | None]]

_LARGEST = 64 << 20
_RCV1 = re.compile(r"parent:\s*(\S+)\s+child:\s*(\S+)(?:\s+child-description:.*)?")
_ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|\S+)\s+hierarchical\s+(.*)""", re.IGNORECASE)
_FORMS = (
    "lines 'parent TAB child', a path a line such as economy/trade/oil, RCV1's lines 'parent: X child: Y', or an ARFF "
    "file with a hierarchical attribute"
)


def read_tree(path: str | os.PathLike[str]) -> Tree:
    """Return the tree that a file describes; compressed files are fine.

    The first line decides about the form. Empty lines, and those that begin with ``#``, say nothing.

    - ``parent TAB child``; a line without a tab, or with None as the parent, is a root.
    - A path a line, as economy/trade/oil: the labels are its parts.
    - ``parent: X child: Y``, RCV1's: the child of None is the root above all topics, and no label.
    - An ARFF file: the paths of its hierarchical attribute are the labels.
    """
    name = os.fspath(path)
    try:
        lines = [line.strip(" ") for line in _text(name).splitlines()]
    except BrokenRecordError as error:
        raise UsageError(f"the tree {name}: {error}; give a file that can be read") from error
    lines = [line for line in lines if line.strip() and not line.startswith(("#", "%"))]
    if not lines:
        raise UsageError(f"the tree {name} is empty; give {_FORMS}")
    first = lines[0]
    if first.startswith("parent:"):
        edges = _of_rcv1(name, lines)
    elif first.startswith("@"):
        edges = _of_arff(name, lines)
    elif any("\t" in line for line in lines):
        edges = _of_pairs(name, lines)
    else:
        edges = (edge for line in lines for edge in _of_path(name, line))
    try:
        return Tree.of(edges)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


def _text(path: str) -> str:
    held = bytearray()
    for chunk in Input(path).chunks():
        before = len(held)
        held += chunk
        if len(held) > _LARGEST:
            raise UsageError(f"the tree {path} has more than {_LARGEST >> 20} MB; give {_FORMS}")
        if b"\n@data" in held[max(0, before - 8) :].lower():  # the rest of an ARFF file is documents
            break
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"the tree {path} is not UTF-8 (byte {error.start:,}); convert it") from error


def _of_rcv1(path: str, lines: list[str]) -> Edges:
    top = None
    for line in lines:
        found = _RCV1.fullmatch(line)
        if found is None:
            raise UsageError(f"the tree {path}: {line[:80]!r} is not 'parent: X child: Y'; mend the line")
        parent, child = found.groups()
        if parent == "None":
            top = child
        else:
            yield child, None if parent == top else parent


def _of_pairs(path: str, lines: list[str]) -> Edges:
    for line in lines:
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) > 2 or not fields[-1]:
            raise UsageError(f"the tree {path}: {line[:80]!r} is not 'parent TAB child'; mend the line")
        parent = fields[0] if len(fields) == 2 else ""
        yield fields[-1], None if parent in {"", "None"} else parent


def _of_path(path: str, line: str, separator: str = "/") -> Edges:
    parts = [part.strip() for part in line.strip(separator).split(separator)]
    if not all(parts):
        raise UsageError(f"the tree {path}: {line[:80]!r} is not a path such as economy/trade/oil; mend the line")
    yield from zip(parts, [None, *parts], strict=False)


def _of_arff(path: str, lines: list[str]) -> Edges:
    found = next((match for line in lines if (match := _ATTRIBUTE.fullmatch(line))), None)
    if found is None:
        raise UsageError(f"the tree {path} is an ARFF file without a hierarchical attribute; give {_FORMS}")
    for label in found[2].split(","):
        parts = label.strip().split("/")
        if not all(parts):
            raise UsageError(f"the tree {path}: {label!r} is not a path such as economy/trade/oil; mend the line")
        for depth in range(1, len(parts) + 1):
            yield "/".join(parts[:depth]), "/".join(parts[: depth - 1]) or None

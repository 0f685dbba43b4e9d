"""A row of an ARFF file, dense or sparse, as features and labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from telex.adapters.formats.arff.header import split_values, unquoted
from telex.adapters.formats.jsonl import distinct_labels
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.adapters.formats.arff.header import Attribute, Header

_PAIR = re.compile(r"""\s*+(\d+)\s++(?:('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")\s*+|([^,'"\s][^,'"]*+)),""", re.ASCII)


class ArffRows:
    """Decodes rows by their header; ``ancestors`` adds all nodes above a path in a hierarchy.

    A number that is 0 is not a feature, a nominal value is the feature ``attribute=name`` with the value 1, and ``?``
    is missing.

    >>> from telex.adapters.formats.arff.header import Attribute, Header
    >>> attributes = Attribute("size"), Attribute("hue", ("red", "blue")), Attribute("L", ("0", "1"))
    >>> rows = ArffRows(Header(attributes, frozenset({2})))
    >>> rows.document("2.5, blue, 1"), rows.document("{2 1}")
    (({'size': 2.5, 'hue=blue': 1.0}, ['L']), ({'hue=red': 1.0}, ['L']))
    """

    def __init__(self, header: Header, *, ancestors: bool = True) -> None:
        self._attributes = header.attributes
        self._labels = header.labels
        self._ancestors = ancestors
        self._allowed = [None if given.values is None else frozenset(given.values) for given in header.attributes]
        # a sparse row leaves out zeros, and the first declared value of a nominal attribute
        first = {i: given.values[0] for i, given in enumerate(header.attributes) if given.values and not given.paths}
        self._left_out = {i: value for i, value in first.items() if value != "0"}
        self._paths_left_out = {i: "?" for i, given in enumerate(header.attributes) if given.paths}

    def document(self, row: str) -> tuple[dict[str, float], list[str] | None]:
        """Return a document's features, and its labels or None if they are question marks."""
        row = row.strip()
        features, labels, unknown = dict[str, float](), list[str](), 0
        for i, cell in self._sparse(row) if row.startswith("{") else self._dense(row):
            attribute = self._attributes[i]
            if cell == "?":
                unknown += i in self._labels
            elif attribute.paths:
                labels += self._nodes(cell, attribute, i)
            elif attribute.is_numeric:
                value = _number(cell, attribute)
                allowed = self._allowed[i]
                if (allowed is not None or i in self._labels) and value not in {0.0, 1.0}:
                    raise BrokenRecordError(f"{attribute.name!r} is {cell[:40]!r}, neither 0 nor 1")
                if i in self._labels:
                    labels += [attribute.name] * (value == 1)
                elif value:
                    features[attribute.name] = value
            else:
                self._check(cell, attribute, i)
                features[f"{attribute.name}={cell}"] = 1.0
        if not unknown:
            return features, labels
        if unknown < len(self._labels):
            raise BrokenRecordError(f"{unknown} of {len(self._labels)} labels are question marks")
        return features, None

    def _dense(self, row: str) -> Iterable[tuple[int, str]]:
        cells = split_values(row) if "," in row else row.split()
        if len(cells) != len(self._attributes):
            raise BrokenRecordError(f"the number of values is {len(cells)}, that of attributes {len(self._attributes)}")
        return enumerate(cells)

    def _sparse(self, row: str) -> Iterable[tuple[int, str]]:
        if not row.endswith("}"):
            raise BrokenRecordError("the row begins with { but does not end with }")
        body, at = row[1:-1].rstrip(), 0
        given = dict[int, str]()
        body += "," if body else ""
        while at < len(body):
            match = _PAIR.match(body, at)
            if match is None:
                raise BrokenRecordError(f"{body[at : at + 40]!r} is not `index value`")
            at, i = match.end(), int(match[1]) if len(match[1]) < 10 else len(self._attributes)
            if i >= len(self._attributes) or i in given:
                what = "comes twice" if i in given else f"is not below {len(self._attributes)}"
                raise BrokenRecordError(f"the index {match[1][:20]} {what}")
            given[i] = unquoted(match[2]) if match[2] else match[3].strip()
        return {**self._left_out, **self._paths_left_out, **given}.items()

    def _nodes(self, cell: str, attribute: Attribute, i: int) -> list[str]:
        nodes = cell.split("@") if cell else []
        for node in nodes:
            self._check(node, attribute, i)
        nodes = list(distinct_labels(nodes))
        if not self._ancestors:
            return nodes
        steps = [node.split("/") for node in nodes]
        return list(dict.fromkeys("/".join(parts[:n]) for parts in steps for n in range(1, len(parts) + 1)))

    def _check(self, cell: str, attribute: Attribute, i: int) -> None:
        allowed = self._allowed[i]
        if allowed is not None and cell not in allowed:
            raise BrokenRecordError(f"{attribute.name!r} is {cell[:40]!r}, which its attribute does not list")


def _number(cell: str, attribute: Attribute) -> float:
    try:
        if "_" not in cell:
            return float(cell)
    except ValueError:
        pass
    raise BrokenRecordError(f"{attribute.name!r} is {cell[:40]!r}, which is not a number")

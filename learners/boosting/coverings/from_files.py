"""Coverings read from files: sets of labels, and the top topics of a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from telex.learners.base import UsageError, check_plain_file

if TYPE_CHECKING:
    import os
    from collections.abc import Hashable, Iterable

_LYRL = re.compile(r"\s*parent:\s*(\S+)\s+child:\s*(\S+)(?:\s+child-description:.*)?")


@dataclass(frozen=True, slots=True)
class LabelSets:
    """A covering with the same sets for every document, by the labels' texts; a label in no set is a set of its own.

    So every label is covered, even one that appears long after the file was written.

    >>> LabelSets((frozenset({"cup", "gold"}), frozenset({"gold", "none"})))(frozenset(), ("cup", "gold", "war"))
    [('cup', 'gold'), ('gold',), ('war',)]
    """

    sets: tuple[frozenset[str], ...]

    def __call__(self, relevant: frozenset[Hashable], labels: tuple[Hashable, ...]) -> list[tuple[Hashable, ...]]:
        """Return the sets, restricted to ``labels``."""
        del relevant
        texts = [(label, str(label)) for label in labels]
        sets = [tuple(label for label, text in texts if text in one) for one in self.sets]
        named = frozenset().union(*self.sets)
        return sets + [(label,) for label, text in texts if text not in named]


def label_sets(path: str | os.PathLike[str]) -> LabelSets:
    r"""Read one set of labels per line, separated by tabs, or by blanks in a file without tabs.

    A line that occurs twice makes two sets; lines without labels are skipped.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "sets.txt"
    >>> _ = file.write_text("cup final\n\ngold cup\n")
    >>> [sorted(one) for one in label_sets(file).sets]
    [['cup', 'final'], ['cup', 'gold']]
    """
    lines = _lines(path)
    tabs = any("\t" in line for line in lines)
    cut = [[part.strip() for part in line.split("\t")] if tabs else line.split() for line in lines]
    sets = tuple(frozenset(filter(None, parts)) for parts in cut if any(parts))
    if not sets:
        raise UsageError(f"{path} has no set of labels; give a set per line, with tabs or blanks between its labels")
    return LabelSets(sets)


def top_topics(path: str | os.PathLike[str]) -> LabelSets:
    r"""Read a tree of topics, and return a set for each top topic: the topic and all topics below it.

    Lines are ``parent<TAB>child``, or as in ``rcv1.topics.hier.orig``. Top topics are those without a parent. If there
    is only one, it is the root and no topic, and its children are the top topics. A topic below two top topics is in
    both sets.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "tree.tsv"
    >>> _ = file.write_text("Root\tsport\nRoot\ttrade\nsport\tcup\ntrade\tgold\n")
    >>> [sorted(one) for one in top_topics(file).sets]
    [['cup', 'sport'], ['gold', 'trade']]
    """
    children: dict[str, list[str]] = {}
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            parent, child = _edge(line, f"line {number} of {path}")
            children.setdefault(child, [])
            if parent is not None:
                children.setdefault(parent, []).append(child)
    below = {child for several in children.values() for child in several}
    tops = [topic for topic in children if topic not in below]
    if len(tops) == 1 and children[tops[0]]:
        tops = children[tops[0]]
    sets = tuple(_and_below(top, children) for top in dict.fromkeys(tops))
    if not children:
        raise UsageError(f"{path} has no topic; give lines of a parent, a tab and a child")
    lost = below.difference(*sets)
    if lost:
        raise UsageError(
            f"{path} has no path from a top topic to {min(lost)!r}: some topic is below itself; mend the tree"
        )
    return LabelSets(sets)


def _and_below(top: str, children: dict[str, list[str]]) -> frozenset[str]:
    topics, left = {top}, [top]
    while left:
        new = [child for child in children[left.pop()] if child not in topics]
        topics.update(new)
        left += new
    return frozenset(topics)


def _edge(line: str, where: str) -> tuple[str | None, str]:
    lyrl = _LYRL.fullmatch(line)
    parts: Iterable[str] = lyrl.groups() if lyrl else [part.strip() for part in line.split("\t")]
    match list(parts):
        case [parent, child] if parent and child:
            return (None if lyrl and parent == "None" else parent), child
    raise UsageError(f"{where} is no edge of a tree; give a parent, a tab and a child")


def _lines(path: str | os.PathLike[str]) -> list[str]:
    check_plain_file(path)
    try:
        return Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"the covering in {path} cannot be read ({why}); give the path of a text file") from error

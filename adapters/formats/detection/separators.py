"""What separates the labels in a cell."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from telex.adapters.formats.detection.findings import NAMES, Guess, Question
from telex.adapters.formats.jsonl import split_cell
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Sequence

_LIST = re.compile(r"\[.*\]|\((\s*['\"].*)?\)|\{\s*['\"].*\}|set\(\)", re.DOTALL)
_BRACKETED = re.compile(r"\w*(\[.*\]|\(.*\)|\{.*\})", re.DOTALL)
_BETWEEN = re.compile(r"[|;,\s]")
_CODE = re.compile(r"[\w&]+[.:/_-][\w.:/_-]+")
_SURE, _UNSURE, _OFTEN = 0.5, 0.1, 0.05
_FEW = 20


def label_separator(
    name: str, cells: Sequence[str], usual: str | None, *, single: bool = False
) -> Guess | Question | None:
    """Return what separates the labels in cells, where that is not the ``usual`` sign.

    With ``single``, the name of the field says that a cell holds one label.

    It separates if the parts recur: alone, or beside other parts. A comma may belong to a label, so it is asked about
    where few parts recur. Pipes and semicolons hardly ever belong to a label. Brackets around several parts that are no
    list are asked about.

    >>> label_separator("labels", ["cs.ir|cs.dl", "cs.dl", "cs.ir"], ";").value
    'pipe'
    >>> label_separator("labels", ["['a', 'b']", "['a']"], ";").value
    'list'
    >>> label_separator("labels", ["trade;war", "war"], ";"), label_separator("labels", ["Congo, Republic of"] * 9, ";")
    (None, None)
    """
    cells = [cell.strip() for cell in cells if cell.strip()]
    if not cells:
        return None
    lists = [cell for cell in cells if _LIST.fullmatch(cell)]
    if 2 * len(lists) > len(cells) and _reads_lists(lists):
        return Guess("separator", "list", f"{name!r} holds {lists[0][:40]!r}")
    bracketed = [cell for cell in cells if _BRACKETED.fullmatch(cell)]
    if 2 * len(bracketed) > len(cells) and (several := [cell for cell in bracketed if _BETWEEN.search(cell)]):
        cause = (
            f"the labels in {name!r}, such as {several[0][:60]!r}, stand in brackets, and are no list as Python or "
            "JSON writes it; write them as in ['a', 'b'] or without brackets, unless each is one label"
        )
        return Question(cause, ({"separator": "none"},))
    if usual is not None and sum(usual in cell for cell in cells) >= _OFTEN * len(cells):
        return None
    for sign in (one for one in ("|", ";", "\t", ",", " ") if one != usual):
        found = _judged(name, sign, cells, single=single)
        if found is not None:
            return found
    return None


def _judged(name: str, sign: str, cells: Sequence[str], *, single: bool) -> Guess | Question | None:
    holding = [cell for cell in cells if sign in cell.strip(sign)]
    if len(holding) < max(1, _OFTEN * len(cells)):
        return None
    parts = [[part.strip() for part in cell.split(sign) if part.strip()] for cell in holding]
    if sign == " " and not _are_codes(parts):
        return None
    shared = recurring(parts, cells)
    sure = sign in "|;\t" and not single
    if shared >= _SURE or (sure and (shared > _UNSURE or len(cells) < _FEW or not _recur(cells))):
        why = f"{name!r} holds {holding[0][:40]!r}, and {shared:.0%} of such parts recur"
        return Guess("separator", NAMES[sign], why)
    if sign == " " or (sign == "," and shared <= _UNSURE and _recur(holding)):
        return None
    cause = (
        f"the labels in {name!r}, such as {holding[0][:60]!r}, may be one label or several with {sign!r} between them"
    )
    return Question(cause, ({"separator": NAMES[sign]}, {"separator": "none"}))


def recurring(parts: Sequence[Sequence[str]], cells: Sequence[str]) -> float:
    """Return the share of parts that also occur in a cell with another text.

    >>> recurring([["a", "b"], ["b", "c"]], ["a,b", "b,c", "c"])
    0.75
    """
    distinct = {tuple(some) for some in parts}
    seen = Counter(part for some in distinct for part in set(some))
    seen.update(set(cells))
    every = [part for some in distinct for part in some]
    return sum(seen[part] > 1 for part in every) / len(every) if every else 0.0


def _recur(cells: Sequence[str]) -> bool:
    """Tell whether most cells have a text that others have too, as whole labels would."""
    counts = Counter(cells)
    return sum(count for count in counts.values() if count > 1) > _SURE * len(cells)


def _are_codes(parts: Sequence[Sequence[str]]) -> bool:
    every = [part for some in parts for part in some]
    codes = sum(bool(_CODE.fullmatch(part)) or (part.isupper() and len(part) > 1) for part in every)
    return codes > 0.9 * len(every)


def _reads_lists(cells: Sequence[str]) -> bool:
    try:
        for cell in cells[:_FEW]:
            split_cell(cell, "list")
    except BrokenRecordError:
        return False
    return True

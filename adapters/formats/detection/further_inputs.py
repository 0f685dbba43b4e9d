"""What further inputs say beside the first: their encodings, and whether they are written as it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.detection.detect import findings_of, story_map
from telex.adapters.formats.detection.encodings import encoding_of
from telex.adapters.formats.detection.findings import Findings, Guess, Question
from telex.adapters.formats.detection.sample import BYTES, take_sample
from telex.adapters.formats.jsonl import BROKEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from telex.adapters.formats.detection.sample import Sample
    from telex.adapters.formats.reading import Input

EACH = "each"
"""The encoding that stands for several: each input is in its own."""
_LOOKED_AT, _FEW = 20, 250
_WRITTEN = {"separator": "labels", "time_format": "times"}
_UTF_16 = "utf-16"


def own_encoding(source: Input) -> str | None:
    """Return the encoding that the beginning of an input tells; None if that is ASCII, and could be of several."""
    head = source.head(BYTES)
    return None if head.isascii() else encoding_of(head)


def tell_encodings(inputs: Sequence[Input], first: Input) -> Guess | None:
    """Have each input read in its own encoding; return a guess if any is not in UTF-8.

    What is in ASCII is read as the others, where these are alike. A pipe is not waited for unless it is the ``first``.
    """
    told = [
        one.encoding or (own_encoding(one) if one is first or one.is_on_disk or one.part else None) for one in inputs
    ]
    known = {encoding: one for one, encoding in reversed(list(zip(inputs, told, strict=True))) if encoding}
    alike = len(known) < 2 and not (_UTF_16 in known and None in told)
    usual = next(iter(known), None) if alike else None
    for one, encoding in zip(inputs, told, strict=True):
        found = encoding or usual
        one.encoding = None if found == "utf-8" else found
    if not alike:
        some = " and ".join(f"{known[encoding].name} is in {encoding}" for encoding in sorted(known))
        return Guess("encoding", EACH, some)
    if usual in {None, "utf-8"}:
        return None
    why = "it begins with a mark of that" if usual == _UTF_16 else "it is not UTF-8, and reads well so"
    return Guess("encoding", str(usual), why)


def difference(name: str, found: Findings, inputs: Iterable[Input], given: Mapping[str, Any]) -> Question | None:
    """Return a question if labels or times of a further input are written otherwise than ``found`` in the first.

    Only the first few files are looked at, and only at what was not ``given``. Another guess alone is no difference:
    their records must be read otherwise with it.
    """
    options = [option for option in _WRITTEN if option not in given]
    settings = {key: value for key, value in found.settings.items() if key not in {"encoding", *options}}
    files = (one for one in inputs if one.is_on_disk and one.head().strip())
    for one in islice(files, _LOOKED_AT if options else 0):
        sample = take_sample(name, one, given)
        if sample is None:
            continue
        few = replace(sample, records=sample.records[:: 1 + len(sample.records) // _FEW])
        own = findings_of(few, Findings(name, given={**given, **settings}), labelled=False, readable=False)
        for option in options:
            here, there = found.settings.get(option), own.settings.get(option)
            if here == there or own.questions or _read_alike(few, own, option, here):
                continue
            return Question(
                f"the {_WRITTEN[option]} of {one.name} are written otherwise ({option}={own.written.get(option)}, not "
                f"{found.written.get(option)}); learn what is alike together, or say how all are to be read",
                tuple({option: which.written[option]} for which in (found, own) if option in which.written),
            )
    return None


def _read_alike(sample: Sample, own: Findings, option: str, other: str | None) -> bool:
    """Tell whether the records of an input that can be read as it says are read so with an ``other`` setting, too."""
    roles = {role: (field, why) for role, field, why in own.roles}
    tables = own.format not in {"json", "jsonl"}
    settings = {**own.given, **own.settings}
    changed = {**settings, option: other}
    maps = [
        story_map(roles, {key: value for key, value in some.items() if value is not None}, tables=tables)
        for some in (settings, changed)
    ]
    if None in maps:
        return True

    def values(fields: Any) -> list[str | None]:
        read = fields.labels_of if option == "separator" else fields.time_of
        found = list[str | None]()
        for record in sample.records:
            try:
                found.append(repr(read(record)))  # as a text NaN is equal to NaN
            except BROKEN:
                found.append(None)
        return found

    return all(one is None or one == two for one, two in zip(*map(values, maps), strict=True))

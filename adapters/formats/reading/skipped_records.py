"""Passes over the records of a file that the user named by their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.formats.reading.line_blocks import KEPT
from telex.stream.raw_records import GatheredLines
from telex.stream.sources import DeadLetter, place_text, skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from telex.stream.raw_records import RawLines


def skip_records(
    blocks: Iterable[RawLines | GatheredLines | DeadLetter], places: Set[str]
) -> Iterator[RawLines | GatheredLines | DeadLetter]:
    r"""Yield blocks without the records at ``places``, each of which is a dead letter; blank lines are no records.

    >>> from telex.stream.raw_records import RawLines
    >>> first, letter, last = skip_records([RawLines(b"a\nb\nc\n", "x", 7, 0)], {"x:8"})
    >>> first.lines(), str(letter), last.lines()
    ([b'a'], 'x:8: skipped on request', [b'c'])
    """
    for block in blocks:
        if not places or isinstance(block, DeadLetter) or not _names_any(block, places):
            yield block
            continue
        rest = GatheredLines([], [])
        for raw, place in block.records():
            if place_text(*place) not in places or not raw.strip():
                rest.raws.append(raw)
                rest.places.append(place)
                continue
            if rest.raws:
                yield rest
                rest = GatheredLines([], [])
            yield skipped(raw[:KEPT], *place)
        if rest.raws:
            yield rest


def _names_any(block: RawLines | GatheredLines, places: Set[str]) -> bool:
    return any(place_text(*place) in places for _, place in block.records())

"""RSS and Atom feeds, from files or from addresses that are polled."""

from __future__ import annotations

import math
import os
import re
import time
from typing import TYPE_CHECKING, ClassVar

from telex.adapters.formats.feed.entries import read_entries
from telex.adapters.formats.feed.polled_url import PolledUrl
from telex.adapters.formats.reading import KEPT, Input, option_checks
from telex.learners.base import BrokenRecordError, UsageError, seconds
from telex.stream.sources import Archive, DeadLetter, Story, StoryBuilder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream.sources import Stories

    Path = str | os.PathLike[str] | Input

FORMATS = {"rss": ("Rss", 60)}
_LARGEST = 16 << 20
_REMEMBERED = 100_000
_BEFORE = rb"\s*+(?:(?><\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*+>)\s*+)*+"
_BEGIN = re.compile(_BEFORE + rb"<(?:rss|feed|rdf:RDF)[\s>]", re.DOTALL)


class Rss(Archive):
    r"""The entries of feeds as documents.

    The id is an entry's own (guid), else its link. The text is its content, else its summary, without HTML. The labels
    are its categories; without any the entry is unlabelled. The entries of each round come in the order of their times;
    an entry without a time stays behind the one before it. An entry whose id is among the last 100,000 is skipped.

    Addresses are polled ``polls`` times (0 is forever), once per ``every``, with conditional requests. A poll that
    fails is a dead letter, and polling continues. Files are read once, in the first round. An address cannot be read
    from the beginning again: its older entries are gone.

    >>> import tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "feed.xml")
    >>> item = "<item><guid>7</guid><title>Cup</title><description>&lt;p&gt;Won.</description>"
    >>> item = f'<rss version="2.0"><channel>{item}<category>sport</category></item></channel></rss>'
    >>> with open(path, "w") as file: _ = file.write(item)
    >>> [stories] = Rss(path)
    >>> list(stories.ids), stories.titles, stories.texts, stories.labels
    (['7'], ['Cup'], ['Won.'], [['sport']])
    """

    summary: ClassVar = "RSS and Atom feeds: files, or addresses that are polled; categories are the labels"
    options: ClassVar = {
        "polls": "how often addresses are polled (1); 0 is forever",
        "every": "time between two polls (5m)",
        "order": "time (default: within a round) or file",
        "rows": "documents a batch (256)",
        "passes": "how often standard input will be read (1)",
    }

    def __init__(
        self,
        paths: Path | Iterable[Path],
        *,
        polls: int | str = 1,
        every: str = "5m",
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        many = [paths] if isinstance(paths, (str, os.PathLike, Input)) else list(paths)
        if not any(map(_is_address, many)) or many.count("-") > 1:
            many = list(Input.all(many))
        self._sources = [_source(path) for path in many]
        self.inputs = [source for source in self._sources if isinstance(source, Input)]
        self.live = any(isinstance(source, PolledUrl) for source in self._sources)
        self._polls = math.inf if str(polls) == "0" else option_checks.whole_number("polls", polls)
        self._every = seconds("every", every)
        self.order = option_checks.check_order(
            order or "time", ("time", "file"), "entries come in the order of the feed"
        )
        self._rows = option_checks.whole_number("rows", rows)
        self.title = _path(self._sources[0]) + (f" and {len(many) - 1} more" if many[1:] else "")
        if option_checks.whole_number("passes", passes) > 1:
            for source in self._sources:
                if isinstance(source, Input):
                    source.copy_pipe()
        self._begun = False
        self._seen: dict[str, None] = {}

    def __iter__(self) -> Iterator[Stories | DeadLetter]:
        if self._begun and self.live:
            raise UsageError("an address can be read only once; save the feed to a file to read it again")
        self._begun = True
        self._seen.clear()
        polls = 0
        while True:
            yield from self._round(self._sources)
            polls += 1
            if not self.live or polls >= self._polls:
                return
            self._sources = [source for source in self._sources if isinstance(source, PolledUrl)]
            time.sleep(self._every)

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first element, or at the name of an empty file."""
        start = head.removeprefix(b"\xef\xbb\xbf").strip()
        return bool(_BEGIN.match(start)) if start else path.endswith((".rss", ".atom"))

    def _round(self, sources: Iterable[PolledUrl | Input]) -> Iterator[Stories | DeadLetter]:
        builder, stories = StoryBuilder(), list[tuple[float, Story]]()
        for source in sources:
            moment = -math.inf
            for item in _current_entries(source):
                if isinstance(item, DeadLetter):
                    yield item
                elif self._is_new(item.id):
                    moment = moment if math.isnan(item.time) else item.time
                    stories.append((moment, item))
        if self.order == "time":
            stories.sort(key=lambda timed: timed[0])
        for _, story in stories:
            builder.add(story)
            if len(builder) >= self._rows:
                yield builder.take()
        if len(builder):
            yield builder.take()

    def _is_new(self, name: str) -> bool:
        if name in self._seen:
            self._seen[name] = self._seen.pop(name)  # forget last what the feed still contains
            return False
        self._seen[name] = None
        if len(self._seen) > _REMEMBERED:
            del self._seen[next(iter(self._seen))]
        return True


def _is_address(path: object) -> bool:
    return isinstance(path, str) and path.startswith(("http://", "https://"))


def _source(path: Path) -> PolledUrl | Input:
    if isinstance(path, str) and _is_address(path):
        return PolledUrl(path)
    return path if isinstance(path, Input) else Input(path)


def _path(source: PolledUrl | Input) -> str:
    return source.url if isinstance(source, PolledUrl) else source.name


def _current_entries(source: PolledUrl | Input) -> Iterator[Story | DeadLetter]:
    """Yield the current entries of a feed; whatever is wrong is a dead letter."""
    raw, headers = b"", dict[str, str]()
    try:
        if isinstance(source, PolledUrl):
            answer = source.ask()
            if answer is None:
                return
            raw, headers = answer
        else:
            raw = _all_of(source)
        yield from read_entries(raw, headers, _path(source))
    except BrokenRecordError as error:
        yield DeadLetter(raw[:KEPT], _path(source), None, None, "read", str(error))


def _all_of(source: Input) -> bytes:
    found, size = list[bytes](), 0
    for chunk in source.chunks():
        found.append(chunk)
        size += len(chunk)
        if size > _LARGEST:
            raise BrokenRecordError(f"the feed is larger than {_LARGEST >> 20} MiB")
    if not size:
        raise BrokenRecordError("the file is empty")
    return b"".join(found)

"""The entries of a feed, RSS or Atom, parsed by feedparser, which only sees harmless input."""

from __future__ import annotations

import calendar
import io
import math
import re
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from telex.adapters.formats.reading import KEPT, text_of_html
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter, Story

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_END = re.compile(rb"</(?:\w+:)?(?:rss|feed|RDF)\s*>", re.IGNORECASE)
_ENCODING = re.compile(rb"""(?:encoding|charset)\s*=\s*["']?([\w.:-]+)""")
_ENTITY = re.compile(r"<!\s*ENTITY", re.IGNORECASE)
_EBCDIC = b"\x4c\x6f\xa7\x94"
_MOST_ATTRIBUTES = 1000
_MARKUP = ("text/html", "application/xhtml+xml")


def read_entries(raw: bytes, headers: Mapping[str, str], path: str) -> Iterator[Story | DeadLetter]:
    r"""Yield the entries of a feed in their order.

    Bytes that are not a feed, or a feed that declares entities, raise a BrokenRecordError before the first entry. A
    feed that breaks off gives a dead letter behind its entries; its last entry may be incomplete and is left out.

    >>> feed = b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>x</id><title>Cup</title></entry></feed>"
    >>> [story] = read_entries(feed, {}, "feed.xml")
    >>> story.id, story.title, story.labels
    ('x', 'Cup', None)
    """
    # resolve relative ids and links against an address; in a file they stay as they are
    feed = _parse(raw, {**headers, "content-location": path} if "://" in path else headers)
    broken_off = bool(feed.bozo) and not _END.search(raw[-KEPT:].replace(b"\0", b""))
    for entry in feed.entries[:-1] if broken_off else feed.entries:
        try:
            yield _story(entry)
        except BrokenRecordError as error:
            yield DeadLetter(repr(dict(entry)).encode()[:KEPT], path, None, None, "decode", str(error))
    if broken_off:
        yield DeadLetter(raw[-1024:], path, None, None, "read", "the feed is incomplete; its last entry is left out")


def _parse(raw: bytes, headers: Mapping[str, str]) -> Any:
    feedparser: Any = import_module("feedparser")
    for text in _readings(raw, headers.get("content-type", "")):
        if _ENTITY.search(text):
            raise BrokenRecordError("the feed declares entities, which are never read; take out <!ENTITY")
        _check_attributes(text)
    try:
        # a file object: feedparser first tries bytes as an address and as a file name
        feed = feedparser.parse(
            io.BytesIO(raw), response_headers=dict(headers), sanitize_html=False, resolve_relative_uris=False
        )
    except Exception as error:  # feedparser has no exception class of its own
        raise BrokenRecordError(f"the feed cannot be read: {type(error).__name__}: {error}") from error
    if not (feed.get("version") or feed.entries):
        raise BrokenRecordError("this is not a feed, neither RSS nor Atom")
    return feed


def _readings(raw: bytes, content_type: str) -> list[str]:
    """Return the feed in any encoding in which the parser might read it, as far as its markup matters."""
    if raw.startswith(_EBCDIC):
        raise BrokenRecordError("the feed is in an encoding that is never read (EBCDIC); give it as UTF-8")
    named = [*_ENCODING.findall(raw[:1024]), *_ENCODING.findall(content_type.encode("latin-1", "replace"))]
    texts = [raw.replace(b"\0", b"").decode("latin-1")]  # ASCII characters of 1, 2 or 4 bytes
    for encoding in {name.decode().lower() for name in named} - {"utf-8", "iso-8859-1", "us-ascii", "utf-16"}:
        try:
            texts.append(raw.decode(encoding, "ignore"))
        except (LookupError, ValueError):
            continue
    return texts


def _check_attributes(text: str) -> None:
    """Refuse an element with very many attributes: feedparser's time grows with the square of their number."""

    def start(tag: str, attributes: list[str]) -> None:
        if len(attributes) > 2 * _MOST_ATTRIBUTES:
            raise BrokenRecordError(f"an element has more than {_MOST_ATTRIBUTES} attributes; take it out of the feed")

    parser = expat.ParserCreate("utf-8")
    parser.ordered_attributes = True
    parser.StartElementHandler = start
    with suppress(expat.ExpatError):  # feedparser reads on behind what is not well-formed, with a parser that is linear
        parser.Parse(text[max(0, text.find("<")) :].encode("utf-8", "replace"), True)  # without a byte order mark


def _story(entry: Any) -> Story:
    name = entry.get("id") or entry.get("link")
    if not name:
        raise BrokenRecordError("the entry has neither an id (guid) nor a link")
    contents = entry.get("content") or []
    bodies = [_text(content) for content in contents] or [_text(entry.get("summary_detail") or {})]
    categories = (tag.get("term") or tag.get("label") or "" for tag in entry.get("tags") or [])
    labels = [label for label in dict.fromkeys(category.strip() for category in categories) if label]
    return Story(name, "\n".join(bodies), _text(entry.get("title_detail") or {}), _time(entry), labels or None)


def _text(detail: Mapping[str, str]) -> str:
    value = detail.get("value") or ""
    return text_of_html(value) if detail.get("type") in _MARKUP else " ".join(value.split())


def _time(entry: Any) -> float:
    # plain dict access: feedparser's own get() warns about a fallback if a field is missing
    moment = dict.get(entry, "published_parsed") or dict.get(entry, "updated_parsed")
    return float(calendar.timegm(moment)) if moment and 1 <= moment[0] <= 9999 else math.nan

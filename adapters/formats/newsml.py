"""RCV1's XML: one newsitem per file, with a folder or zip archive for each day."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, ClassVar

from telex.adapters.formats.reading import FiledStories, epoch_seconds, option_checks, parse_xml
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import id_key, time_key
from telex.stream.sources import Story

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from telex.adapters.formats.reading import Paths

FORMATS = {"newsml": ("NewsML", 30)}
_CLASSES = {"topics": "bip:topics:", "industries": "bip:industries:", "regions": "bip:countries:"}
_START = re.compile(rb"\s*(?:<\?xml[^<>]*>\s*)?<newsitem\s([^<>']*)>")
_ATTRIBUTE = re.compile(rb'([\w:]+)\s*=\s*"([^"&]*)"')
_DAY = re.compile(rb"\d{4}-\d\d-\d\d")


class NewsML(FiledStories):
    r"""The documents of RCV1 as Reuters sent them out.

    The text is made of the paragraphs, the title is the headline, the time the item's date. The labels are the codes of
    the requested classes, mixed together. An item without any of those classes is unlabelled: it was never coded. A
    class without a code means that no label fits.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "2330newsML.xml")
    >>> item = '<newsitem itemid="2330" date="1996-08-20"><headline>Tylan up</headline><text><p>It jumped.</p></text>'
    >>> item += '<metadata><codes class="bip:topics:1.0"><code code="C15"/></codes></metadata></newsitem>'
    >>> with open(path, "w") as file: _ = file.write(item)
    >>> [stories] = NewsML(path)
    >>> stories.ids[0], stories.titles, stories.texts, stories.labels, stories.times.tolist()
    ('2330', ['Tylan up'], ['It jumped.'], [['C15']], [840499200.0])
    """

    summary: ClassVar = "RCV1's XML: one newsitem per file, in folders or zip archives; the topic codes are labels"
    options: ClassVar = {
        "labels": "topics (default), industries or regions; several joined by +",
        "order": "time (default), id or file",
        "rows": "documents a batch (256)",
        "passes": "how often standard input will be read (1)",
    }
    suffixes: ClassVar = (".xml",)
    cut: ClassVar = re.compile(rb"</newsitem\s{0,8}>")

    def __init__(
        self,
        paths: Paths,
        *,
        labels: str = "topics",
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        self._classes = tuple(_CLASSES[name] for name in option_checks.some_of("labels", labels, tuple(_CLASSES)))
        self._open(paths, order or "time", rows, passes)

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first element, or at the name of an empty file."""
        return bool(_START.match(head)) if head.strip() else "newsML" in path

    def _story(self, raw: bytes, place: tuple[str, int | None, int | None]) -> Story:
        return story_of_newsitem(raw, self._classes)

    def _time_key(self, raw: bytes, place: Any) -> bytes | None:
        date = _attributes(raw).get(b"date", b"")
        if not _DAY.fullmatch(date):
            return super()._time_key(raw, place)
        try:
            return time_key(epoch_seconds(date.decode()))
        except BrokenRecordError:
            return None

    def _id_key(self, raw: bytes, place: Any) -> bytes | None:
        name = _attributes(raw).get(b"itemid", b"")
        return id_key(name) if name.isalnum() else super()._id_key(raw, place)


def story_of_newsitem(raw: bytes, classes: tuple[str, ...] = (_CLASSES["topics"],)) -> Story:
    """Return the story of an item, labelled with the codes of those classes; a mistake raises a BrokenRecordError."""
    root = parse_xml(raw.lstrip())
    if root.tag != "newsitem":
        raise BrokenRecordError(f"the XML is a <{root.tag[:40]}>, not a <newsitem>")
    name = root.get("itemid", "").strip()
    if not name:
        raise BrokenRecordError("the newsitem has no itemid")
    headline = _line(root.find("headline")) or _line(root.find("title"))
    return Story(name, _text(root.find("text")), headline, _time(root), _codes(root, classes))


def _codes(root: Element, classes: tuple[str, ...]) -> list[str] | None:
    chosen = [codes for codes in root.iter("codes") if codes.get("class", "").startswith(classes)]
    if not chosen:
        return None
    found = (code.get("code", "").strip() for codes in chosen for code in codes.iter("code"))
    return [label for label in dict.fromkeys(found) if label]


def _attributes(raw: bytes) -> dict[bytes, bytes]:
    """Return the attributes of an item that begins in the usual way, a hundred times faster than a parser does."""
    start = _START.match(raw)
    return dict(_ATTRIBUTE.findall(start[1])) if start else {}


def _time(root: Element) -> float:
    given = root.get("date") or next(
        (dc.get("value", "") for dc in root.iter("dc") if dc.get("element") == "dc.date.published"), ""
    )
    return epoch_seconds(given.strip()) if given.strip() else math.nan


def _text(body: Element | None) -> str:
    if body is None:
        return ""
    paragraphs = ["".join(p.itertext()).strip() for p in body.iter("p")] or ["".join(body.itertext()).strip()]
    return "\n".join(paragraphs)


def _line(element: Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())

"""Reuters-21578, Distribution 1.0: the SGML of 1987, read by a tolerant reader of its own."""

from __future__ import annotations

import datetime
import math
import re
from typing import TYPE_CHECKING, Any, ClassVar

from telex.adapters.formats.reading import FiledStories, option_checks
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import time_key
from telex.stream.sources import Story

if TYPE_CHECKING:
    from telex.adapters.formats.reading import Paths

FORMATS = {"reuters21578": ("Reuters21578", 40)}
_KINDS = ("topics", "places", "people", "orgs", "exchanges", "companies")
_SPLITS = {"all": None, "modapte": ("TRAIN", "TEST"), "modapte-train": ("TRAIN",), "modapte-test": ("TEST",)}
_BEGIN = re.compile(rb"\s*(?:<!DOCTYPE\s+lewis\b|<REUTERS\s)")
_BETWEEN = re.compile(r"(?>\s++|<!DOCTYPE[^>]*+>|<!--.*?-->|</?LEWIS>)*+", re.DOTALL)
_RECORD = re.compile(r"<REUTERS\s([^>]*)>(.*)</REUTERS\s*>", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w-]{1,20})\s?=\s?(?:"([^"]*)"|([^\s"]+))""")
_TEXT = re.compile(r"<TEXT\b[^>]*>(.*?)(?:</TEXT\s*>|$)", re.DOTALL)
_DATE = re.compile(r"\s*(\d{1,2})-([A-Z]{3})-(\d{4})(?:\s+(\d{1,2}):(\d\d):(\d\d(?:\.\d+)?))?", re.IGNORECASE)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_ENTITY = re.compile(r"&(#?\w{1,8});")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


_LABEL = re.compile(r"<D>([^<]*)</D>")
_TAGS = {
    name: (re.compile(rf"<{name.upper()}\b[^<>]*>"), re.compile(rf"</{name.upper()}\s?>"))
    for name in ("date", "title", "dateline", "body", *_KINDS)
}


class Reuters21578(FiledStories):
    r"""The documents of Reuters-21578.

    The text is the BODY, empty if a document has only a TITLE; without either tag, it is all of TEXT. Control
    characters become blanks. If the time cannot be read, the day is used; without a day a document is broken. A
    document with TOPICS="YES" and no topic has the answer that none fits. One with NO or BYPASS and no topic is
    unlabelled: the collection's README says that many of those were never indexed. Labels of the other kinds are always
    an answer.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "reut2-000.sgm")
    >>> record = '<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="1">\n<DATE>26-FEB-1987 15:01:01.79</DATE>\n'
    >>> record += '<TOPICS><D>cocoa</D></TOPICS><TEXT>&#2;<TITLE>BAHIA</TITLE><BODY>Rain &lt;since&#3;</BODY></TEXT>\n'
    >>> with open(path, "w") as file: _ = file.write(record + "</REUTERS>\n")
    >>> [stories] = Reuters21578(path, split="modapte-train")
    >>> stories.ids[0], stories.titles, stories.texts, stories.labels, stories.times.tolist()
    ('1', ['BAHIA'], ['Rain <since'], [['cocoa']], [541350061.79])
    """

    summary: ClassVar = "Reuters-21578 (SGML): files or the folder, topics as labels, ModApte's split"
    options: ClassVar = {
        "labels": "topics (default), places, people, orgs, exchanges or companies; several joined by +",
        "split": "all (default), modapte, modapte-train or modapte-test",
        "labelled": "any (default) or some: only documents with at least one label",
        "dateline": "false (default) or true: the dateline is part of the text",
        "order": "time (default), id or file",
        "rows": "documents a batch (256)",
        "passes": "how often standard input will be read (1)",
    }
    splits: ClassVar = {"modapte": ({"split": "modapte-train"}, {"split": "modapte-test"})}
    suffixes: ClassVar = (".sgm", ".sgml")
    cut: ClassVar = re.compile(rb"</REUTERS\s{0,8}>|(?=<REUTERS\s)")

    def __init__(
        self,
        paths: Paths,
        *,
        labels: str = "topics",
        split: str = "all",
        labelled: str = "any",
        dateline: bool | str = False,
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        self._kinds = option_checks.some_of("labels", labels, _KINDS)
        self._split = _SPLITS[option_checks.one_of("split", split, tuple(_SPLITS))]
        self._some = option_checks.one_of("labelled", labelled, ("any", "some")) == "some"
        self._dateline = option_checks.one_of("dateline", dateline, ("true", "false")) == "true"
        self._open(paths, order or "time", rows, passes)

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first tag, or at the name of an empty file."""
        return bool(_BEGIN.match(head)) if head.strip() else ".sgm" in path

    def _story(self, raw: bytes, place: tuple[str, int | None, int | None]) -> Story | None:
        written = raw.decode("latin-1").strip()
        record = _RECORD.fullmatch(written)
        if record is None:
            if _BETWEEN.fullmatch(written):
                return None
            begun = written.startswith("<REUTERS")
            raise BrokenRecordError("the record has no end: </REUTERS> is missing" if begun else "this is no <REUTERS>")
        attributes = {name.upper(): quoted or bare for name, quoted, bare in _ATTRIBUTE.findall(record[1])}
        if self._split and not (attributes.get("LEWISSPLIT") in self._split and attributes.get("TOPICS") == "YES"):
            return None
        name = attributes.get("NEWID", "").strip()
        if not name:
            raise BrokenRecordError("the record has no NEWID")
        text = _TEXT.search(record[2])
        about = record[2][: text.start()] if text else record[2]
        labels = self._labels(about, attributes.get("TOPICS", ""))
        if self._some and not labels:
            return None
        title, body = self._telling(text[1] if text else "")
        return Story(name, body, title, _time(about), labels)

    def _telling(self, text: str) -> tuple[str, str]:
        title, body = _inside("title", text), _inside("body", text)
        if title is None and body is None:
            return "", _characters(text).strip()
        body = _characters(body or "").strip()
        if self._dateline and (dateline := _inside("dateline", text)):
            body = f"{_characters(dateline).strip()} {body}"
        return " ".join(_characters(title or "").split()), body

    def _labels(self, about: str, topics: str) -> list[str] | None:
        found = {kind: _LABEL.findall(_inside(kind, about) or "") for kind in self._kinds}
        if "topics" in found and not found["topics"] and topics != "YES":
            return None
        labels = (_characters(label).strip() for kind in self._kinds for label in found[kind])
        return [label for label in dict.fromkeys(labels) if label]

    def _time_key(self, raw: bytes, place: Any) -> bytes | None:
        try:
            time = _time(raw[: raw.find(b"<TEXT") + 1 or None].decode("latin-1"))
        except BrokenRecordError:
            return None
        return None if math.isnan(time) else time_key(time)


def _inside(name: str, markup: str) -> str | None:
    """Return the content of the first element of that name, or None; looks for each tag only once."""
    begin, end = _TAGS[name]
    opened = begin.search(markup)
    closed = end.search(markup, opened.end()) if opened else None
    return markup[opened.end() : closed.start()] if opened and closed else None


def _time(about: str) -> float:
    """Return when it was sent, as far as that can be read: many dates have a tail, one has a clock of 605:12."""
    written = _inside("date", about)
    if written is None:
        return math.nan
    date = _DATE.match(written)
    if date is None or date[2].upper() not in _MONTHS:
        raise BrokenRecordError(f"the date {written[:40]!r} is not a date")
    try:
        day = datetime.datetime(int(date[3]), _MONTHS.index(date[2].upper()) + 1, int(date[1]), tzinfo=datetime.UTC)
    except ValueError as error:
        raise BrokenRecordError(f"the date {written[:40]!r} is not a date") from error
    return day.timestamp() + _clock(date[4], date[5], date[6])


def _clock(hours: str | None, minutes: str, seconds: str) -> float:
    if hours is None or int(hours) > 23 or int(minutes) > 59 or float(seconds) >= 61:
        return 0.0
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def _characters(text: str) -> str:
    return _CONTROL.sub(" ", _ENTITY.sub(_character, text) if "&" in text else text)


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if not name.startswith("#"):
        return _NAMED.get(name, entity[0])
    number = int(name[1:]) if name[1:].isascii() and name[1:].isdigit() else 0
    return chr(number) if number < 0xD800 else " "

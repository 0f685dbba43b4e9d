"""Untrusted XML, without document types: no entity can be declared, so none can expand or reach outside."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["parse_xml"]

_PIECES, _BYTES = 1000, 1 << 16


def parse_xml(raw: bytes) -> Element:
    r"""Return the root of a whole XML document; a DOCTYPE, or XML that is not well-formed, raises a BrokenRecordError.

    >>> parse_xml(b'<?xml version="1.0" encoding="iso-8859-1"?><p>caf\xe9</p>').text
    'café'
    >>> parse_xml(b'<!DOCTYPE p [<!ENTITY e SYSTEM "file:///etc/hosts">]><p>&e;</p>')
    Traceback (most recent call last):
    telex.learners.base.errors.BrokenRecordError: the XML declares a document type, which is never read; take out
    <!DOCTYPE
    """
    try:
        _look_at_prologue(raw)
        return ElementTree.fromstring(raw)
    except (ElementTree.ParseError, LookupError, ValueError) as error:  # the last two: encodings unknown to expat
        raise BrokenRecordError(f"the XML is not well-formed: {error}") from error


class _RootStarts(Exception):  # noqa: N818
    """Raised at the root element: no document type can come after it."""


class _Prologue:
    """Handlers for expat, up to the first element."""

    @staticmethod
    def doctype(name: str, pubid: str | None, system: str | None) -> None:
        raise BrokenRecordError("the XML declares a document type, which is never read; take out <!DOCTYPE")

    @staticmethod
    def start(tag: str, attributes: dict[str, str]) -> None:
        raise _RootStarts

    @staticmethod
    def close() -> None:
        return None


def _look_at_prologue(raw: bytes) -> None:
    # After an exception expat continues to the end of what it was fed, expanding the entities it knows. Fed in small
    # pieces it meets the document type before any text that uses them. In every encoding it knows, > has this byte.
    parser = ElementTree.XMLParser(target=_Prologue())
    begin = 0
    try:
        for _ in range(_PIECES):
            end = raw.find(b">", begin) + 1 or len(raw)
            parser.feed(raw[begin:end])
            begin = end
            if begin == len(raw):
                parser.close()
                return
            if begin > _BYTES:
                break
    except _RootStarts:
        return
    raise BrokenRecordError("the XML has too much before its first element, so it is not read")

"""Markup of strangers: XML is a tree or one kind of error, HTML is a text."""

from __future__ import annotations

from telex.adapters.formats.reading import parse_xml, text_of_html
from telex.learners.base import BrokenRecordError

MOST = 64  # times as much text as bytes: nothing expands


def xml(data: bytes) -> None:
    """Parse a document."""
    try:
        root = parse_xml(data)
    except BrokenRecordError as error:
        assert str(error)  # noqa: PT017
        return
    assert sum(map(len, root.itertext())) <= len(data)


def html(data: bytes) -> None:
    """Reduce markup to its text, which has single blanks and is no longer than an entity can make it."""
    text = text_of_html(data.decode("utf-8", "replace"))
    assert text == " ".join(text.split())
    assert len(text) <= max(1, len(data)) * MOST

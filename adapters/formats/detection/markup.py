"""Whether texts are HTML."""

from __future__ import annotations

import re
from html.entities import html5
from typing import TYPE_CHECKING

from telex.adapters.formats.detection.findings import Guess

if TYPE_CHECKING:
    from collections.abc import Sequence

_TAG = re.compile(
    r"</?(?:p|br|div|span|a|b|i|em|strong|ul|ol|li|h[1-6]|img|table|tr|td|blockquote|script|figure|section|article|html|body)"
    r"(?:\s[^<>]*)?/?>|&(?:amp|nbsp|quot|lt|gt|apos|[lr][ds]quo|[mn]dash|hellip|#\d{2,6}|#x[0-9a-f]{2,5});",
    re.IGNORECASE,
)
_SHARE, _LOOKED = 0.05, 20_000
_ENTITY = re.compile(r"&(#\d+|#[xX][0-9a-fA-F]+|\w+);", re.ASCII)


def without_entities(text: str) -> str:
    """Return a text without the semicolons of its entities of HTML, by which these end.

    >>> without_entities("Arts &amp; Leisure; R&D; Dvo&#345;&#xE1;k")
    'Arts &amp Leisure; R&D; Dvo&#345&#xE1k'
    """
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda found: found[0][: -1 if found[1][0] == "#" or f"{found[1]};" in html5 else None], text)


def html_guess(name: str, texts: Sequence[str]) -> Guess | None:
    """Return that texts are to be freed of HTML, if a twentieth of them has tags or entities.

    >>> html_guess("text", ["<p>Gold &amp; tin</p>", "plain"]).value, html_guess("text", ["a < b > c", "R&D"])
    ('strip', None)
    """
    found = [match[0] for text in texts if (match := _TAG.search(text[:_LOOKED]))]
    if not texts or len(found) < _SHARE * len(texts):
        return None
    return Guess("html", "strip", f"{len(found)} of {len(texts)} texts in {name!r} have HTML such as {found[0][:30]!r}")

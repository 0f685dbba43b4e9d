"""The page itself: one file that fetches nothing, and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

_SCRIPTS = (
    "dom", "numbers", "colours", "lines", "chart", "table", "curves", "standings", "verdicts", "labels", "words",
    "happened", "speed", "letters", "crossval", "newest", "facts", "live", "main",
)  # fmt: skip
"""The scripts of the page, in the order in which they stand on each other; they share one scope of their own."""
_CHARTS = "dygraphs/assets/dygraph-combined.js"
"""Dygraphs draws: 125 kB where Bokeh has 1.27 MB and Plotly 4.8 MB, with hover, zoom and touch, and no dependency."""


def page(data: dict[str, Any], *, live: bool = False) -> str:
    """Return the page that shows ``data``, as plain JSON; one that is served ``live`` may ask its own server alone.

    Nothing of the data is ever HTML: it stands in an element that no browser reads as a script or as markup, and goes
    into the page as text. A policy names the hashes of the page's own scripts and styles: no other runs.
    """
    style, charts, script = _style(), _charts(), _script()
    return (
        _part("page.html")
        .replace("{{policy}}", policy(live=live))
        .replace("{{style}}", style)
        .replace("{{charts}}", charts)
        .replace("{{script}}", script)
        .replace("{{data}}", embedded(data))  # last: what stands in it is nobody's to fill
    )


def policy(*, live: bool) -> str:
    """Return the page's content security policy."""
    scripts = " ".join(map(_hash, (_charts(), _script())))
    connect = "'self'" if live else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_hash(_style())}; img-src data:; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


def embedded(data: Any) -> str:
    r"""Return JSON that cannot end the element it stands in, nor begin another.

    >>> embedded({"title": "</script><script>alert(1)</script>"})
    '{"title":"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>"}'
    """
    return json.dumps(data, allow_nan=False, separators=(",", ":"), default=str).replace("<", "\\u003c")


@cache
def _charts() -> str:
    # The package is not imported: nothing but this file of it is wanted.
    return Path(str(distribution("dygraphs").locate_file(_CHARTS))).read_text(encoding="utf-8")


@cache
def _script() -> str:
    parts = "\n".join(_part(f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


@cache
def _style() -> str:
    return _part("page.css")


def _part(name: str) -> str:
    return files("telex.adapters.report").joinpath("web", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

"""Makes the page: one file that loads nothing, and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

from telex.learners.base import TelexError

_SCRIPTS = (
    "dom", "numbers", "colours", "lines", "chart", "table", "curves", "passes", "standings", "reliability", "verdicts",
    "labels", "tree", "words", "happened", "speed", "letters", "crossval", "chosen", "newest", "facts", "live", "main",
)  # fmt: skip
"""The scripts of the page, each after those it depends on; they share one scope of their own."""
_CHARTS = "dygraphs/assets/dygraph-combined.js"
"""Dygraphs draws: 125 kB where Bokeh has 1.27 MB and Plotly 4.8 MB, with hover, zoom and touch, and no dependency."""
_CHARTS_SHA256 = "f70b8be65997bb88bc75ac0b2a5d576a7163d5bc7f366c07bdf770ed30b7658d"
"""The file of dygraphs 0.0.14: the page runs no other script of somebody else."""


def page(data: dict[str, Any], *, live: bool = False) -> str:
    """Return the page that shows ``data``, given as plain JSON; a ``live`` page may only ask its own server.

    Data never become HTML: they are in an element that browsers read neither as script nor as markup, and enter the
    page as text. A policy lists the hashes of the page's own scripts and styles, so no others run.
    """
    charts, script = _charts(), _script()
    return (
        _part("page.html")
        .replace("{{policy}}", policy(live=live))
        .replace("{{style}}", style())
        .replace("{{charts}}", charts)
        .replace("{{script}}", script)
        .replace("{{data}}", embedded(data))  # last, so that no placeholder in the data is filled
    )


def policy(*, live: bool) -> str:
    """Return the page's content security policy."""
    scripts = " ".join(map(_hash, (_charts(), _script())))
    connect = "'self'" if live else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {style_hash()}; img-src data:; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


def embedded(data: Any) -> str:
    r"""Return JSON that can neither end the element around it nor begin another.

    >>> embedded({"title": "</script><script>alert(1)</script>"})
    '{"title":"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>"}'
    """
    return json.dumps(data, allow_nan=False, separators=(",", ":"), default=str).replace("<", "\\u003c")


def charts() -> str:
    """Return the script of dygraphs, if it is the one that Telex knows."""
    # Find the package without importing it: only this file of it is needed.
    script = Path(str(distribution("dygraphs").locate_file(_CHARTS)))
    content = script.read_bytes()
    if hashlib.sha256(content).hexdigest() != _CHARTS_SHA256:
        raise TelexError(f"{script} is not the script that Telex knows; install it again: pip install dygraphs==0.0.14")
    return content.decode()


_charts = cache(charts)


@cache
def _script() -> str:
    parts = "\n".join(_part(f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


@cache
def style() -> str:
    """Return the style sheet of all pages."""
    return _part("page.css")


def style_hash() -> str:
    """Return what a content security policy says so that this style sheet alone is used."""
    return _hash(style())


def _part(name: str) -> str:
    return files("telex.adapters.report").joinpath("web", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

"""The page of the papers' tables and figures: our figures beside the papers', and what did not reproduce."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING

from telex.adapters.report.page import embedded, style, style_hash
from telex.learners.base import without_nan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.adapters.reproductions import Made


def reproductions_page(made: Sequence[Made], heading: str) -> str:
    """Return one HTML file that loads nothing and runs no script; all figures are in it as JSON too.

    >>> from telex.adapters.reproductions import Made
    >>> one = Made(name="a", title="A & B", settings={}, found={"f1": 0.5}, lines=["f1  0.5"])
    >>> page = reproductions_page([one], "tables")
    >>> "<h2>a: A &amp; B</h2>" in page, "<pre>f1  0.5</pre>" in page
    (True, True)
    """
    policy = f"default-src 'none'; style-src {style_hash()}; img-src data:; base-uri 'none'; form-action 'none'"
    whole = [one for one in made if not one.failed]
    seconds = sum(one.seconds for one in whole)
    figures = embedded(without_nan({one.name: one.found for one in whole}))
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<link rel="icon" href="data:,">\n<title>{escape(heading)}</title>\n<style>{style()}</style>\n</head>',
            '<body>\n<main id="page">\n<header class="top"><span class="brand">Telex</span></header>',
            f"<h1>{escape(heading)}</h1>",
            f'<p class="lead">{len(whole)} of {len(made)} were made; together they took {seconds:,.0f} seconds.</p>',
            *_contents(made),
            *(part for one in whole for part in _section(one)),
            *_misses(made),
            f'<script type="application/json" id="figures">{figures}</script>',
            "</main>\n</body>\n</html>\n",
        ]
    )


def _contents(made: Iterable[Made]) -> list[str]:
    rows = (
        f'<tr><td class="text"><a href="#{escape(one.name)}">{escape(one.name)}</a></td>'
        f'<td class="text wide">{escape(one.title)}</td><td class="text">{_settings(one)}</td>'
        f"<td>{'not made' if one.failed else f'{one.seconds:,.0f}'}</td></tr>"
        for one in made
    )
    head = '<tr><th class="text">name</th><th class="text">what</th><th class="text">settings</th><th>seconds</th></tr>'
    return [f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"]


def _section(one: Made) -> list[str]:
    parts = [f'<section id="{escape(one.name)}">', f"<h2>{escape(one.name)}: {escape(one.title)}</h2>"]
    if one.picture is not None:
        drawn = base64.b64encode(one.picture).decode()
        parts.append(f'<img class="figure" alt="{escape(one.title)}" src="data:image/svg+xml;base64,{drawn}">')
    elif one.undrawn:
        parts.append(f'<p class="note">There is no picture: {escape(one.undrawn)}</p>')
    return [*parts, f"<pre>{escape(chr(10).join(one.lines))}</pre>", "</section>"]


def _misses(made: Sequence[Made]) -> list[str]:
    parts = ['<section id="misses" class="sheet">', "<h2>What did not reproduce, and what we tried</h2>"]
    names: dict[str, list[str]] = {}  # what is true of several is said once, of all of them
    for one in made:
        for line in [f"not made: {one.failed}"] if one.failed else one.misses:
            names.setdefault(line, []).append(one.name)
    said: dict[str, list[str]] = {}
    for line, of in sorted(names.items(), key=lambda pair: len(pair[1])):
        said.setdefault(", ".join(of), []).append(line)
    for heading, lines in said.items():
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        parts.append(f"<h3>{escape(heading)}</h3>\n<ul>{items}</ul>")
    if not said:
        parts.append("<p>No difference was found.</p>")
    if silent := [one.name for one in made if not one.failed and not one.candid]:
        parts.append(f"<p>Nothing is compared with a paper by {escape(', '.join(silent))}.</p>")
    return [*parts, "</section>"]


def _settings(one: Made) -> str:
    return escape(", ".join(f"{name} {value:,}" for name, value in one.settings.items()))

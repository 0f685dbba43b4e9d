"""The layout of help texts: paragraphs as wide as the terminal, examples that can be copied."""

from __future__ import annotations

import argparse
import re
import textwrap

EXIT_CODES = """\
Exit codes: 0 done (even with broken records), 1 could not continue or a learner failed, 2 wrong use,
130 interrupted by Ctrl-C.

README.md and docs/ say more; `telex learners`, `telex formats` and `telex losses` list what is
available."""


class Help(argparse.RawDescriptionHelpFormatter):
    r"""Wraps paragraphs; an indented line is an entry of a list, or an example, which is continued after a backslash.

    >>> print(Help("telex", width=40)._fill_text('''Some words to be wrapped.
    ... More of them.
    ...
    ... example:
    ...   telex replay news.jsonl --learner mmp --limit 10''', 40, ""))
    Some words to be wrapped. More of them.
    <BLANKLINE>
    example:
      telex replay news.jsonl \
        --learner mmp --limit 10
    """

    def add_argument(self, action: argparse.Action) -> None:
        """Add an argument; the column is wide enough for the longest name of a command, which is indented further."""
        super().add_argument(action)
        for command in self._iter_indented_subactions(action):
            taken = len(self._format_action_invocation(command)) + self._current_indent
            self._action_max_length = max(self._action_max_length, taken)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        paragraph: list[str] = []

        def end() -> None:
            if paragraph:
                # A command in backquotes stays on its line.
                whole = re.sub(r"`[^`]*`", lambda quoted: quoted[0].replace(" ", "\0"), " ".join(paragraph))
                lines.extend(line.replace("\0", " ") for line in textwrap.wrap(whole, width, break_on_hyphens=False))
                paragraph.clear()

        for line in text.splitlines():
            if line.startswith("  "):
                end()
                lines.extend((_example if "telex " in line else _entry)(line, width))
            elif not line or line.endswith(":"):
                end()
                lines.append(line)
            else:
                paragraph.append(line)
        end()
        return "\n".join(lines)


def _entry(line: str, width: int) -> list[str]:
    """Wrap a line of a list, a name and its description, to the column of the description."""
    name = re.match(r"  \S+ +", line)
    return textwrap.wrap(line, width, subsequent_indent=" " * (name.end() if name else 4))


def _example(line: str, width: int) -> list[str]:
    """Break a command in front of its options, unless quotes are around; what cannot be broken stays long."""
    words = re.findall(r'(?:[^\s"]|"[^"]*")+', line)
    pieces: list[str] = []
    for word in words:
        if pieces and not word.startswith(("--", "|")):
            pieces[-1] += f" {word}"
        else:
            pieces.append(word)
    lines = [f"  {pieces[0]}"]
    for piece in pieces[1:]:
        if len(lines[-1]) + len(piece) + 3 <= width:
            lines[-1] += f" {piece}"
        else:
            lines[-1] += " \\"
            lines.append(f"    {piece}")
    return lines

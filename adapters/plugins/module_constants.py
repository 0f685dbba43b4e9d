"""Reads what the modules of a folder declare about themselves, without importing them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any


def read_declarations(folder: str, constant: str) -> dict[str, Any]:
    """Return the value of ``constant`` by module, for each module in ``folder`` or below that has a line for it.

    The line is not indented and holds a whole literal, ``TITLE = "..."``. The tables of formats and reproductions are
    made of such lines, so another format takes one file, which is imported only when it is used.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "morse.py").write_text('FORMATS = {"morse": ("Morse", 500)}')
    ...     read_declarations(folder, "FORMATS")
    {'morse': {'morse': ('Morse', 500)}}
    """
    line = re.compile(rf"^{constant} = (.+)$", re.MULTILINE)
    found = {}
    for path in sorted(Path(folder).rglob("*.py")):
        if literal := line.search(path.read_text(encoding="utf-8")):
            found[".".join(path.relative_to(folder).with_suffix("").parts)] = ast.literal_eval(literal[1])
    return found

"""Reads what the modules of a folder declare about themselves, without importing them."""

from __future__ import annotations

import ast
import os
import re
from typing import Any


def read_declarations(folder: str, constant: str) -> dict[str, Any]:
    """Return the value of ``constant`` by module, for each module in ``folder`` or below that has a line for it.

    The line is not indented and holds a whole literal, ``TITLE = "..."``. The tables of formats and reproductions are
    made of such lines, so another format takes one file, which is imported only when it is used.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "morse.py").write_text('FORMATS = {"morse": ("Morse", 500)}')
    ...     read_declarations(folder, "FORMATS")
    {'morse': {'morse': ('Morse', 500)}}
    """
    line = re.compile(rf"^{constant} = (.+)$", re.MULTILINE)
    # Not by pathlib, whose import would be a tenth of `telex --help`.
    paths = sorted(os.path.join(home, name) for home, _, names in os.walk(folder) for name in names)
    found = {}
    for path in paths:
        if not path.endswith(".py"):
            continue
        with open(path, encoding="utf-8") as file:
            literal = line.search(file.read())
        if literal:
            module = os.path.relpath(path, folder).removesuffix(".py").replace(os.sep, ".")
            found[module] = ast.literal_eval(literal[1])
    return found

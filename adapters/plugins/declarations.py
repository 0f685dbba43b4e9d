"""What the modules of a folder declare of themselves, read without importing them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any


def read_declarations(folder: str, constant: str) -> dict[str, Any]:
    """Return the value of ``constant`` by module, for each module in ``folder`` or below that has a line for it.

    The line stands at the beginning of a line and holds a whole literal, ``TITLE = "..."``. A table of formats or
    reproductions is made of such lines: another is one file, and what it works with is imported when it is used.

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

"""dead-letters.jsonl: the records that could not be read, each with its place and the reason."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from telex.stream.run_folder.file_reader import json_lines, reading
from telex.stream.run_folder.file_sink import FileSink
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEAD_LETTERS_JSONL = "dead-letters.jsonl"


class DeadLettersFile(FileSink):
    """dead-letters.jsonl: what was refused, where and why; ``raw_base64`` has bytes that are no UTF-8."""

    def dead_letter(self, letter: DeadLetter) -> None:
        """Write a line."""
        fields = {name: getattr(letter, name) for name in ("path", "line", "offset", "stage", "reason")}
        try:
            raw = {"raw": letter.raw.decode()}
        except UnicodeDecodeError:
            raw = {"raw_base64": base64.b64encode(letter.raw).decode("ascii")}
        self.write(json.dumps({**fields, **raw}, ensure_ascii=False) + "\n")
        self.flush()


def read_dead_letters(folder: Path) -> Iterator[DeadLetter]:
    """Yield the dead letters of the run in ``folder``, with the bytes of their records."""
    path = folder / DEAD_LETTERS_JSONL
    with reading(path):
        for fields in json_lines(path):
            text, encoded = fields.pop("raw", None), fields.pop("raw_base64", None)
            raw = base64.b64decode(encoded) if text is None else text.encode("utf-8", "surrogatepass")
            yield DeadLetter(raw, **fields)

"""Every format: any bytes give documents and dead letters, or an error of the tree, each record accounted for."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks import drained
from oracles.plain import check

from telex.adapters.formats import find_format, open_archive
from telex.adapters.formats.jsonl import Fields
from telex.learners.base import TelexError

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(tempfile.mkdtemp(prefix="telex-fuzz-", dir=os.environ.get("TELEX_FUZZ_FILES")))
atexit.register(
    shutil.rmtree, FOLDER, ignore_errors=True
)  # a fuzzer ends without cleaning up: the program that starts it does
PLACES = ("plain", "\u00e9 \u202ex", "\udcff\x1b[2J\n")  # folders of files: names of every kind
MAGIC = (b"\x1f\x8b", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd")
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Format:
    """A format under some of its options; ``records`` counts the records of a file where that is possible.

    Where they are counted nothing is guessed: lines of UTF-16 are others. A file is read twice, and both passes yield
    the same.
    """

    name: str | None
    file: str
    options: tuple[dict[str, Any], ...] = ({},)
    records: Callable[[bytes], int | None] | None = None

    def __call__(self, data: bytes) -> None:
        """Read a file of these bytes; its length says under which of the options, so that a corpus is plain files."""
        path = FOLDER / PLACES[len(data) // len(self.options) % len(PLACES)] / self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        options = self.options[len(data) % len(self.options)]
        if self.name is not None:
            find_format(self.name)
        try:
            archive = open_archive([path], self.name, **options, guess=self.records is None)
            first, again = drained(archive), drained(archive)
        except TelexError as error:
            assert str(error)  # noqa: PT017
            return
        assert first == again, (options, first, again)
        if self.records is not None and not data.startswith(MAGIC):
            wanted = self.records(data) if data else 1
            assert wanted in {None, first.documents + first.letters}, (options, first, wanted)


def lines(data: bytes) -> int:
    """Count lines that are not blank."""
    return sum(bool(line.strip()) for line in data.removeprefix(BOM).split(b"\n"))


def svmlight_lines(data: bytes) -> int:
    """Count lines that hold more than blanks and a comment."""
    rows = (line.strip(b" \t\r") for line in data.removeprefix(BOM).split(b"\n"))
    return sum(bool(row) and not row.startswith(b"#") for row in rows)


def lyrl_lines(data: bytes) -> int:
    """Count lines that hold more than blanks."""
    rows = (line.strip(b" \t\r") for line in data.removeprefix(BOM).split(b"\n"))
    return sum(map(bool, rows))


def table_rows(data: bytes) -> int | None:
    """Count rows behind the header, where no cell is in quotes and there is anything at all."""
    count = lines(data)
    return None if b'"' in data or not count else count - 1


def arff_rows(data: bytes) -> int:
    """Count rows behind ``@data``; a file without that is one dead letter."""
    rows = [line.strip() for line in data.removeprefix(BOM).split(b"\n")]
    begin = next((i for i, row in enumerate(rows, 1) if row.lower() == b"@data"), None)
    return 1 if begin is None else sum(bool(row) and not row.startswith(b"%") for row in rows[begin:])


def plain_jsonl(data: bytes) -> None:
    """What is read natively is what the decoder says that reads anything."""
    check(Fields(text="content") if len(data) % 4 == 0 else Fields(), data)


def guessed(data: bytes) -> None:
    """Whatever a sample says, the settings that it leads to give the same documents when nothing is guessed."""
    path = FOLDER / f"sample.{('csv', 'jsonl', 'json')[len(data) % 3]}"
    path.write_bytes(data)
    try:
        archive = open_archive([path], labelled=len(data) % 2 == 0, readable=len(data) % 5 == 0)
        settings = {"guess": False, **archive.detected}
        assert drained(archive) == drained(open_archive([path], settings.pop("format", None), **settings))
    except TelexError as error:
        assert str(error)  # noqa: PT017


ORDERS = tuple({"order": order} for order in ("file", "id", "time"))

lyrl_vectors = Format("lyrl-vectors", "vectors.dat", ({}, {"order": "file", "rows": 1}), lyrl_lines)
svmlight = Format("svmlight", "a.svm", ({}, {"zero_based": True, "rows": 1}), svmlight_lines)
jsonl = Format("jsonl", "wire.jsonl", (*ORDERS, {"text": "content", "rows": 1}, {"vector": "vector"}), lines)
lyrl_tokens = Format("lyrl-tokens", "tokens/tokens.dat", ({}, {"order": "file", "rows": 1}))
newsml = Format("newsml", "newsitem.xml", (*ORDERS, {"labels": "industries+regions"}))
newsgroups = Format("newsgroups", "post", (*ORDERS, {"id": "message-id"}))
reuters21578 = Format(
    "reuters21578",
    "reut2.sgm",
    (*ORDERS, {"split": "modapte", "dateline": True}, {"labels": "places+people", "labelled": "some"}),
)
csv = Format("csv", "table.csv", (*ORDERS, {"rows": 1, "empty": "none"}, {}), table_rows)
tsv = Format("tsv", "table.tsv", ({}, {"separator": "blank", "delimiter": "tab"}), table_rows)
arff = Format("arff", "table.arff", ({}, {"ancestors": False, "rows": 1}), arff_rows)
json = Format("json", "news.json", (*ORDERS, {"id": "none", "labels": "onehot:a..z", "html": "strip"}))
rss = Format("rss", "feed.xml", ({}, {"order": "file"}))
found = Format(None, "found/unknown")

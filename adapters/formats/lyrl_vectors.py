"""LYRL2004's vector files of RCV1-v2: ``id termid:weight ...``, with labels in a qrels file beside them."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from telex.adapters import _vectors
from telex.adapters.formats.reading import (
    Input,
    LineBlocks,
    SparseRowReader,
    broken_line,
    first_lines,
    option_checks,
    read_blocks,
    skip_records,
)
from telex.learners.base import UsageError, check_plain_file
from telex.stream.sources import Archive, DeadLetter

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from telex.adapters.formats.reading import Paths
    from telex.learners.base import Batch
    from telex.stream.sources import StageLine

FORMATS = {"lyrl-vectors": ("LyrlVectors", 10)}
_LINE = re.compile(rb"(\d+)([ \t]+)\d+:[-+.\deE]+")
_ENOUGH = 16


class LyrlVectors(Archive):
    r"""The documents of one or several vector files, labelled by a qrels file.

    A document that the qrels do not name is unlabelled; without qrels all are. The term numbers are the feature
    names.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "vectors.dat").write_text("2287  7:0.6 9:0.8\n2286  9:1\n")
    >>> _ = (folder / "topics.qrels").write_text("ECAT 2286 1\n")
    >>> [batch] = LyrlVectors([folder / "vectors.dat"])
    >>> list(batch.ids), batch.labelled.tolist(), list(batch.feature_names), batch.labels_of(0)
    (['2286', '2287'], [True, False], [9, 7], ['ECAT'])
    """

    summary: ClassVar = "LYRL2004 vectors of RCV1-v2 (id term:weight ...), labels from a qrels file beside them"
    options: ClassVar = {
        "qrels": "file of labels (lines: label id 1); by default the one beside the first file, named *qrels*",
        "order": "id (default) or file",
        "rows": "documents a batch (1024)",
        "passes": "how often standard input will be read (1)",
    }
    checks_records = True

    def __init__(
        self,
        paths: Paths,
        *,
        qrels: str | os.PathLike[str] | Input | None = None,
        order: str | None = None,
        rows: int | str = 1024,
        passes: int | str = 1,
    ) -> None:
        inputs = Input.all(paths)
        self.order = option_checks.check_order(order or "id", ("id", "file"), "these documents have no time")
        self.qrels = qrels_beside(inputs[0]) if qrels is None else Input.all(qrels)[0]
        self.files = () if self.qrels is None else (self.qrels.path,)
        self.inputs = [*inputs, *([self.qrels] if self.qrels else [])]
        self._reader = SparseRowReader(svmlight=False, rows=option_checks.whole_number("rows", rows))
        self.feature_names, self.label_names = self._reader.feature_names, self._reader.label_names
        self._lines = LineBlocks(inputs, self.order, {"id": _vectors.id_keys}, passes, _vectors.ends_of_ids)
        self.title = self._lines.title
        self._truth: tuple[_vectors.Qrels, list[DeadLetter]] | None = None

    def __iter__(self) -> Iterator[Batch | DeadLetter]:
        if self._truth is None and self.qrels is not None:
            with ThreadPoolExecutor(1) as beside:
                loading = beside.submit(load_qrels, self.qrels)
                self._lines.settle()
            self._truth = loading.result()
        truth, letters = self._truth or (None, [])
        yield from letters
        yield from self._reader.read(skip_records(self._lines, self.skip_records), truth, self.budget)

    @property
    def share_read(self) -> float | None:
        """Return how much of this pass is read, from 0 to 1; None if unknown."""
        return self._lines.share_read

    def stage_lines(self) -> list[StageLine]:
        """Return how documents are made of the files."""
        return self._lines.stage_lines("Batch", "vectors of LYRL2004")

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first lines: a number, then pairs; unlike svmlight's labels, ids hardly ever repeat.

        That takes several lines; two blanks behind the id, a telling file name, or a qrels file beside it are enough,
        too.
        """
        lines = first_lines(head)
        ids = [match for line in lines if (match := _LINE.match(line))]
        if 2 * len(ids) <= len(lines):
            return not lines and "lyrl" in Path(path).name
        distinct = len({match[1] for match in ids})
        many = len(ids) >= _ENOUGH and 4 * distinct > 3 * len(ids)
        two_blanks = all(len(match[2]) > 1 for match in ids)
        return many or two_blanks or "lyrl" in Path(path).name or bool(_candidates(path))


def qrels_beside(vectors: Input) -> Input | None:
    """Return the qrels file beside a vectors file, or None; of several, the one of topics."""
    found = _candidates(vectors.path)
    if len(found) > 1:
        found = [path for path in found if "topics" in path.name] or found
    if len({path.name.split("qrels")[0] for path in found}) > 1:
        names = ", ".join(path.name for path in found)
        raise UsageError(f"several qrels files are beside {vectors.path} ({names}); say which: qrels=FILE")
    return Input(found[0]) if found else None


def _candidates(path: str) -> list[Path]:
    if path == "-":
        return []
    folder = Path(path).parent
    names = sorted(entry.name for entry in folder.iterdir() if "qrels" in entry.name.lower() and entry.is_file())
    return [folder / name for name in names if name != Path(path).name]


def load_qrels(qrels: Input) -> tuple[_vectors.Qrels, list[DeadLetter]]:
    """Read a qrels file; return it with its broken lines."""
    check_plain_file(qrels.path)
    truth, letters = _vectors.Qrels(), list[DeadLetter]()
    for block in read_blocks([qrels]):
        if isinstance(block, DeadLetter):
            letters.append(block)
            continue
        at = line = 0
        while at < len(block.data):
            at, line, reason, begin = truth.load(block.data, at, line)
            if reason is not None:
                letters.append(broken_line(block, line - 1, block.data[begin:at], begin, reason))
                if not len(truth) and len(letters) > _ENOUGH:
                    raise UsageError(f"{qrels.path} is not a qrels file: its lines are not `label id 1`; name another")
    return truth, letters

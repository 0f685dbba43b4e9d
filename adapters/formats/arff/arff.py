"""ARFF, the format of Weka, Mulan, MEKA and Clus: rows of numbers and names, some of which are labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from telex.adapters.formats.arff.header import read_header
from telex.adapters.formats.arff.rows import ArffRows
from telex.adapters.formats.jsonl import broken_reason
from telex.adapters.formats.reading import (
    KEPT,
    Input,
    LineBlocks,
    first_lines,
    option_checks,
    read_blocks,
    skip_records,
)
from telex.learners.base import BatchBuilder, BrokenRecordError, InputError, Names, UsageError
from telex.stream.sources import Archive, DeadLetter, RecordCheck

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from telex.adapters.formats.arff.header import Header
    from telex.adapters.formats.reading import Paths
    from telex.learners.base import Batch
    from telex.stream.raw_records import Place
    from telex.stream.sources import StageLine

FORMATS = {"arff": ("Arff", 90)}
_LONGEST_HEADER = 64 << 20


class Arff(Archive):
    r"""The rows of ARFF files; a document's id is its position in the stream.

    The labels come from an XML file (Mulan: ``labels=FILE``, or one beside the file; one that is called like the file
    goes before ``-C n``), from ``-C n`` in the name of the relation (MEKA), or from an attribute of type
    ``hierarchical`` (Clus), whose values are paths such as ``1/4@2/1``.
    The labels of a path are its nodes: the last one and, unless ``ancestors=false``, all above it. Rows may be dense or
    sparse. A number that is 0 is not a feature. A nominal value gives the feature ``name=value``, but the values 0 and
    1 count as numbers. ``?`` is a missing feature; if all labels are ``?``, the document is unlabelled.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "a.arff")
    >>> with open(path, "w") as file:
    ...     _ = file.write("@relation 'news: -C -2'\n@attribute size numeric\n@attribute desk {home, abroad}\n")
    ...     _ = file.write("@attribute war {0,1}\n@attribute trade {0,1}\n@data\n2.5,abroad,1,1\n{0 1}\n")
    >>> [batch] = Arff([path])
    >>> list(batch.feature_names), batch.labels_of(0), batch.labels_of(1), batch.labelled.tolist()
    (['desk=abroad', 'size', 'desk=home'], ['trade', 'war'], [], [True, True])
    """

    summary: ClassVar = "ARFF of Mulan (labels in an XML file), MEKA (-C n) and Clus (hierarchical), dense or sparse"
    options: ClassVar = {
        "labels": "XML file that names the labels; by default one beside the file if the header names none",
        "ancestors": "true (default: a path in a hierarchy gives all nodes on it) or false (only the last)",
        "order": "file",
        "rows": "documents a batch (1024)",
        "passes": "how often standard input will be read (1)",
    }
    ids_are_positions = True
    checks_records = True

    def __init__(
        self,
        paths: Paths,
        *,
        labels: str | os.PathLike[str] | Input | None = None,
        ancestors: bool | str = True,
        order: str | None = None,
        rows: int | str = 1024,
        passes: int | str = 1,
    ) -> None:
        self._inputs = Input.all(paths)
        self.order = option_checks.check_order(order or "file", ("file",), "these documents have neither id nor time")
        self._names = None if labels is None else Input.all(labels)[0]
        self.inputs = [*self._inputs, *([self._names] if self._names else [])]
        self._ancestors = option_checks.one_of("ancestors", ancestors, ("true", "false")) == "true"
        self._rows = option_checks.whole_number("rows", rows)
        self.feature_names, self.label_names = Names(), Names()
        self._lines = LineBlocks(self._inputs, self.order, {}, passes)
        self.title = self._lines.title
        self._sparse: bool | None = None
        if self._inputs[0].is_on_disk:  # report a broken header before anything is learnt
            header = self.header(self._inputs[0].path)
            self.remarks = [header.remark] if header is not None and header.remark else []

    def header(self, path: str) -> Header | None:
        """Return the header of a file, or None if it has none or the file cannot be read."""
        lines, header = _Header(path, self._names), None
        for block in read_blocks([Input(path)]):
            if isinstance(block, DeadLetter):
                return header
            for raw, _ in block.records():
                if header is None:
                    header = lines.read() if lines.ends(raw) else None
                elif self._is_row(raw):
                    return header
        return header

    def _is_row(self, raw: bytes) -> bool:
        """Tell whether a line has a row; the first one of all tells whether rows are sparse."""
        text = raw.lstrip()
        if not text or text.startswith(b"%"):
            return False
        if self._sparse is None:
            self._sparse = text.startswith(b"{")
        return True

    @property
    def dense(self) -> bool:  # type: ignore[override]
        """Whether the first row is dense."""
        return self._sparse is False

    @property
    def scaling(self) -> str | None:  # type: ignore[override]
        """How features are scaled by default: standard if the first row is dense, to unit length if it is sparse."""
        return {None: None, False: "standard", True: "unit"}[self._sparse]

    def __iter__(self) -> Iterator[Batch | DeadLetter]:
        for source in self._inputs:
            source.bytes_read = 0
        builder, check = BatchBuilder(self.feature_names, self.label_names), RecordCheck(self.budget)
        for source in self._inputs:
            for letter in self._file(source, builder, check):
                if len(builder) and (letter is not None or len(builder) >= self._rows):
                    yield builder.take()
                if isinstance(letter, DeadLetter):
                    yield letter
        if len(builder):
            yield builder.take()

    def _file(self, source: Input, builder: BatchBuilder, check: RecordCheck) -> Iterator[DeadLetter | str | None]:
        """Add a file's documents to the builder; yield after each row: None, a dead letter, or a text in a pause."""
        lines, rows = _Header(source.path, self._names), None
        place: Place = (source.name, 1, 0)
        for block in skip_records(read_blocks([source]), self.skip_records):
            if isinstance(block, DeadLetter):
                yield block
                if block.stage == "read":
                    return
                continue
            if not block.data:
                yield "nothing more for now"
            for raw, place in block.records():
                try:
                    if rows is not None:
                        yield self._add(raw, place, rows, builder, check)
                    elif lines.ends(raw):
                        rows = ArffRows(lines.read(), ancestors=self._ancestors)
                except UsageError as error:
                    yield _letter(raw, place, "read", error)
                    return
        if rows is None:
            yield _letter(b"", place, "read", BrokenRecordError("the file ends before @data"))

    def _add(
        self, raw: bytes, place: Place, rows: ArffRows, builder: BatchBuilder, check: RecordCheck
    ) -> DeadLetter | None:
        if not self._is_row(raw):
            return None
        try:
            features, labels = rows.document(raw.decode())
            check.features(features, labels)
            builder.add(features, labels)
        except (BrokenRecordError, InputError, UnicodeDecodeError) as error:
            return _letter(raw, place, "decode", error)
        return None

    @property
    def share_read(self) -> float | None:
        """Return how much of this pass is read, from 0 to 1; None if unknown."""
        return self._lines.share_read

    def stage_lines(self) -> list[StageLine]:
        """Return how documents are made of the files."""
        return self._lines.stage_lines("Batch", "ARFF rows")

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first line that is not a comment, or at the name of an empty file."""
        lines = first_lines(head, 1 << 16)
        first = next((line for line in lines if not line.lstrip().startswith(b"%")), b"").lstrip()
        return first[:9].lower() == b"@relation" if lines else ".arff" in path


class _Header:
    """The lines of a header, as they come in."""

    def __init__(self, path: str, names: Input | None) -> None:
        self._path, self._labels = path, names
        self._lines, self._size = list[str](), 0

    def ends(self, raw: bytes) -> bool:
        """Add a line, and tell whether it is the last of the header."""
        self._size += len(raw)
        if self._size > _LONGEST_HEADER:
            raise UsageError(f"{self._path}: the header is longer than {_LONGEST_HEADER >> 20} MiB; is this ARFF?")
        raw = raw.strip()
        if not raw or raw.startswith(b"%"):
            return False
        if raw.lower() == b"@data":
            return True
        try:
            line = raw.decode().strip()  # str.strip knows more kinds of space than bytes.strip
        except UnicodeDecodeError as error:
            raise UsageError(f"{self._path} is not in UTF-8; convert it, as with iconv -t utf-8") from error
        if line:
            self._lines.append(line)
        return False

    def read(self) -> Header:
        """Return the header that these lines describe."""
        return read_header(self._lines, self._path, self._labels)


def _letter(raw: bytes, place: Place, stage: str, error: Exception) -> DeadLetter:
    return DeadLetter(raw[:KEPT], *place, stage, broken_reason(error))

"""The svmlight (libsvm) format with any number of labels per line: ``l1,l2 feature:value ... # comment``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from telex.adapters.formats.reading import Input, LineBlocks, SparseRowReader, first_lines, option_checks, skip_records
from telex.stream.sources import Archive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.formats.reading import Paths
    from telex.learners.base import Batch
    from telex.stream.sources import DeadLetter, StageLine

FORMATS = {"svmlight": ("SvmLight", 70)}
_PAIR = re.compile(rb"(\d+|qid):[-+.\deE]+")
_NAMES = (".svm", ".svmlight", ".libsvm")


class SvmLight(Archive):
    r"""The documents of svmlight files in their order; a document's id is its position in the stream.

    Labels are texts, exactly as written; a line without labels has the answer "none". Feature names are the numbers as
    written, so ``zero_based`` only decides whether feature 0 is a mistake. ``qid:`` is ignored.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "a.svm")
    >>> with open(path, "w") as file: _ = file.write("trade,war 3:0.5 7:1 # two labels\n 3:1\n")
    >>> [batch] = SvmLight([path])
    >>> batch.labels_of(0), batch.labels_of(1), batch.labelled.tolist(), list(batch.feature_names)
    (['trade', 'war'], [], [True, True], [3, 7])
    """

    summary: ClassVar = "svmlight or libsvm with any number of labels a line (l1,l2 feature:value ...)"
    options: ClassVar = {
        "zero_based": "false (default: a line with feature 0 is broken), true or auto (feature 0 is allowed)",
        "order": "file",
        "rows": "documents a batch (1024)",
        "passes": "how often standard input will be read (1)",
    }
    scaling = "unit"
    ids_are_positions = True
    checks_records = True

    def __init__(
        self,
        paths: Paths,
        *,
        zero_based: bool | str = False,
        order: str | None = None,
        rows: int | str = 1024,
        passes: int | str = 1,
    ) -> None:
        self.order = option_checks.check_order(order or "file", ("file",), "these documents have neither id nor time")
        base = option_checks.one_of("zero_based", zero_based, ("true", "false", "auto"))
        self._reader = SparseRowReader(
            svmlight=True, zero=base != "false", rows=option_checks.whole_number("rows", rows)
        )
        self.feature_names, self.label_names = self._reader.feature_names, self._reader.label_names
        self.inputs = inputs = Input.all(paths)
        self._lines = LineBlocks(inputs, self.order, {}, passes)
        self.title = self._lines.title

    def __iter__(self) -> Iterator[Batch | DeadLetter]:
        return self._reader.read(skip_records(self._lines, self.skip_records), None, self.budget)

    @property
    def share_read(self) -> float | None:
        """Return how much of this pass is read, from 0 to 1; None if unknown."""
        return self._lines.share_read

    def stage_lines(self) -> list[StageLine]:
        """Return how documents are made of the files."""
        return self._lines.stage_lines("Batch", "svmlight rows")

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first line that is not a comment."""
        lines = [line for line in first_lines(head) if not line.lstrip().startswith(b"#")]
        if not lines:
            return path.endswith(_NAMES)
        sound = [line for line in lines if _is_sound(line)]
        return 2 * len(sound) > len(lines) and any(b":" in line for line in sound)


def _is_sound(line: bytes) -> bool:
    words = line.partition(b"#")[0].split()
    if words and b":" not in words[0]:
        words = words[1:]
    return all(_PAIR.fullmatch(word) for word in words)

"""Documents that were converted into plain arrays, replayed as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from telex.adapters.formats.converted.layout import MAGIC
from telex.adapters.formats.converted.mapped_file import MappedFile
from telex.adapters.formats.reading import Input, option_checks
from telex.learners.base import Batch, Names, Strings, UsageError
from telex.learners.trees import Tree
from telex.stream.sources import DEFAULT_BUDGET, UNLIMITED, Archive, CutStories, RecordBudget, StageLine, Terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from telex.adapters.formats.reading import Paths

FORMATS = {"telex": ("Converted", 5)}
_MOST = 1 << 40


class Converted(Archive):
    """The documents of a file that ``telex convert`` wrote, in its order: features as they came, texts as words.

    What could not be read was left out when it was written, and so were ids that came again. So a budget, or records to
    pass over, can only be those of then; without a limit, all passes that is left.
    """

    summary: ClassVar = "plain arrays, as `telex convert` writes them: the fastest to read, again and again"
    options: ClassVar = {
        "order": "file",
        "rows": "documents a batch, at most (as many as were stored together)",
        "passes": "nothing here: such a file can be read again (1)",
    }
    checks_records = True
    distinct_ids = True

    def __init__(
        self, paths: Paths, *, order: str | None = None, rows: int | str = _MOST, passes: int | str = 1
    ) -> None:
        option_checks.whole_number("passes", passes)
        self._rows = option_checks.whole_number("rows", rows)
        option_checks.check_order(order or "file", ("file",), "converted documents have the order they were given then")
        self.inputs = inputs = Input.all(paths)
        if len(inputs) > 1:
            raise UsageError("converted files number their words by themselves; convert all documents into one file")
        self._file = file = _mapped(inputs[0])
        self._contents = contents = file.contents
        self.title, self.dense, self.scaling = inputs[0].name, contents.dense, contents.scaling
        self.text = contents.text
        self.tree = None if contents.tree is None else Tree.load(contents.tree)
        names, labels = file.names(contents.names), file.names(contents.labels)
        self._features, self._labels = _GrowingNames(names), _GrowingNames(labels)
        self.is_quick = contents.kind == "features"
        if contents.kind == "words":
            self._labels.grow(contents.labels.count)
            self._terms = Terms(_texts(names), contents.cutting, self.title)
        self._read = 0

    def __iter__(self) -> Iterator[Batch | CutStories]:
        self._check_asked()
        number = self._read = 0
        for block in range(self._contents.blocks):
            documents = self._documents(block, number)
            for start in range(0, len(documents), self._rows):
                yield documents.rows(start, min(start + self._rows, len(documents)))
            number += len(documents)
            self._read = block + 1

    def _documents(self, block: int, number: int) -> Batch | CutStories:
        arrays, facts = self._file.block(block), self._file.facts(block)
        if self._contents.kind == "words":
            return self._stories(arrays)
        self._features.grow(facts["names"])
        self._labels.grow(facts["labels"])
        return self._batch(arrays, number)

    def _check_asked(self) -> None:
        then = RecordBudget.of(self._contents.budget)
        if self.budget not in {then, DEFAULT_BUDGET, UNLIMITED}:
            raise UsageError(
                f"{self.title} was converted with the budget {then}; leave out --budget, or convert the documents again"
            )
        if new := self.skip_records - set(self._contents.skipped):
            raise UsageError(
                f"{self.title} was converted with the record at {min(new)}; leave out --skip-records, or convert the "
                "documents again with it"
            )

    def _batch(self, arrays: dict[str, Any], number: int) -> Batch:
        rows = len(arrays["labelled"])
        return Batch(
            indptr=arrays["indptr"],
            features=arrays["features"],
            values=arrays["values"],
            label_indptr=arrays["label_indptr"],
            labels=arrays["labels"],
            labelled=arrays["labelled"],
            ids=Strings(arrays["ids"], arrays["id_offsets"]),
            times=arrays["times"],
            numbers=np.arange(number, number + rows, dtype=np.int64),
            feature_names=self._features.names,
            label_names=self._labels.names,
        )

    def _stories(self, arrays: dict[str, Any]) -> CutStories:
        return CutStories(
            ids=Strings(arrays["ids"], arrays["id_offsets"]),
            times=arrays["times"],
            titles=Strings(arrays["titles"], arrays["title_offsets"]),
            words=arrays["words"],
            bounds=arrays["bounds"],
            fingerprints=arrays["fingerprints"],
            label_indptr=arrays["label_indptr"],
            label_ids=arrays["labels"],
            labelled=arrays["labelled"],
            label_names=self._labels.names,
            terms=self._terms,
        )

    @property
    def share_read(self) -> float | None:
        """Return how much of this pass is read, from 0 to 1."""
        return self._read / self._contents.blocks

    def stage_lines(self) -> list[StageLine]:
        """Return how documents are made of the file."""
        gives = "CutStories" if self._contents.kind == "words" else "Batch"
        return [StageLine("read", "", gives, f"{self.title}: blocks of arrays, checked by their sums")]

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first bytes."""
        return head.startswith(MAGIC)


class _GrowingNames:
    """A table that has the names which the documents so far may have, as a reader of the original would."""

    def __init__(self, stored: Strings | npt.NDArray[np.int64]) -> None:
        self._stored, self.names = stored, Names()

    def grow(self, count: int) -> None:
        known, stored = len(self.names), self._stored
        if count > known:
            self.names.extend(
                stored.rows(known, count) if isinstance(stored, Strings) else stored[known:count].tolist()
            )


def _texts(names: Strings | npt.NDArray[np.int64]) -> Strings:
    return names if isinstance(names, Strings) else Strings.of(map(str, names.tolist()))


def _mapped(source: Input) -> MappedFile:
    if not source.is_on_disk:
        raise UsageError(
            f"{source.name} is no file on a disk, and a converted file is mapped from there; name the file"
        )
    return MappedFile(source.path)

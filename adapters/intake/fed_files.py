"""The files of an intake as a wire: one after the other, each in its own order."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections import deque
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.adapters.formats import open_archive
from telex.adapters.formats.reading import FilePart, Input
from telex.adapters.intake.fed_content import content_sums, is_in_lines
from telex.learners.base import Batch, BrokenRecordError, Names, StoppedError, Strings, UsageError
from telex.stream.sources import Arrivals, DeadLetter, StageLine, StoryBuilder, Wire
from telex.stream.sources.stages import CheckRecords, Renumbering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from telex.adapters.intake.intake import FedFile, Intake
    from telex.learners.base import Reals, State
    from telex.learners.trees import Tree
    from telex.stream.sources import Archive


class _Begun(NamedTuple):
    """A file whose turn has come, and how many records and documents there were before it."""

    file: int
    records: int
    documents: int


class FedFiles(Wire):
    r"""The documents of the files of an intake, as those of one stream.

    When all are read, ``more`` looks for further ones: it returns whether there are any, None at the end. Files that
    were read to their end are not needed to resume. ``text`` are the settings of words that suit the documents, and
    ``ids_are_positions`` says whether these have no ids of their own: both are those of the first file, and all files
    must be alike. A file that is not, or is gone when its turn comes, is a dead letter.

    >>> import os, tempfile
    >>> from telex.adapters.intake import Intake, new_content
    >>> folder = tempfile.mkdtemp()
    >>> path = os.path.join(folder, "monday.jsonl")
    >>> with open(path, "w") as file:
    ...     _ = file.write('{"id": 7, "text": "Gold falls.", "labels": ["metals"]}\n')
    >>> intake = Intake(folder)
    >>> intake.append([new_content(path, intake, None, {})])
    >>> wire = FedFiles(intake)
    >>> [list(stories.ids) for stories in wire], wire.place(1)["file"]
    ([['7']], 1)
    """

    live = True
    checks_records = True
    title = "fed files"

    def __init__(
        self,
        intake: Intake,
        more: Callable[[], bool | None] | None = None,
        *,
        text: Mapping[str, Any] | None = None,
        ids_are_positions: bool = False,
        tree: Tree | None = None,
    ) -> None:
        self.text, self.tree = text or {}, tree
        self.ids_are_positions = ids_are_positions
        self._intake, self._more = intake, more
        self._listed = len(intake.files)
        self._next = _Begun(0, 0, 0)
        self._had = 0
        self._tables: Renumbering | None = None
        self._begun: deque[_Begun] = deque([self._next])
        self._lock = threading.Lock()
        self._current: Archive | None = None
        self._kind: str | None = None
        self._scaling: str | None = None

    # -- what it is

    @property
    def scaling(self) -> str | None:  # type: ignore[override]
        """How features are scaled by default, which the first documents tell."""
        return self._scaling

    @property
    def share_read(self) -> float | None:
        """How much of the files is read; None if more may come."""
        if self._more:
            return None
        sizes = [file.end - file.start for file in self._intake.files[: self._listed]]
        with self._lock:
            at, first = self._begun[-1].file, self._next.file
        within = (self._current and self._current.share_read) or 0.0
        whole = sum(sizes[first:])
        return (sum(sizes[first:at]) + within * sum(sizes[at : at + 1])) / whole if whole else None

    def stage_lines(self) -> list[StageLine]:
        """Return how documents are made of the files."""
        return [StageLine("read", "files", "Stories | Batch", f"{self.title}, one after the other")]

    def check_unchanged(self) -> None:
        """Raise a StoppedError if the file that is being read has changed."""
        current = self._current
        if current is not None:
            current.check_unchanged()

    def record_times(self, batch: Batch) -> Reals:
        """Return no times: files do not say when a record was written."""
        return np.full(len(batch), np.nan)

    def figures(self) -> None:
        """Return nothing: there are no figures beside those of the run."""

    # -- places

    def drop_places_before(self, records: int) -> None:
        """Forget the files that were read before."""
        with self._lock:
            while len(self._begun) > 1 and self._begun[1].records <= records:
                self._begun.popleft()

    def place(self, records: int) -> State:
        """Return the file, and how many of its records were had."""
        with self._lock:
            begun = [*takewhile(lambda one: one.records <= records, self._begun)][-1]
        return {
            "records": begun.records,
            "documents": begun.documents,
            "file": begun.file,
            "had": records - begun.records,
            "ids_are_positions": self.ids_are_positions,
            "kind": self._kind,
            "tables": None if self._tables is None else self._tables.save(),
        }

    def seek(self, place: State) -> None:
        """Begin at ``place``; its file is None if nothing was fed yet."""
        file = self._intake.replayed if place["file"] is None else int(place["file"])
        if file > len(self._intake.files):
            raise UsageError(f"{self._intake.path} lacks files that this run has learnt; put it back, or start anew")
        self._next = _Begun(file, int(place["records"]), int(place["documents"]))
        self._had, self._begun = int(place["had"]), deque([self._next])
        self._kind = place["kind"]
        self._tables = None if place["tables"] is None else Renumbering.of(place["tables"])

    # -- documents

    def __iter__(self) -> Iterator[Any]:
        records, documents = self._next.records, self._next.documents
        for number in count(self._next.file):
            with self._lock:
                if number > self._next.file:
                    self._begun.append(_Begun(number, records, documents))
            while number >= len(self._intake.files):
                found = self._more() if self._more else None
                if found is None:
                    return
                if not found:
                    yield Arrivals(StoryBuilder().take())
            had, self._had = self._had, 0
            for item in self._read(number, documents, had):
                one = isinstance(item, DeadLetter)
                rows = 1 if one else len(item)
                skipped = min(had, rows)
                had -= skipped
                records += rows
                documents += 0 if one else rows
                if skipped < rows:
                    yield self._renumbered(item.rows(skipped, rows) if skipped else item)

    def _read(self, number: int, documents: int, had: int) -> Iterator[Any]:
        """Yield all documents and dead letters of a file, of which the run has had some."""
        file = self._intake.files[number]
        if (reason := self._intake.lost.get(number)) is not None:
            yield DeadLetter(b"", file.path, None, None, "read", reason)
            return
        try:
            archive = self._open(file, checked=number < self._listed)
        except (UsageError, OSError, BrokenRecordError) as error:
            reason = f"it cannot be read any more ({error.strerror})" if isinstance(error, OSError) else str(error)
            if had:
                raise StoppedError(f"{file.path} is half learnt, and {reason}; put it back, and resume") from error
            self._intake.lose(number, reason)
            yield DeadLetter(b"", file.path, None, None, "read", reason)
            return
        self._current = archive
        before = documents
        for item in CheckRecords(archive)(archive):
            if isinstance(item, DeadLetter):
                yield item
                continue
            if (reason := self._unlike(item, archive)) is not None:
                yield DeadLetter(b"", file.path, None, None, "read", reason)
                break
            self._scaling = self._scaling or archive.scaling
            self.dense = self.dense or archive.dense
            if self.ids_are_positions and before:
                ids = Strings.of(map(str, range(documents, documents + len(item))))
                item = dataclasses.replace(item, ids=ids)  # noqa: PLW2901
            documents += len(item)
            yield item
        self._current = None

    def _open(self, file: FedFile, *, checked: bool) -> Archive:
        """Open a file; one that is ``checked`` must have the content with which it came onto the list."""
        if checked:
            if not os.path.isfile(file.path) and os.path.exists(file.path):
                raise UsageError("it is no file any more")
            found = content_sums(file.path, {file.end}).get(file.end)
            if found is None or found.content != file.sum:
                raise UsageError("it is not what was fed")
        return open_fed_file(file, budget=self.budget, skip_records=self.skip_records)

    def _unlike(self, item: Any, archive: Archive) -> str | None:
        """Return why documents are not like those before them; None if they are."""
        kind = "features" if isinstance(item, Batch) else "texts"
        self._kind = self._kind or kind
        if kind != self._kind:
            return f"this file has {kind}, where the run learns {self._kind}; start a run of its own for it"
        if archive.ids_are_positions != self.ids_are_positions:
            has, had = ("no ids", "ids") if archive.ids_are_positions else ("ids", "none")
            return f"this file has {has}, where the files before it had {had}; start a run of its own for it"
        return None

    def _renumbered(self, item: Any) -> Any:
        """Return features and labels in the tables of all files."""
        if not isinstance(item, Batch):
            return item
        if self._tables is None:
            self._tables = Renumbering(Names(), Names())
        return self._tables(item)


def open_fed_file(file: FedFile, **how: Any) -> Archive:
    """Return the documents of a file of an intake; ``how`` is what :func:`.open_archive` takes."""
    part = FilePart(file.header, file.start, file.end, file.lines) if is_in_lines(file.path, file.format) else None
    given: Any = [Input(file.path, part)]
    settings: dict[str, Any] = {**file.settings, **how}
    return open_archive(given, file.format, guess=False, **settings)

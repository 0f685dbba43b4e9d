"""Archives and sources: where documents come from."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from telex.stream.sources.record_budget import DEFAULT_BUDGET, RecordBudget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from telex.learners.base import Batch, Ids, Offsets, Reals, State
    from telex.learners.trees import Tree
    from telex.stream.sources.arrivals import Arrivals
    from telex.stream.sources.cut_stories import CutStories
    from telex.stream.sources.dead_letter import DeadLetter
    from telex.stream.sources.position import Position
    from telex.stream.sources.stories import Stories
    from telex.stream.sources.train_test import Boundary


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a source is: its ``title`` for people, and whether it is ``live``.

    A live source cannot be read again: its next pass continues where the last one ended.
    """

    title: str = "stream"
    live: bool = False


class StageLine(NamedTuple):
    """A line of ``--explain``: what happens at a stage, and what goes in and out."""

    name: str
    takes: str
    gives: str
    summary: str = ""


class Unchanging(Protocol):
    """What must not change while it is read: a file, say."""

    def check_unchanged(self) -> None:
        """Raise a StoppedError if it has changed since the first look at it; any thread may call."""
        ...


class Archive(ABC):
    """What a format reads: stories, or documents whose features are known; broken records at their places.

    Each ``iter`` starts at the first document. A subclass describes itself by these attributes; some may become known
    only while it is read.
    """

    title: str = "stream"
    live: bool = False
    """Whether it cannot be read again: the next pass brings what has come since."""
    text: Mapping[str, Any] = MappingProxyType({})
    """Settings of :class:`~telex.stream.words.Words` that suit its stories, where the user gives no others."""
    scaling: str | None = "none"
    """How its features are scaled where the user says nothing, a method of
    :class:`~telex.stream.sources.stages.Scaler`; None while it is not known."""
    dense: bool = False
    """Whether each row brings a value for each feature, though zeros may be left out."""
    ids_are_positions: bool = False
    """Whether the id of a document is its position in the stream, so that none comes twice."""
    distinct_ids: bool = False
    """Whether documents whose ids came before were left out when it was written."""
    is_quick: bool = False
    """Whether its documents need no work before they are learnt, so that threads that read ahead would cost more."""
    tree: Tree | None = None
    """The tree of its labels, which runs use where the user says nothing."""
    files: tuple[str, ...] = ()
    """Paths of files it reads beside those that it was given."""
    detected: Mapping[str, Any] = MappingProxyType({})
    """Its format and the settings of it, where a sample of the documents decided them."""
    remarks: Sequence[str] = ()
    """What is to be said about it before anything is learnt."""
    inputs: Sequence[Unchanging] = ()
    """All that it reads more than once, or that a run which resumes reads again."""
    takes_folders: ClassVar[bool] = False
    """Whether files of the format are looked for in folders and archives."""
    splits: ClassVar[Mapping[str, Any]] = {}
    """The options of the training part and the test part of each split that it knows by name."""

    budget: RecordBudget = DEFAULT_BUDGET
    """What a record may hold; set it before iterating."""
    skip_records: frozenset[str] = frozenset()
    """The places of records to pass over, as dead letters name them; set it before iterating."""
    checks_records: ClassVar[bool] = False
    """Whether it refuses records beyond the budget, and passes over those to skip, by itself."""

    @abstractmethod
    def __iter__(self) -> Iterator[Stories | CutStories | Batch | DeadLetter]: ...

    def check_unchanged(self) -> None:
        """Raise a StoppedError if one of its ``inputs`` has changed."""
        for one in self.inputs:
            one.check_unchanged()

    @property
    def share_read(self) -> float | None:
        """How much of this pass is read, from 0 to 1; None if unknown."""
        return None

    def stage_lines(self) -> list[StageLine]:
        """Return how it makes documents, for :func:`~telex.stream.run.pipeline_lines.explain`."""
        return [StageLine("read", "", "Stories | Batch", self.title)]


class _AtHand(Archive):
    """An archive of items at hand, which it yields as they are."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)


def as_archive(items: Iterable[Any]) -> Archive:
    """Return an archive as it is, and any other iterable of documents as one."""
    return items if isinstance(items, Archive) else _AtHand(items)


class DocumentRecords(Protocol):
    """The records of some documents: record i is in partition ``partitions[i]`` of the topic ``topics[places[i]]``."""

    @property
    def topics(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def places(self) -> Ids: ...  # noqa: D102

    @property
    def partitions(self) -> Ids: ...  # noqa: D102

    @property
    def offsets(self) -> Offsets: ...  # noqa: D102

    def letter(self, row: int, stage: str, reason: str) -> DeadLetter:
        """Return a dead letter with the record of a document."""
        ...


class RecordLookup(Protocol):
    """Finds the records of the documents of a wire."""

    def columns(self, ids: Sequence[str]) -> DocumentRecords:
        """Return the records of the documents that come next; ask for each document once, in their order."""
        ...


class Wire(Archive):
    """An archive that knows the place of each of its records, and among whose documents answers may come.

    To resume, it is not read again: :meth:`seek` begins at the place.
    """

    revisions: str | None = None
    """What becomes of a newer version of a document, one of :data:`~telex.stream.sources.stages.REVISIONS`; set it
    before a source is made of it. None: each id that came before is a duplicate."""

    def follow_records(self, *, whole: bool) -> RecordLookup:
        """Return what finds the records of the documents to come, for letters ``whole``; call it before iterating."""
        raise NotImplementedError

    @abstractmethod
    def __iter__(self) -> Iterator[Any]: ...

    @abstractmethod
    def drop_places_before(self, records: int) -> None:
        """Forget the places before the first ``records`` documents, answers and dead letters: they are not needed."""

    @abstractmethod
    def place(self, records: int) -> State:
        """Return the place after the first ``records`` documents, answers and dead letters; any thread may call."""

    @abstractmethod
    def seek(self, place: State) -> None:
        """Begin at ``place``; call it before iterating."""

    def track_record_times(self) -> None:
        """Prepare for calls of :meth:`record_times`; call it before iterating."""

    def record_times(self, batch: Batch) -> Reals:
        """Return when the records of documents were written; ask for each document once, in order."""
        return batch.times

    @property
    def newest_time(self) -> float:
        """The newest time of a record that has come so far, NaN if it is unknown; any thread may ask."""
        return math.nan

    @abstractmethod
    def figures(self) -> Any:
        """Return the figures of reading, for metrics; any thread may call."""


class Source(ABC):
    """A stream of documents that can be read again from its start.

    Each ``iter`` starts at the first document; the batches of all passes number their features and labels in the same
    tables. A broken record comes as a :class:`DeadLetter` at its place among the documents, so that a run that stops
    between two items has seen all before and nothing after. Answers that come by themselves come in
    :class:`~telex.stream.sources.Arrivals`, with the documents around them. The source may cut documents into batches
    as it likes: that must change nothing but speed.

    A source with ``positions`` yields a :class:`~telex.stream.sources.Position` among the documents on request, and
    :meth:`seek` returns to it. Any other must yield the same in each pass.
    """

    positions: ClassVar[bool] = False
    wire: Wire | None = None
    """The topics behind it, if there are any."""

    @abstractmethod
    def __iter__(self) -> Iterator[Batch | Arrivals[Batch] | DeadLetter | Position]: ...

    @property
    def info(self) -> SourceInfo:
        """Its title, and whether it is live."""
        return SourceInfo()

    def prepare(  # noqa: B027
        self,
        test_after: Boundary | None,
        limit: int | None = None,
        *,
        positions: bool = False,
        before_letters: bool = False,
    ) -> None:
        """Prepare for a run: where its test part begins, and after how many documents a pass ends.

        With ``positions`` one comes at the end of each pass too, and with ``before_letters`` before each dead letter.
        """

    def ask_position(self) -> None:  # noqa: B027
        """Request a position among the documents, as soon as possible; any thread may call."""

    def end(self) -> None:  # noqa: B027
        """End the pass after what was read; any thread may call."""

    def check_unchanged(self) -> None:  # noqa: B027
        """Raise a StoppedError if something has changed that a run must read again to resume; any thread may call."""

    def seek(self, state: State) -> None:
        """Return to a position: the next pass is the rest of the one with the position."""
        raise NotImplementedError

    @property
    def share_read(self) -> float | None:
        """How much of this pass is read, from 0 to 1; None if unknown."""
        return None

    @property
    def scaling(self) -> str:
        """How it scales features: ``none``, or another method of :class:`~telex.stream.sources.stages.Scaler`."""
        return "none"

    @property
    def tree(self) -> Tree | None:
        """The tree of its labels, which runs use where the user says nothing."""
        return None

    def duplicates(self, documents: int | None = None) -> int:
        """Return how many stories of the first pass were repeats, among its first ``documents`` documents."""
        return 0

    def title_of(self, number: int) -> str:
        """Return the title of a recent document by its stream number, else an empty text."""
        return ""

    def stage_lines(self) -> list[StageLine]:
        """Return what a document passes before it is learnt, for people."""
        return [StageLine("read", "", "Batch", self.info.title)]

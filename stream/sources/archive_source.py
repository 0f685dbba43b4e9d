"""An archive as the source of a run: passes over its pipeline, and positions in them."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from telex.learners import key_values
from telex.learners.base import UsageError
from telex.stream._seen import Seen
from telex.stream.sources.source import Source, SourceInfo, Wire, as_archive
from telex.stream.sources.stages import (
    REMEMBERED,
    Featurizer,
    Limit,
    ReadAhead,
    RepeatedTexts,
    Scale,
    SkipAhead,
    make_pipeline,
)
from telex.stream.sources.train_test import boundary
from telex.stream.words import make_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from telex.learners.base import Batch, State
    from telex.learners.trees import Tree
    from telex.stream.sources.arrivals import Arrivals
    from telex.stream.sources.dead_letter import DeadLetter
    from telex.stream.sources.position import Position
    from telex.stream.sources.source import StageLine
    from telex.stream.sources.stages import Renumbering, Stage
    from telex.stream.sources.train_test import Boundary
    from telex.stream.words import Words

Kind = TypeVar("Kind", bound="Stage")


class Features(Source):
    """The documents of an archive as batches, by way of :mod:`~telex.stream.sources.stages`.

    ``features`` says how features are scaled (``unit``, ``standard``, ``maxabs`` or ``none``; ``auto`` is what suits
    the archive); with ``bias`` each document gets one more, of value 1. ``text`` are the settings of
    :class:`~telex.stream.words.Words`, over those that the archive itself suggests. Repeated stories are counted
    (:meth:`duplicates`), and left out where ``duplicates="skip"``. With ``unique_ids`` an id that comes again is a dead
    letter; of a :class:`~telex.stream.sources.Wire` and of a live archive it always is. Words are counted as documents
    come. The counts are fixed in a test section (a run says by :meth:`prepare` where it begins), in later passes, and
    if words were fitted ahead of the stream. With ``ahead``, threads decode records, cut texts into tokens, and count
    and weigh words while the run learns.

    >>> from telex.stream.sources import Story, StoryBuilder
    >>> stories = StoryBuilder()
    >>> stories.add(Story("1", "Gold falls.", labels=["metals"]))
    >>> stories.add(Story("2", "GOLD FALLS", labels=["metals"]))
    >>> [batch] = features = Features([stories.take()], text={"weight": "tf"})
    >>> [batch.feature_names[i] for i in batch.features], features.duplicates()
    (['fall', 'gold', 'fall', 'gold'], 1)
    """

    positions = True

    def __init__(
        self,
        archive: Iterable[Any],
        text: str | Mapping[str, Any] = "",
        duplicates: str = "keep",
        *,
        features: str = "auto",
        bias: bool = False,
        ahead: bool = False,
        unique_ids: bool = False,
    ) -> None:
        given, self.bias = text_settings(text), bias
        self.archive = archive = as_archive(archive)
        self.wire = archive if isinstance(archive, Wire) else None
        self.words: Words = make_words({**archive.text, **given})
        self.stages = make_pipeline(
            archive,
            self.words,
            duplicates,
            features,
            bias=bias,
            wordless=given.keys() <= {"products"},
            ahead=ahead,
            unique_ids=unique_ids,
        )
        self._skip, self._limit = self._stage(SkipAhead), self._stage(Limit)
        self._scale = self._stage(Scale)
        self._featurizer, self._repeats = self._stage(Featurizer), self._stage(RepeatedTexts).repeats
        fit = self.words.fit
        self._fit_until = None if fit is None else boundary(f"n:{fit}" if fit.isdecimal() else fit)
        self._resuming = self._prefill_tables = False

    def _stage(self, kind: type[Kind]) -> Kind:
        return next(stage for stage in self.stages if isinstance(stage, kind))

    @property
    def info(self) -> SourceInfo:
        """The title of the archive and whether it is live; some archives know it only when they are read."""
        return SourceInfo(self.archive.title, self.archive.live)

    @property
    def share_read(self) -> float | None:
        """How much of this pass is read, from 0 to 1; None if unknown."""
        return self.archive.share_read

    @property
    def tree(self) -> Tree | None:
        """The tree of the archive's labels, if it knows one."""
        return self.archive.tree

    def duplicates(self, documents: int | None = None) -> int:
        """Return how many stories of the first pass were repeats, among its first ``documents`` documents."""
        return self._repeats.count if documents is None else self._repeats.count_up_to(documents)

    def title_of(self, number: int) -> str:
        """Return the title of a recent document by its stream number, else ""; any thread may call."""
        return self._featurizer.title_of(number)

    def stage_lines(self) -> list[StageLine]:
        """Return what a document passes before it is learnt, for people."""
        stages = [stage for stage in self.stages if stage is not self._scale or self.scaling != "none"]
        return [*self.archive.stage_lines(), *(stage.line() for stage in stages)]

    @property
    def scaling(self) -> str:
        """How features are scaled; ``auto`` if that is not known before the first document."""
        return self._scale.method

    # -- a run

    def prepare(
        self,
        test_after: Boundary | None,
        limit: int | None = None,
        *,
        positions: bool = False,
        before_letters: bool = False,
    ) -> None:
        """Prepare for a run: where its test part begins, and after how many documents a pass ends."""
        self._featurizer.test_after = self._scale.test_after = test_after
        self._limit.limit = limit
        self._limit.positions, self._limit.before_letters = positions, before_letters

    def ask_position(self) -> None:
        """Request a position among the documents, as soon as possible; any thread may call."""
        self._limit.position_requested = True

    def end(self) -> None:
        """End the pass after what was read; any thread may call."""
        self._limit.ending = True
        for stage in takewhile(lambda one: one is not self._limit, self.stages):
            if isinstance(stage, ReadAhead):
                stage.wake()

    @property
    def open(self) -> bool:
        """Whether more documents may come in this pass: it is not at its limit, and was not ended."""
        return self._limit.open

    def append(self, stage: Stage) -> Features:
        """Add a stage behind the others, and return this source."""
        self.stages.append(stage)
        return self

    def check_unchanged(self) -> None:
        """Raise a StoppedError if the archive, or what a stage reads, was written since the first look at it."""
        self.archive.check_unchanged()
        for stage in self.stages:
            stage.check_unchanged()

    # -- passes

    def __iter__(self) -> Iterator[Batch | Arrivals[Batch] | DeadLetter | Position]:
        # A pass is begun, and the words are fitted, in the thread of the limit: `_pass` takes the stages up to the next
        # queue, and the rest runs behind it.
        at = self.stages.index(self._limit)
        end = len(self.stages)
        after = next((i for i in range(at, end) if isinstance(self.stages[i], ReadAhead)), end)
        return _through(self.stages[after:], self._pass(at, after))

    def _pass(self, at: int, after: int) -> Iterator[Any]:
        """Take a pass through the stages before ``after``; the stage ``at`` is the first that knows positions."""
        prefill, self._prefill_tables = self._prefill_tables, False
        if prefill:  # the tables have all names that a pass brings
            for _ in self.archive:
                pass
        until = self._fit_until
        if until is not None and not self._featurizer.fitted and not self._fit(at, until):
            if self._limit.positions:
                yield from _through(self.stages[at:after], iter(()))
            return
        if not self._resuming:
            first = not self._limit.passes
            self._featurizer.begin(first=first)
            self._scale.begin(first=first)
            self._repeats.begin(counting=first)
            self._limit.begin()
            self._skip.documents = self._skip.letters = 0  # a pass that was at its limit has skipped nothing
        self._resuming = False
        yield from _through(self.stages[:after], self.archive)  # the way of the documents; all above prepares it

    def _fit(self, at: int, until: Boundary) -> bool:
        cut = _through(self.stages[:at], self.archive)
        return self._featurizer.fit(cut, until, self._repeats, lambda: self._limit.ending)

    # -- positions

    def seek(self, state: State) -> None:
        """Return to a position: the next pass is the rest of the one with the position."""
        self._check_bias(state)
        for stage in reversed(self.stages):
            state = stage.load(state)
        self._resuming = self._limit.passes > 0
        self._skip_records_since(frozenset(state.get("skipped", ())))
        if self.wire is None:
            self._skip.documents, self._skip.letters = self._limit.documents, self._limit.letters
            self._prefill_tables = self._limit.passes > 1
            if state["ids"] is not None:
                self._skip.known, self._skip.letters = Seen(REMEMBERED), 0
                self._skip.known.repeated(np.ascontiguousarray(state["ids"], np.uint64))

    def _skip_records_since(self, before: frozenset[str]) -> None:
        """Pass over the records that the run passed over up to the position, too."""
        new = self.archive.skip_records - before
        if new and self._limit.passes > 1 and self.wire is None:
            raise UsageError("the first pass over the archive has learnt all its records; leave out --skip-records")
        self._skip.too_late = new
        self.archive.skip_records |= before

    def begin_from(self, state: State | None, tables: Renumbering) -> None:
        """Begin a new stream with the words and the scaling that another source had at a position.

        If that had features without words, ``tables`` has their names.
        """
        self._check_bias(state or {})
        self._featurizer.begin_from(state, tables)
        self._scale.begin_from(state or {})

    def _check_bias(self, state: State) -> None:
        if bool(state.get("bias")) != self.bias:
            was, now = ("no", "give no bias") if self.bias else ("a", "give bias")
            raise UsageError(f"the features of that run have {was} bias; {now} here too, or start a new run")


def _through(stages: Iterable[Stage], items: Iterable[Any]) -> Iterator[Any]:
    for stage in stages:
        items = stage(items)
    return iter(items)


def text_settings(text: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of words that were given, as a text or as a mapping, by name.

    >>> text_settings("stem=german,title=2")
    {'stem': 'german', 'title': '2'}
    """
    return dict(key_values(text, "the text settings") if isinstance(text, str) else text)

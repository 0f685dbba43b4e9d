"""From what a source tells to what learners see: stories become features, on the way that every document takes."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.batch import Batch
from telex.learners.errors import UsageError
from telex.learners.names import Names
from telex.learners.recycled_ids import Forget
from telex.learners.registry import key_values, parameters
from telex.stream._seen import Seen
from telex.stream.answers import Answers, Exchange
from telex.stream.boundary import boundary
from telex.stream.cut import Cut, Cutting
from telex.stream.deadletter import DeadLetter
from telex.stream.duplicates import duplicate
from telex.stream.label_ids import LabelIds
from telex.stream.mark import Mark, Skipping
from telex.stream.posted import Posted
from telex.stream.products import Products
from telex.stream.readahead import ReadAhead
from telex.stream.renumbering import Renumbering
from telex.stream.repeats import Repeats, row_fingerprints
from telex.stream.words.settings import words
from telex.stream.words.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from telex.learners.arrays import Offsets
    from telex.stream.boundary import Boundary
    from telex.stream.source import Archive, Wire
    from telex.stream.state import State
    from telex.stream.stories import Stories


_REMEMBERED = 100_000
"""Documents of a source that cannot be read again by whose ids it goes on."""
_DISTINCT = 1_000_000
"""Documents of an archive that goes on by places whose ids are not taken a second time."""
_TITLED = 8
"""Batches whose titles are known: as many as may be read ahead of the one in hand, and more."""
_PIECE = 256
"""Documents given out at a time where marks come between: a run that is to stop learns those that are ahead."""


class Features:
    """The documents of ``source`` as batches: stories by way of their words, rows of features as they are.

    ``text`` are the settings of :class:`~telex.stream.words.Words`, over those that the source itself suggests in
    its attribute ``text``. Repeated stories are counted (``duplicates``), and left out where ``duplicates="skip"``.
    Words are counted as the stream goes; in a test part (a run says by :meth:`prepare` where it begins), in later
    passes and where they were fitted ahead, they stand still. With ``ahead`` a thread reads on and cuts
    texts into tokens meanwhile. What else the source has can be reached through this one.

    A source may tell :class:`~telex.stream.posted.Posted`, whose answers come as those of an
    :class:`~telex.stream.answers.Exchange`. One that has ``place(records)``, the state after so many documents,
    answers and letters, and ``go_on(place)``, is not read again to go on; an id that comes again is a letter here. It
    is told by ``passed(records)`` of what no place is asked any more.

    >>> from telex.stream.stories import Story, StoryBuilder
    >>> stories = StoryBuilder()
    >>> stories.add(Story("1", "Gold falls.", labels=["metals"]))
    >>> stories.add(Story("2", "GOLD FALLS", labels=["metals"]))
    >>> [batch] = features = Features([stories.take()], text={"weight": "tf"})
    >>> [batch.feature_names[i] for i in batch.features], features.duplicates()
    (['fall', 'gold', 'fall', 'gold'], 1)
    """

    def __init__(
        self,
        source: Archive | Wire,
        text: str | Mapping[str, Any] = "",
        duplicates: str = "keep",
        *,
        ahead: bool = False,
    ) -> None:
        given = text_settings(text)
        self.source = source
        self.words = words({**getattr(source, "text", {}), **given})
        self._done = Skipping(source)
        cut = Cutting(self._done, self.words)
        self._ahead = ReadAhead(cut) if ahead else None
        self._cut: Iterable[Cut | Posted | Batch | DeadLetter] = self._ahead or cut
        self._placed = hasattr(source, "place")
        self._wordless = given.keys() <= {"products"}
        self._products = Products() if self.words.products else None
        self._repeats = Repeats(duplicates)
        self._labels = LabelIds()
        self._tables: Renumbering | None = None
        live = getattr(source, "live", False)
        self._ids = Seen(_DISTINCT if self._placed else _REMEMBERED) if live or self._placed else None
        self._test_after: Boundary | None = None
        self._limit: int | None = None
        fit = self.words.fit
        self._fit_until = None if fit is None else boundary(f"n:{fit}" if fit.isdecimal() else fit)
        self._fitted = self._wordy = self._going_on = self._marking = self._marks = False
        self._ending = self._counting = self._marking_letters = False
        self._passes = self._documents = self._letters = self._answers = self._number = 0
        self._titles: deque[tuple[int, list[str]]] = deque(maxlen=_TITLED)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def duplicates(self, documents: int | None = None) -> int:
        """Return how many stories were repeated in the first pass, up to the last of its first so many documents."""
        return self._repeats.count if documents is None else self._repeats.among(documents)

    def title_of(self, number: int) -> str:
        """Return the title of a document given out lately, by its stream number, else ""; any thread may ask."""
        for first, titles in list(self._titles):
            if 0 <= number - first < len(titles):
                return titles[number - first]
        return ""

    def prepare(self, test_after: Boundary | None, limit: int | None = None, *, marks: bool = False) -> None:
        """Be told where the test part begins, after how many documents a pass ends, and whether a mark is to end it."""
        self._test_after, self._limit, self._marks = test_after, limit, marks

    def mark(self) -> None:
        """Have a :class:`Mark` among the documents, as soon as may be; any thread may ask."""
        self._marking = True

    def mark_letters(self) -> None:
        """Have a :class:`Mark` before each record that could not be read."""
        self._marking_letters = True

    def end(self) -> None:
        """End the pass after what was read; any thread may ask."""
        self._ending = True
        if self._ahead is not None:
            self._ahead.wake()

    def save(self) -> State:
        """Return the state between two documents of a pass."""
        return {
            "passes": self._passes,
            "documents": self._documents,
            "letters": self._letters,
            "answers": self._answers,
            "place": self.source.place(self._read) if self._placed else None,  # type: ignore[union-attr]
            "number": self._number,
            "fitted": self._fitted,
            "counting": self._counting,
            "labels": self._labels.names.save(),
            "repeats": self._repeats.save(),
            "ids": None if self._ids is None else self._ids.hashes(),
            "text": {name: getattr(self.words, name) for name in parameters(Words)},
            "words": self.words.save() if self._wordy else None,
            "tables": None if self._tables is None else self._tables.save(),
        }

    def load(self, state: State) -> None:
        """Go on where :meth:`save` was called: the next pass is the rest of that one."""
        self._passes, self._number = int(state["passes"]), int(state["number"])
        self._going_on = self._passes > 0
        self._documents, self._letters = int(state["documents"]), int(state["letters"])
        self._fitted, self._counting = bool(state["fitted"]), bool(state["counting"])
        self._answers = int(state["answers"])
        if self._placed:
            self.source.go_on(state["place"])  # type: ignore[union-attr]
        else:
            self._done.documents, self._done.letters = self._documents, self._letters
            self._done.whole = self._passes > 1
        self._labels = LabelIds(Names.of(state["labels"]))
        self._repeats.load(state["repeats"])
        if self._ids is not None:
            known = [self._ids]
            if not self._placed:
                self._done.known, self._done.letters = Seen(_REMEMBERED), 0
                known.append(self._done.known)
            for seen in known:
                seen.repeated(np.ascontiguousarray(state["ids"], np.uint64))
        self._tables = None if state["tables"] is None else Renumbering.of(state["tables"])
        self._load_words(state)

    def begin_from(self, state: State | None, tables: Renumbering) -> None:
        """Begin a stream of its own with the words of another source, of whose :meth:`save` ``state`` is.

        Where that had features without words, ``tables`` have what is known of them.
        """
        self._labels = LabelIds(tables.label_names)
        self._fitted = state is not None and bool(state["fitted"])
        if state is None or state["words"] is None:
            self._tables = tables
        else:
            self._load_words(state)

    def _load_words(self, state: State) -> None:
        if state["words"] is not None:
            self.words.load(state["words"])
            self._wordy = True

    def __iter__(self) -> Iterator[Batch | Exchange | DeadLetter | Mark]:
        if self._fit_until is not None and not self._fitted and not self._fit(self._fit_until):
            if self._marks:
                yield Mark(0, self.save())
            return
        if not self._going_on:
            self._counting = not (self._passes or self._fitted)
            self._repeats.begin(counting=not self._passes)
            self._passes += 1
            self._number = self._documents = self._letters = self._answers = 0
            self._done.documents = self._done.letters = 0  # a pass that was at its limit has skipped nothing
        self._going_on = False
        items = iter(self._cut)
        while not self._ending and (self._left is None or self._left > 0):
            if (item := next(items, None)) is None:
                break
            if isinstance(item, DeadLetter):
                if self._marks and self._marking_letters:
                    yield Mark(self._number, self.save())
                self._letters += 1
                yield item
            else:
                yield from self._of_documents(item)
            if self._placed:
                self.source.passed(self._read)  # type: ignore[union-attr]
            yield from self._asked()
        if self._marks:
            yield Mark(self._number, self.save())

    @property
    def _read(self) -> int:
        """How many records of the source have been given out, as documents, answers or letters."""
        return self._documents + self._letters + self._answers

    @property
    def _left(self) -> int | None:
        return None if self._limit is None else self._limit - self._number

    def _asked(self) -> Iterator[Mark]:
        if self._marking:
            self._marking = False
            yield Mark(self._number, self.save())

    def _of_documents(self, item: Cut | Posted | Batch) -> Iterator[Batch | Exchange | DeadLetter | Mark]:
        """Yield the documents of ``item``, no more than may still come; where some are left out, in several steps."""
        documents = item.stories if isinstance(item, Cut) else item.documents if isinstance(item, Posted) else item
        answers = None if isinstance(item, Batch) or not len(item.answers) else item.answers
        size, told = len(documents), 0
        if not size and answers is None and self._marks:
            yield self._nothing(item)  # nothing comes for now: whoever waits may have something to do
        start, most = 0, _PIECE if self._marks else size
        while start < size and (left := self._left) != 0 and not self._ending:
            stop = min(size, start + (most if left is None else min(most, left)))
            for found, row in self._distinct(item, documents, start, stop):
                if answers is None or isinstance(found, DeadLetter):
                    yield found
                    continue
                upto = bisect_left(answers.rows, row + len(found), told)
                yield self._exchange(found, row, answers, told, upto)
                told = upto
            self._documents += stop - start
            start = stop
            if start < size:
                yield from self._asked()
        if answers is not None and start == size and self._left != 0 and not self._ending and told < len(answers):
            yield self._exchange(self._nothing(item), size, answers, told, len(answers))

    def _distinct(
        self, item: Cut | Posted | Batch, documents: Stories | Batch, start: int, stop: int
    ) -> Iterator[tuple[Batch | DeadLetter, int]]:
        """Yield batches and the rows of ``documents`` that they begin with; letters for ids that came before."""
        again = list[int]()
        if self._ids is not None:
            ids = documents.ids.rows(start, stop)
            again = self._ids.again(ids.data, np.ascontiguousarray(ids.offsets))
        for row in [*(start + one for one in again if self._placed), stop]:
            if row > start and isinstance(item, Cut):
                yield from self._of_stories(item, start, row)
            elif row > start and isinstance(documents, Batch):
                yield from self._of_batch(documents.rows(start, row), start)
            if row < stop:
                yield duplicate(documents.ids[row], str(getattr(self.source, "title", "stream"))), row
            start = row + 1

    def _exchange(self, batch: Batch, row: int, answers: Answers, first: int, last: int) -> Exchange:
        """Return documents that stood at ``row`` with the answers before them and among them."""
        self._answers += last - first
        rows = np.maximum(answers.rows[first:last] - np.int32(row), 0)
        return Exchange(batch, Answers(rows, answers.ids[first:last], answers.labels[first:last]))

    def _nothing(self, item: Cut | Posted | Batch) -> Batch:
        """Return no documents, over the tables of those that were given out, where there were any."""
        if isinstance(item, Cut):
            return self._batch(item, 0, 0)
        documents = item.documents if isinstance(item, Posted) else item
        assert isinstance(documents, Batch)  # stories are cut
        none = documents.rows(0, 0)
        known = self._tables(none) if self._tables else none
        return self._products(known) if self._products else known

    def _of_batch(self, batch: Batch, row: int) -> Iterator[tuple[Batch, int]]:
        if not self._wordless:
            raise _no_text()
        for start, stop in self._repeats.stretches(row_fingerprints(batch), self._number):
            stretch = batch.rows(start, stop)
            if stretch.numbers[0] != self._number:
                stretch = replace(stretch, numbers=self._numbers(len(stretch)))
            self._number += len(stretch)
            known = self._tables(stretch) if self._tables else stretch
            yield (self._products(known) if self._products else known), row + start

    def _of_stories(self, cut: Cut, begin: int, end: int) -> Iterator[tuple[Batch, int]]:
        if self._tables:
            raise UsageError("these documents are texts, but the learners know features; give documents with those")
        self._wordy = True
        for first, last in self._repeats.stretches(cut.tokens.fingerprints[begin:end], self._number):
            start, stop = begin + first, begin + last
            if self._counting and self._test_after is not None:
                rows = self._test_after.training_rows(cut.stories.rows(start, stop), self._number)
                if rows is not None:
                    if rows:
                        yield self._batch(cut, start, start + rows), start
                    self._counting = False
                    start += rows
            if start < stop:
                yield self._batch(cut, start, stop), start

    def _batch(self, cut: Cut, start: int, stop: int) -> Batch:
        stories = cut.stories
        rows = self.words.features(cut.tokens, start, stop, self._counting)
        numbers = self._numbers(stop - start)
        self._titles.append((self._number, stories.titles[start:stop]))
        self._number += stop - start
        label_indptr, labels, labelled = self._labels.rows(stories.labels[start:stop])
        batch = Batch(
            indptr=rows.indptr,
            features=rows.features,
            values=rows.values,
            label_indptr=label_indptr,
            labels=labels,
            labelled=labelled,
            ids=stories.ids.rows(start, stop),
            times=stories.times[start:stop],
            numbers=numbers,
            feature_names=self.words.feature_names,
            label_names=self._labels.names,
            forget=Forget(rows.forget_rows, rows.forget_features) if len(rows.forget_rows) else None,
        )
        return self._products(batch) if self._products else batch

    def _numbers(self, count: int) -> Offsets:
        return np.arange(self._number, self._number + count, dtype=np.int64)

    def _fit(self, until: Boundary) -> bool:
        """Count ahead; return whether that came to its end, and was not ended."""
        self._repeats.begin(counting=False)
        number = 0
        for item in self._cut:
            if self._ending:
                return False
            if isinstance(item, DeadLetter):
                continue
            if not isinstance(item, Cut):
                raise _no_text()
            stories, tokens = item.stories, item.tokens
            for start, stop in self._repeats.stretches(tokens.fingerprints, number):
                rows = until.training_rows(stories.rows(start, stop), number)
                self.words.fit_on(tokens, start, stop if rows is None else start + rows)
                number += stop - start
                if rows is not None:
                    self.words.settle()
                    self._fitted = self._wordy = True
                    return True
        if self._ending:
            return False
        raise UsageError(f"fit={self.words.fit}: the stream ends before that; give a smaller number or an earlier date")


def text_settings(text: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of words that were given, as a text or as a mapping, by name.

    >>> text_settings("stem=german,title=2")
    {'stem': 'german', 'title': '2'}
    """
    return dict(key_values(text, "the text settings") if isinstance(text, str) else text)


def _no_text() -> UsageError:
    return UsageError("these documents come as features, not as text; leave out --text, or all of it but products")

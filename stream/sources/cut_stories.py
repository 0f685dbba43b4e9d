"""Stories whose texts were cut into words before, and are stored as those words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Names, StoppedError, Strings, UsageError, row_starts
from telex.stream.sources.stories import Stories

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Flags, Ids, Keys, Offsets, Reals
    from telex.stream.words import Tokens, Words

CUTTING = ("tokens", "stop", "stem")
"""The settings of words that decide what a text is cut into; all others are about what becomes of the words."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The distinct words of many documents by number, the ``settings`` that they were cut by, and whose they are."""

    names: Strings
    settings: Mapping[str, str] = field(default_factory=dict)
    title: str = "stream"

    def check(self, words: Words) -> None:
        """Refuse words that would cut texts otherwise."""
        given = words.settings
        for name, then in self.settings.items():
            if str(given[name]) != then:
                raise UsageError(
                    f"the texts of {self.title} were cut with {name}={then}, so {name}={given[name]} comes too late; "
                    f"convert the documents again with it, or use {name}={then}"
                )


@dataclass(frozen=True, slots=True, eq=False)
class CutStories:
    """Some documents: ``bounds[2i]`` to ``bounds[2i+1]`` are the words of the title of row i, those of its text follow.

    ``words`` are numbers in ``terms``, -1 for a word whose stem is empty. Labels are as in a
    :class:`~telex.learners.base.Batch`, over a table of their own. A slice shares its arrays.

    >>> from telex.stream.sources import Story, StoryBuilder
    >>> from telex.stream.words import Words
    >>> from telex.stream.sources.cutting import Cutting
    >>> stories, cutting = StoryBuilder(), Cutting(Words())
    >>> stories.add(Story("1", "Gold falls", "Gold", labels=["metals"]))
    >>> cut = cutting(stories.take())
    >>> cut.words.tolist(), cut.bounds.tolist(), list(cutting.names)
    ([0, 0, 1], [0, 1, 3], ['gold', 'fall'])
    """

    ids: Strings
    times: Reals
    titles: Strings
    words: Ids
    bounds: Offsets
    fingerprints: Keys
    label_indptr: Offsets
    label_ids: Ids
    labelled: Flags
    label_names: Names
    terms: Terms

    def __len__(self) -> int:
        return len(self.fingerprints)

    @property
    def labels(self) -> list[Sequence[str] | None]:
        """The labels of each document, None where they are unknown."""
        names, ends = [str(self.label_names[i]) for i in self.label_ids.tolist()], self.label_indptr.tolist()
        return [names[ends[row] : ends[row + 1]] if known else None for row, known in enumerate(self.labelled.tolist())]

    def tokens(self, words: Words) -> Tokens:
        """Return the tokens of the documents, as if ``words`` had cut the texts."""
        self.terms.check(words)
        try:
            return words.cut_before(self.terms.names, self.words, self.bounds, self.fingerprints)
        except ValueError as error:
            raise StoppedError(f"{self.terms.title} is damaged: {error}; convert the documents again") from error

    def rows(self, start: int, stop: int) -> CutStories:
        """Return the documents ``start`` to ``stop``."""
        return replace(
            self,
            ids=self.ids.rows(start, stop),
            times=self.times[start:stop],
            titles=self.titles.rows(start, stop),
            bounds=self.bounds[2 * start : 2 * stop + 1],
            fingerprints=self.fingerprints[start:stop],
            label_indptr=self.label_indptr[start : stop + 1],
            labelled=self.labelled[start:stop],
        )

    def take(self, rows: Sequence[int]) -> CutStories:
        """Return the documents ``rows`` in that order."""
        runs = np.split(np.array(rows, np.intp), np.flatnonzero(np.diff(rows) != 1) + 1)
        return CutStories.concat([self.rows(run[0], run[-1] + 1) if len(run) else self.rows(0, 0) for run in runs])

    @classmethod
    def concat(cls, parts: Sequence[CutStories]) -> CutStories:
        """Return the documents of one or more parts over the same tables as one, whose arrays begin at 0."""
        ids, titles = ([getattr(one, name) for one in parts] for name in ("ids", "titles"))
        return replace(
            parts[0],
            ids=_joined(ids),
            times=np.concatenate([one.times for one in parts]),
            titles=_joined(titles),
            words=np.concatenate([one.words[one.bounds[0] : one.bounds[-1]] for one in parts]),
            bounds=_starts([one.bounds for one in parts]),
            fingerprints=np.concatenate([one.fingerprints for one in parts]),
            label_indptr=_starts([one.label_indptr for one in parts]),
            label_ids=np.concatenate([one.label_ids[one.label_indptr[0] : one.label_indptr[-1]] for one in parts]),
            labelled=np.concatenate([one.labelled for one in parts]),
        )


def tokens_of(words: Words, stories: Stories | CutStories) -> Tokens:
    """Return the tokens of stories, whether their texts are yet to be cut or not."""
    return words.tokenise(stories.titles, stories.texts) if isinstance(stories, Stories) else stories.tokens(words)


def cutting_of(words: Words) -> dict[str, str]:
    """Return the settings that decide what ``words`` cut texts into.

    >>> from telex.stream.words import Words
    >>> cutting_of(Words(stem="german"))
    {'tokens': 'letters', 'stop': 'smart', 'stem': 'german'}
    """
    settings: Mapping[str, Any] = words.settings
    return {name: str(settings[name]) for name in CUTTING}


def _starts(offsets: Sequence[Offsets]) -> Offsets:
    return row_starts(np.concatenate([np.diff(one) for one in offsets]))


def _joined(parts: Sequence[Strings]) -> Strings:
    data = np.concatenate([one.data[one.offsets[0] : one.offsets[-1]] for one in parts])
    return Strings(data, _starts([one.offsets for one in parts]))

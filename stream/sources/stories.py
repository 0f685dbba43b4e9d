"""Documents as texts, before their words are counted."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import Strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Reals


class Story(NamedTuple):
    """One document: ``time`` in epoch seconds, NaN where it has none; ``labels`` None if they are unknown.

    >>> Story("2286", "Tylan stock jumps", labels=["C15", "CCAT"]).title
    ''
    """

    id: str
    text: str
    title: str = ""
    time: float = math.nan
    labels: Sequence[str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stories:
    """Some documents, a column an attribute of :class:`Story`.

    Texts and titles are lists of str, or :class:`~telex.learners.base.Strings` of a reader that makes no str of them.

    >>> builder = StoryBuilder()
    >>> builder.add(Story("1", "gold falls", labels=["metals"]))
    >>> builder.add(Story("2", "cup final"))
    >>> stories = builder.take()
    >>> len(stories), list(stories.rows(1, 2).ids), stories.labels
    (2, ['2'], [['metals'], None])
    """

    ids: Strings
    times: Reals
    titles: Sequence[str]
    texts: Sequence[str]
    labels: Sequence[Sequence[str] | None]

    def __len__(self) -> int:
        return len(self.texts)

    def rows(self, start: int, stop: int) -> Stories:
        """Return the documents ``start`` to ``stop``."""
        return Stories(
            self.ids.rows(start, stop),
            self.times[start:stop],
            self.titles[start:stop],
            self.texts[start:stop],
            self.labels[start:stop],
        )

    def take(self, rows: Sequence[int]) -> Stories:
        """Return the documents ``rows`` in that order."""
        return Stories(
            Strings.of(self.ids[row] for row in rows),
            self.times[np.array(rows, np.intp)],
            [self.titles[row] for row in rows],
            [self.texts[row] for row in rows],
            [self.labels[row] for row in rows],
        )


@dataclass(slots=True)
class StoryBuilder:
    """Collects stories; :meth:`take` returns them and empties the builder."""

    _stories: list[Story] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._stories)

    def add(self, story: Story) -> None:
        """Append a document, whose labels are distinct."""
        self._stories.append(story)

    def take(self) -> Stories:
        """Return what was added."""
        stories, self._stories = self._stories, []
        return Stories(
            Strings.of(story.id for story in stories),
            np.array([story.time for story in stories], np.float64),
            [story.title for story in stories],
            [story.text for story in stories],
            [story.labels for story in stories],
        )

"""Stories with the tokens of their texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from telex.stream.sources.arrivals import Arrivals
from telex.stream.sources.cut_stories import CutStories, tokens_of
from telex.stream.sources.stages.stage import Stage
from telex.stream.sources.stories import Stories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Keys, Strings
    from telex.stream.words import Tokens, Words


@dataclass(frozen=True, slots=True, eq=False)
class Tokenised:
    """Stories and their tokens, which begin at the row ``start`` of ``tokens``: a slice shares these."""

    stories: Stories | CutStories
    tokens: Tokens
    start: int = 0

    def __len__(self) -> int:
        return len(self.stories)

    @property
    def ids(self) -> Strings:
        """The ids of the stories."""
        return self.stories.ids

    @property
    def fingerprints(self) -> Keys:
        """A fingerprint of each story's tokens."""
        return self.tokens.fingerprints[self.start : self.start + len(self)]

    def rows(self, start: int, stop: int) -> Tokenised:
        """Return the documents ``start`` to ``stop``."""
        return Tokenised(self.stories.rows(start, stop), self.tokens, self.start + start)


class Tokenise(Stage):
    """Cuts texts into tokens as ``words`` says; nothing is counted, so it may run ahead of the counting.

    Texts that were cut before must have been cut as ``words`` says.

    >>> from telex.stream.sources import Story, StoryBuilder
    >>> from telex.stream.words import Words
    >>> stories = StoryBuilder()
    >>> stories.add(Story("1", "Gold falls."))
    >>> [cut] = Tokenise(Words())([stories.take()])
    >>> cut.stories.texts, len(cut.tokens)
    (['Gold falls.'], 1)
    """

    name, takes, gives = "tokenise", "Stories", "Tokenised"
    summary = "cut into tokens, drop stop words, stem"

    def __init__(self, words: Words) -> None:
        self.words = words

    def each(self, item: Any) -> Iterator[Any]:
        """Yield stories with their tokens; documents that are features pass unchanged."""
        if isinstance(item, (Stories, CutStories)):
            yield self._tokenised(item)
        elif isinstance(item, Arrivals) and isinstance(item.documents, (Stories, CutStories)):
            yield replace(item, documents=self._tokenised(item.documents))
        else:
            yield item

    def _tokenised(self, stories: Stories | CutStories) -> Tokenised:
        return Tokenised(stories, tokens_of(self.words, stories))

"""Stories beside the tokens of their texts, which can be cut while those before are still being counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from telex.stream.answers import NO_ANSWERS, Answers
from telex.stream.posted import Posted
from telex.stream.stories import Stories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.batch import Batch
    from telex.stream.deadletter import DeadLetter
    from telex.stream.source import Archive, Wire
    from telex.stream.words import Tokens, Words


class Cut(NamedTuple):
    """Stories, their tokens, and the answers that came among them."""

    stories: Stories
    tokens: Tokens
    answers: Answers = NO_ANSWERS


class Cutting:
    """What ``source`` has, its stories with the tokens that ``words`` finds in them; nothing is counted.

    >>> from telex.stream.stories import Story, StoryBuilder
    >>> from telex.stream.words import Words
    >>> stories = StoryBuilder()
    >>> stories.add(Story("1", "Gold falls."))
    >>> [cut] = Cutting([stories.take()], Words())
    >>> cut.stories.texts, len(cut.tokens)
    (['Gold falls.'], 1)
    """

    def __init__(self, source: Archive | Wire, words: Words) -> None:
        self.source, self.words = source, words

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def __iter__(self) -> Iterator[Cut | Posted | Batch | DeadLetter]:
        for item in self.source:
            if isinstance(item, Stories):
                yield self._cut(item, NO_ANSWERS)
            elif isinstance(item, Posted) and isinstance(item.documents, Stories):
                yield self._cut(item.documents, item.answers)
            else:
                yield item

    def _cut(self, stories: Stories, answers: Answers) -> Cut:
        return Cut(stories, self.words.tokenise(stories.titles, stories.texts), answers)

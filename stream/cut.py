"""Stories beside the tokens of their texts, which can be cut while those before are still being counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from telex.stream.stories import Stories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.batch import Batch
    from telex.stream.deadletter import DeadLetter
    from telex.stream.source import Archive
    from telex.stream.words import Tokens, Words


class Cut(NamedTuple):
    """Stories and their tokens."""

    stories: Stories
    tokens: Tokens


class Cutting:
    """What ``source`` has, its stories with the tokens that ``words`` finds in them; nothing is counted.

    >>> from telex.stream.stories import Story, StoryBuilder
    >>> from telex.stream.words import Words
    >>> stories = StoryBuilder()
    >>> stories.add(Story("1", "Gold falls."))
    >>> [(same, tokens)] = Cutting([stories.take()], Words())
    >>> same.texts, len(tokens)
    (['Gold falls.'], 1)
    """

    def __init__(self, source: Archive, words: Words) -> None:
        self.source, self.words = source, words

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def __iter__(self) -> Iterator[Cut | Batch | DeadLetter]:
        for item in self.source:
            if isinstance(item, Stories):
                yield Cut(item, self.words.tokenise(item.titles, item.texts))
            else:
                yield item

"""An archive made of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.sources import Answer, Archive, DeadLetter, Story, StoryBuilder, merge_answers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.learners.base import Batch
    from telex.stream.sources import Arrivals, Stories

    Item = Story | Answer | DeadLetter | Stories | Batch | Arrivals[Stories]


class ListArchive(Archive):
    """Yields a list as an archive would: stories, answers and dead letters, in their order.

    Stories come in batches of up to ``size``, with the answers among them; a dead letter ends a batch. Whole
    :class:`~telex.stream.sources.Stories`, batches and arrivals are yielded as they are. Each pass yields the list
    again, so give a list and not a generator. A subclass may set the attributes of an archive: ``live = True``.

    >>> from telex.stream import Run
    >>> from telex.stream.sources import DeadLetter, Features
    >>> from telex.learners import NB
    >>> items = [
    ...     Story("1", "gold falls", labels=["metals"]),
    ...     DeadLetter(b"{", "wire.jsonl", 2, 20, "decode", "the line breaks off"),
    ...     Story("2", "cup final"),
    ...     Answer("2", ["sport"]),
    ... ]
    >>> [type(item).__name__ for item in ListArchive(items)]
    ['Stories', 'DeadLetter', 'Arrivals']
    >>> run = Run(Features(ListArchive(items[:2])), {"nb": NB()})
    >>> [point.documents for point in run], run.summary()["dead_letters"]
    ([1], 1)
    """

    def __init__(self, items: Iterable[Item], size: int = 256) -> None:
        self._items, self._size = items, size

    def __iter__(self) -> Iterator[Any]:
        builder, answers = StoryBuilder(), list[tuple[int, Answer | DeadLetter]]()
        for item in self._items:
            if isinstance(item, Story):
                builder.add(item)
            elif isinstance(item, Answer):
                answers.append((len(builder), item))
            else:
                yield from _gathered(builder, answers)
                yield item
            if len(builder) >= self._size:
                yield from _gathered(builder, answers)
        yield from _gathered(builder, answers)


def _gathered(
    builder: StoryBuilder, answers: list[tuple[int, Answer | DeadLetter]]
) -> Iterator[Stories | Arrivals[Stories] | DeadLetter]:
    """Yield the stories and answers gathered so far, and forget them."""
    if answers:
        yield from merge_answers(builder.take(), answers)
        answers.clear()
    elif len(builder):
        yield builder.take()

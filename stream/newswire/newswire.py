"""The newswire as a source of stories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.base import Strings
from telex.stream._newswire import Writer
from telex.stream.newswire.clock import Clock
from telex.stream.newswire.settings import NewswireSettings
from telex.stream.newswire.world import TOPS, World
from telex.stream.sources import Stories

if TYPE_CHECKING:
    from collections.abc import Iterator


class Newswire:
    """Made-up stories in order of time, ``rows`` at a time.

    A document depends on the settings and its number alone, and is computed in whole numbers: it is the same on every
    machine, however the stream is cut and however long it is. Memory holds one batch only.

    >>> wire = Newswire(NewswireSettings(n=3, seed=7), rows=2)
    >>> [list(stories.ids) for stories in wire]
    [['1', '2'], ['3']]
    """

    def __init__(self, settings: NewswireSettings | None = None, rows: int = 256) -> None:
        self.settings = settings or NewswireSettings()
        self.rows = rows
        world = World(self.settings)
        self._writer = Writer(world)
        self._clock = Clock(self.settings.start, self.settings.rate)
        self.labels = _named(self._writer, world)
        self.parents = {
            self.labels[i]: self.labels[parent] for i, parent in enumerate(world.parents.tolist()) if parent >= 0
        }

    def __iter__(self) -> Iterator[Stories]:
        for first in range(0, self.settings.n, self.rows):
            yield self.stories(first, min(self.rows, self.settings.n - first))

    def stories(self, first: int, count: int) -> Stories:
        """Return ``count`` documents from number ``first`` (0 is the first)."""
        titles, texts, labels = self._writer.stories(first, count, self.labels)
        ids = Strings.of(map(str, range(first + 1, first + count + 1)))
        return Stories(ids, self._clock.times(first, count), titles, texts, labels)


def _named(writer: Writer, world: World) -> list[str]:
    """Return a name for each topic: its path from the top, where each step is the topic's most frequent word."""
    names: list[str] = list(TOPS)[: len(world.parents)]
    for topic in range(len(names), len(world.parents)):
        name = f"{names[world.parents[topic]]}/{writer.keyword(topic)}"
        while name in names:
            name += "2"
        names.append(name)
    return names

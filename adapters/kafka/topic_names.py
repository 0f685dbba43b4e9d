"""Which topics are read: named each, or by a pattern that later ones may match too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kafka import KafkaConsumer

_NAME = re.compile(r"[a-zA-Z0-9._-]+")


def is_pattern(name: str) -> bool:
    """Tell whether a topic is a pattern: what cannot be the name of one.

    >>> is_pattern("news-.*"), is_pattern("news.eu")
    (True, False)
    """
    return _NAME.fullmatch(name) is None


@dataclass(frozen=True, slots=True)
class TopicNames:
    """Names of topics, of which some may be patterns; no pattern stands for those that are in ``never``.

    >>> names = TopicNames(("news-.*", "answers"), never=("news-out",))
    >>> names.among(["news-eu", "old-news-eu", "news-out", "answers", "answers2"])
    ['answers', 'news-eu']
    >>> TopicNames(("news",)).among([])
    ['news']
    """

    names: tuple[str, ...]
    never: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for one in self.names:
            try:
                re.compile(one)
            except re.error as error:
                raise UsageError(
                    f"{one!r} is neither a topic's name nor a regular expression ({error}); try one such as 'news-.*'"
                ) from error

    @property
    def pattern(self) -> str | None:
        """One regular expression for all; None if each topic is named."""
        if not any(map(is_pattern, self.names)):
            return None
        never = "".join(f"(?!{re.escape(one)}$)" for one in self.never)
        return f"{never}(?:{'|'.join(one if is_pattern(one) else re.escape(one) for one in self.names)})$"

    def among(self, known: Iterable[str]) -> list[str]:
        """Return the topics to read, with those of the ``known`` ones that a pattern stands for."""
        if self.pattern is None:
            return list(self.names)
        found = re.compile(self.pattern)
        named = {one for one in self.names if not is_pattern(one)}
        return sorted(named | {one for one in known if found.match(one)})

    def of(self, consumer: KafkaConsumer) -> list[str]:
        """Return the topics to read, as far as the brokers have told the consumer of them."""
        return self.among(consumer._cluster.topics())

    def asked(self, consumer: KafkaConsumer) -> list[str]:
        """Ask the brokers for the topics to read; where a pattern stands for none, raise an error."""
        if self.pattern is None:
            return list(self.names)
        found = self.among(consumer.topics())
        if not found:
            raise UsageError(f"no topic is called {' or '.join(self.names)} yet; make one, or give another pattern")
        return found

    def subscribe(self, consumer: KafkaConsumer, **how: Any) -> None:
        """Have the consumer join its group for these topics, and for those that match later."""
        if self.pattern is None:
            consumer.subscribe(list(self.names), **how)
        else:
            consumer.subscribe(pattern=self.pattern, **how)

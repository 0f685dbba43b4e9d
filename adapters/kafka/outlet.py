"""Where a publisher puts what it publishes."""

from __future__ import annotations

from dataclasses import dataclass

from telex.adapters.kafka.delays import AT_ONCE, Delay
from telex.learners.errors import UsageError


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where a publisher called ``name`` puts documents and, where ``labels_topic`` is named, their labels.

    ``create`` is with how many partitions topics are made that are missing. With ``resume`` it goes on where the
    publisher of that name stands. ``live`` documents are told once: that some are too old is no reason to stop.
    """

    topic: str
    labels_topic: str | None = None
    delay: Delay = AT_ONCE
    name: str | None = None
    create: int | None = None
    resume: bool = False
    live: bool = False

    def __post_init__(self) -> None:
        if self.labels_topic == self.topic:
            raise UsageError(f"labels need a topic of their own, and {self.topic} has the documents; name another")

    @property
    def called(self) -> str:
        """The publisher's name."""
        return self.name or self.topic

    @property
    def group(self) -> str:
        """The consumer group that keeps how far the publisher is, and the id of its transactions."""
        return f"telex-publish-{self.called}"

    @property
    def how(self) -> str:
        """What the order among documents and labels hangs on."""
        return f"{self.labels_topic} after {self.delay}" if self.labels_topic else "labels with their documents"

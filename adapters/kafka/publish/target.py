"""Where a publisher writes."""

from __future__ import annotations

from dataclasses import dataclass

from telex.adapters.kafka.publish.label_delays import AT_ONCE, LabelDelay
from telex.learners.base import UsageError


@dataclass(frozen=True, slots=True)
class PublishTarget:
    """The target of the publisher ``name``: a topic for documents and, with ``labels_topic``, one for their labels.

    ``create`` is the number of partitions for topics that must be created. With ``resume`` the publisher of that name
    continues where it stopped. ``live`` documents come only once: then documents that are too old are no reason to
    stop.
    """

    topic: str
    labels_topic: str | None = None
    delay: LabelDelay = AT_ONCE
    name: str | None = None
    create: int | None = None
    resume: bool = False
    live: bool = False

    def __post_init__(self) -> None:
        if self.labels_topic == self.topic:
            raise UsageError(f"labels need a topic of their own, and {self.topic} has the documents; name another")

    @property
    def publisher_name(self) -> str:
        """The publisher's name."""
        return self.name or self.topic

    @property
    def group(self) -> str:
        """The consumer group that keeps the publisher's progress, and the id of its transactions."""
        return f"telex-publish-{self.publisher_name}"

    @property
    def how(self) -> str:
        """The settings that determine the order among documents and labels."""
        return f"{self.labels_topic} after {self.delay}" if self.labels_topic else "labels with their documents"

"""Topics of Kafka as the source of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.consume.record_format import PLAIN
from telex.adapters.kafka.consume.topic_source import TopicWire
from telex.adapters.kafka.fetch import ProcessFetcher
from telex.stream.run import Sink
from telex.stream.sources import Features

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.consume.record_format import RecordFormat
    from telex.adapters.kafka.fetch import FetchSettings
    from telex.adapters.kafka.registered_values import RegisteredValues
    from telex.learners.base import State


def open_wire(
    brokers: Brokers,
    settings: FetchSettings,
    labels: str | None = None,
    format: RecordFormat = PLAIN,  # noqa: A002
    values: RegisteredValues | None = None,
    **how: Any,
) -> TopicWire:
    """Return the records of the topics in ``settings`` as documents, and those of the topic ``labels`` as answers.

    ``format`` says what the documents are, and ``values`` reads those of a schema registry; ``how`` is what
    :class:`TopicWire` takes.
    """
    return TopicWire(ProcessFetcher(brokers, settings), RecordDecoder(labels, format, values), **how)


def source_of(wire: TopicWire, words: str | Mapping[str, Any] = "", duplicates: str = "keep", **how: Any) -> Features:
    """Return the documents of a wire as a source of batches, read ahead in threads, as ``open_source`` does."""
    return Features(wire, words, duplicates, ahead=True, **how)


class OffsetCommits(Sink):
    """Commits the offsets of each checkpoint, for tools that watch the lag, and closes the wire with the run.

    The checkpoint is the truth; its number is the metadata of the offsets. With ``commits`` false another sink commits.
    """

    def __init__(self, wire: TopicWire, *, commits: bool = True) -> None:
        self._wire, self._commits = wire, commits

    def checkpointed(self, number: int, place: State | None) -> None:
        """Commit the offsets of the checkpoint."""
        if self._commits and place is not None:
            self._wire.fetching.commit(offsets_of(place), str(number))

    def close(self) -> None:
        """Close the wire, now that the last checkpoint is written."""
        self._wire.close()


def offsets_of(place: State) -> dict[tuple[str, int], int]:
    """Return the next offset of each partition from the place of a wire.

    >>> offsets_of({"partitions": {"wire": {"0": [7, 1000, None], "1": [None, None, None]}}})
    {('wire', 0): 7}
    """
    return {
        (topic, int(number)): int(at[0])
        for topic, partitions in place["partitions"].items()
        for number, at in partitions.items()
        if at[0] is not None
    }

"""The commit of a checkpoint's offsets, for tools that watch the lag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka.fetch.events import FetchProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kafka import KafkaConsumer

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch.record_set import Partition


class OffsetCommit:
    """The newest offsets to be committed, one request at a time: with more than a few the client refuses the last."""

    def __init__(self, brokers: Brokers, tell: Callable[[object], None]) -> None:
        self._brokers, self._tell = brokers, tell
        self._newest: tuple[Mapping[Partition, int], str] | None = None
        self._under_way: KafkaConsumer | None = None  # what a replaced consumer began does not count

    def put(self, offsets: Mapping[Partition, int], metadata: str) -> None:
        """Have these offsets committed, instead of older ones that wait."""
        self._newest = offsets, metadata

    def is_pending(self, consumer: KafkaConsumer) -> bool:
        """Tell whether a commit waits or is under way."""
        return self._newest is not None or self._under_way is consumer

    def send(self, consumer: KafkaConsumer) -> None:
        """Commit what waits, unless a request is under way."""
        if self._newest is None or self._under_way is consumer:
            return
        (offsets, metadata), self._newest = self._newest, None

        def done(_: object, result: object) -> None:
            if self._under_way is consumer:
                self._under_way = None
            if isinstance(result, BaseException):
                why = self._brokers.without_secrets(str(result))[:200]
                self._tell(FetchProblem(f"the offsets of checkpoint {metadata} could not be committed ({why}); "
                                        "the checkpoint counts, and lag tools see an older one"))  # fmt: skip

        self._under_way = consumer
        consumer.commit_async(
            {TopicPartition(*one): OffsetAndMetadata(offset, metadata, -1) for one, offset in offsets.items()}, done
        )

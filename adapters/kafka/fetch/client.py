"""The consumer of kafka-python with Telex's settings: it starts nothing and commits nothing by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kafka import KafkaAdminClient, KafkaConsumer
from kafka import errors as kafka
from kafka.admin import ConfigResource
from kafka.consumer.subscription_state import AsyncConsumerRebalanceListener
from kafka.coordinator.assignors.cooperative_sticky import (
    CooperativeStickyAssignor,
)
from kafka.structs import MemberState

from telex.adapters.kafka.brokers import check_checksums
from telex.adapters.kafka.client_settings import check_codec
from telex.adapters.kafka.failures import deleted_topic, no_connection, telex_error
from telex.adapters.kafka.fetch.record_batches import use_record_sets
from telex.adapters.kafka.fetch.settings import ATTEMPT
from telex.adapters.kafka.topics import absent_topic

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from kafka.structs import TopicPartition

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch.settings import FetchSettings
    from telex.adapters.kafka.last_warning import LastWarning

MOST = 4000  # records a poll
GROUP_MOST = 1000  # and of a reader, which commits after each
GROUP_SESSION = 10_000  # milliseconds after which the others have the partitions of a reader that was killed
GROUP_METADATA = 2000  # milliseconds after which a reader asks for topics and partitions again


class AssignmentListener(AsyncConsumerRebalanceListener):  # type: ignore[misc]
    """Pauses new partitions until they are at the offset where they should begin; runs on the client's own thread."""

    def __init__(self, consumer: KafkaConsumer) -> None:
        self._consumer = consumer
        self.added: set[TopicPartition] = set()

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Pause them: without a position the consumer would fetch from the committed offset before we seek."""
        for one in assigned:
            self._consumer.pause(one)
            self._consumer.seek(one, 0)
            self.added.add(one)

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Do nothing: the checkpoint is the truth, so there is nothing to save."""
        self.added.difference_update(revoked)

    async def on_partitions_lost(self, lost: Iterable[TopicPartition]) -> None:
        """Do nothing, as if revoked."""
        self.added.difference_update(lost)


def connect_group_member(brokers: Brokers, settings: FetchSettings, last_warning: LastWarning) -> KafkaConsumer:
    """Return a consumer for a group of many, which shares the partitions; it begins where the group has committed."""
    start: dict[str, Any] = {"auto_offset_reset": settings.start, "group_instance_id": None}
    start |= {
        "max_poll_records": GROUP_MOST,
        "session_timeout_ms": brokers.options.get("session_timeout_ms", GROUP_SESSION),
    }
    # One that joins before it knows the topic has no partitions until its metadata are asked for again.
    start |= {"metadata_max_age_ms": brokers.options.get("metadata_max_age_ms", GROUP_METADATA)}
    consumer = connect_consumer(brokers, settings, last_warning, **start)
    settings.names.subscribe(consumer)
    return consumer


def connect_consumer(
    brokers: Brokers, settings: FetchSettings, last_warning: LastWarning, *, read: Container[str] = (), **own: Any
) -> KafkaConsumer:
    """Return a consumer that has not joined its group yet; its topics exist and can be read.

    Topics that were ``read`` before may come back. ``own`` are options of kafka-python that replace ours. A broker that
    goes away meanwhile is a StoppedError, after which another try may succeed.
    """
    check_checksums()
    patience = min(ATTEMPT, settings.connecting, settings.patience)
    options = {
        "metadata_max_age_ms": 30_000,
        "reconnect_backoff_max_ms": 3_000,
        "max_poll_records": MOST,
        **brokers.consumers,
        **settings.consumer,
        "group_id": settings.group,
        "group_instance_id": settings.member,
        "enable_auto_commit": False,
        "auto_offset_reset": "none",
        "allow_auto_create_topics": False,
        "isolation_level": "read_committed" if settings.read_committed else "read_uncommitted",
        "partition_assignment_strategy": [CooperativeStickyAssignor],
        "bootstrap_timeout_ms": int(1000 * patience),
        **own,
    }
    try:
        consumer = KafkaConsumer(**options)
    except kafka.KafkaTimeoutError as error:
        raise no_connection(brokers, patience, last_warning) from error
    try:
        topics = settings.names.asked(consumer)
        _check_topics(consumer, brokers, topics, read)
    except BaseException as error:
        consumer.close()
        if isinstance(error, kafka.KafkaError):  # such as a connection that has just broken
            raise telex_error(error, brokers, settings.group, settings.member, resume="") from error
        raise
    _check_codecs(brokers, topics)
    use_record_sets(consumer)
    return consumer


def topic_id(consumer: KafkaConsumer, topic: str) -> str | None:
    """Return the id that the topic had when the brokers last told of it; None if it is gone, or they know no ids."""
    found = consumer._cluster.topic_id(topic)
    return found.hex if found else None


def fresh_topic_ids(consumer: KafkaConsumer, timeout: int) -> dict[str, str]:
    """Ask the brokers for the ids of the consumer's topics."""
    asked = consumer._cluster.request_update()
    consumer._net.run(consumer._manager.wait_for, asked, timeout)
    found = {topic: topic_id(consumer, topic) for topic in consumer._cluster.topics()}
    return {topic: name for topic, name in found.items() if name is not None}


def committed_offsets(
    consumer: KafkaConsumer, partitions: Iterable[TopicPartition], timeout: int
) -> dict[TopicPartition, int]:
    """Ask once for all offsets that the group has committed; partitions without one are left out."""
    found = consumer._coordinator.fetch_committed_offsets(list(partitions), timeout_ms=timeout)
    return {one: place.offset for one, place in found.items()}


def poll(consumer: KafkaConsumer, seconds: float) -> dict[TopicPartition, list[Any]]:
    """Poll once, and keep kafka-python (3.0.12) from two standstills.

    While a partition is paused, it returns the records that it has buffered only once all its buffers are empty, and
    counts used-up records as buffered. And it forgets a join that changed metadata began if a poll ends between the
    answer to it and the assignment: the member then has no partitions and sends no heartbeats, for ever.
    """
    fetcher = consumer._fetcher
    if not getattr(fetcher, "_next_partition_records", True):
        fetcher._next_partition_records = None
    if consumer.group_metadata().state == MemberState.REBALANCING:
        consumer._coordinator.request_rejoin()  # the poll waits for the join under way, or begins another
    records: dict[TopicPartition, list[Any]] = consumer.poll(timeout_ms=int(1000 * seconds))
    return records


def is_fenced(consumer: KafkaConsumer) -> bool:
    """Tell whether another process has replaced a member: kafka-python then only stops its heartbeat."""
    return not getattr(consumer._coordinator, "_heartbeat_enabled", True)


def _check_topics(consumer: KafkaConsumer, brokers: Brokers, topics: Iterable[str], read: Container[str]) -> None:
    """Check that the topics are there; one that was read before may have been deleted."""
    for topic in topics:
        if consumer.partitions_for_topic(topic):
            continue
        if topic in read:
            raise deleted_topic(topic)
        with KafkaAdminClient(**brokers.clients) as admin:
            raise absent_topic(admin, topic, consumer.topics())


def _check_codecs(brokers: Brokers, topics: Iterable[str]) -> None:
    """Check that the records can be decompressed, as far as the broker reports it; else the first fetch fails."""
    try:
        with KafkaAdminClient(**brokers.clients) as admin:
            found = admin.describe_configs([ConfigResource("TOPIC", topic) for topic in topics], config_filter="all")
    except kafka.KafkaError:
        return
    for topic, configs in found.get("topic", {}).items():
        check_codec(topic, str(configs.get("compression.type", {}).get("value")))

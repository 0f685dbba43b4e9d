"""The consumer of kafka-python with Telex's settings: it starts nothing and commits nothing by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafka import KafkaAdminClient, KafkaConsumer  # type: ignore[import-untyped]
from kafka import errors as kafka
from kafka.admin import ConfigResource  # type: ignore[import-untyped]
from kafka.consumer.subscription_state import AsyncConsumerRebalanceListener  # type: ignore[import-untyped]
from kafka.coordinator.assignors.cooperative_sticky import (  # type: ignore[import-untyped]
    CooperativeStickyAssignor,
)

from telex.adapters.kafka.brokers import check_checksums, check_codec
from telex.adapters.kafka.consume.batch_unpacking import unpack_at_once
from telex.adapters.kafka.failures import refused, unknown_topic, unreachable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kafka.structs import TopicPartition  # type: ignore[import-untyped]

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.consume.settings import Wanted
    from telex.adapters.kafka.failures import LastWord

MOST = 4000  # records a poll
CONNECTING = 30.0  # seconds that the first answer may take


class Listener(AsyncConsumerRebalanceListener):  # type: ignore[misc]
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


def connected(brokers: Brokers, wanted: Wanted, last_word: LastWord) -> KafkaConsumer:
    """Return a consumer that has not joined its group yet; its topics exist and can be read."""
    check_checksums()
    patience = min(CONNECTING, wanted.patience)
    options = {
        "metadata_max_age_ms": 30_000,
        "reconnect_backoff_max_ms": 3_000,
        "max_poll_records": MOST,
        **brokers.clients,
        **wanted.consumer,
        "group_id": wanted.group,
        "group_instance_id": wanted.member,
        "enable_auto_commit": False,
        "auto_offset_reset": "none",
        "allow_auto_create_topics": False,
        "isolation_level": "read_committed" if wanted.read_committed else "read_uncommitted",
        "partition_assignment_strategy": [CooperativeStickyAssignor],
        "bootstrap_timeout_ms": int(1000 * patience),
    }
    try:
        consumer = KafkaConsumer(**options)
    except kafka.KafkaTimeoutError as error:
        # With a wrong password the connection is closed, and the reason is lost.
        if last_word.cut_off and str(brokers.options.get("security_protocol")).startswith("SASL"):
            raise refused(brokers, "it closes the connection during authentication") from error
        raise unreachable(brokers, patience, last_word.text) from error
    for topic in wanted.topics:
        if not consumer.partitions_for_topic(topic):
            raise unknown_topic(topic, consumer.topics())
    _check_codecs(brokers, wanted)
    unpack_at_once(consumer)
    return consumer


def _check_codecs(brokers: Brokers, wanted: Wanted) -> None:
    """Check that the records can be decompressed; if the broker does not say how, the first fetch will tell."""
    try:
        with KafkaAdminClient(**brokers.clients) as admin:
            told = admin.describe_configs(
                [ConfigResource("TOPIC", topic) for topic in wanted.topics], config_filter="all"
            )
    except kafka.KafkaError:
        return
    for topic, configs in told.get("topic", {}).items():
        check_codec(topic, str(configs.get("compression.type", {}).get("value")))

"""What all producers have in common: their options, their errors, their end."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from kafka import errors as kafka

from telex.adapters.kafka.brokers import check_checksums
from telex.adapters.kafka.failures import no_connection, telex_error
from telex.adapters.kafka.last_warning import LastWarning
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.topics import TopicLimits

ENVELOPE_BYTES = 256
"""Bytes that may surround a record."""
_BATCH = 1 << 18
_ENDING = 2.0


def producer_options(brokers: Brokers, topics: Iterable[TopicLimits], *, exact: bool = True) -> dict[str, Any]:
    """Return the options of a producer that writes to ``topics``.

    Unless it is to be ``exact``, the section [kafka] may say that one broker is enough to acknowledge.
    """
    weak = brokers.producers.get("acks", "all") != "all"
    if weak and exact:
        raise UsageError("acks=1 cannot hold where each message is to be there once; leave acks out, or give all")
    longest = [limits.longest for limits in topics]
    return {
        "linger_ms": 20,
        "batch_size": min(_BATCH, *longest),
        "metadata_max_age_ms": 30_000,
        "reconnect_backoff_max_ms": 3_000,
        "retry_backoff_ms": 20,  # a commit waits for it twice
        **brokers.producers,
        "enable_idempotence": not weak,
        "allow_auto_create_topics": False,
        "max_request_size": max(1 << 20, *longest),
    }


@contextlib.contextmanager
def connection_errors(brokers: Brokers, group: str = "", transactional_id: str = "") -> Iterator[None]:
    """Turn errors at the start of a producer into sentences."""
    check_checksums()
    last_warning = LastWarning()
    try:
        yield
    except kafka.KafkaTimeoutError as error:
        raise no_connection(brokers, brokers.attempt, last_warning) from error
    except kafka.TopicAuthorizationFailedError as error:
        topics = ", ".join(sorted(map(str, error.args[0]))) if error.args else "a topic"
        raise UsageError(f"this user may not write to {topics}; allow it, or connect as another") from error
    except kafka.KafkaError as error:
        raise telex_error(error, brokers, group, transactional_id=transactional_id) from error


def close_producer(producer: Any) -> None:
    """Close a producer without sending what it still holds."""
    try:
        producer.close(timeout=0)
    except kafka.KafkaError:
        producer._sender.force_close()  # close (3.0.12) leaves it running if something is unsent
    producer._sender.join(_ENDING)  # close does not wait for it and its connections, either

"""What all producers of Telex have in common: how they are made, what they say, how they end."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from kafka import errors as kafka  # type: ignore[import-untyped]

from telex.adapters.kafka.connection import check_checksums
from telex.adapters.kafka.topics import prepared
from telex.adapters.kafka.troubles import LastWord, refused, said, unreachable
from telex.learners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from telex.adapters.kafka.connection import Brokers
    from telex.adapters.kafka.topics import Limits

AROUND = 256
"""Bytes that may be around a record."""
_BATCH = 1 << 18
_CONNECTING = 30.0
_ENDING = 2.0


def taken(brokers: Brokers, topics: Sequence[str]) -> list[Limits]:
    """Return what topics take that must be there."""
    command = f"kafka-topics.sh --bootstrap-server {brokers.addresses[0]} --create --topic TOPIC"
    return prepared(brokers, topics, remedy=f"`{command} --config retention.ms=-1` makes it")


def options_of(brokers: Brokers, topics: Iterable[Limits]) -> dict[str, Any]:
    """Return what a producer is made with that writes into ``topics``."""
    longest = [limits.longest for limits in topics]
    return {
        "linger_ms": 20,
        "batch_size": min(_BATCH, *longest),
        "metadata_max_age_ms": 30_000,
        "reconnect_backoff_max_ms": 3_000,
        "retry_backoff_ms": 20,  # a commit waits for it twice
        **brokers.clients,
        "enable_idempotence": True,
        "allow_auto_create_topics": False,
        "max_request_size": max(1 << 20, *longest),
        "bootstrap_timeout_ms": int(1000 * _CONNECTING),
    }


@contextlib.contextmanager
def connecting(brokers: Brokers, group: str = "") -> Iterator[None]:
    """Have what goes wrong when a producer begins be said in a sentence."""
    check_checksums()
    last_word = LastWord()
    try:
        yield
    except kafka.KafkaTimeoutError as error:
        if last_word.cut_off and str(brokers.options.get("security_protocol")).startswith("SASL"):
            raise refused(brokers, "it cuts us off when we say who we are") from error
        raise unreachable(brokers, _CONNECTING, last_word.text) from error
    except kafka.TopicAuthorizationFailedError as error:
        topics = ", ".join(sorted(map(str, error.args[0]))) if error.args else "a topic"
        raise UsageError(f"this user may not write to {topics}; have it allowed, or connect as another") from error
    except kafka.KafkaError as error:
        raise said(error, brokers, group) from error


def end(producer: Any) -> None:
    """Close a producer; what it still holds is not sent any more."""
    try:
        producer.close(timeout=0)
    except kafka.KafkaError:
        producer._sender.force_close()  # close (3.0.12) leaves it running where something is unsent
    producer._sender.join(_ENDING)  # nor does it wait for it, with its connections

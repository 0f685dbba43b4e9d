"""The topics that Telex writes to: whether they exist, and what they do with old records."""

from __future__ import annotations

import math
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from kafka import KafkaAdminClient
from kafka import errors as kafka
from kafka.admin import ConfigResource

from telex.adapters.kafka.failures import unknown_topic, unseen_topic
from telex.learners.base import UsageError
from telex.stream.curves import iso

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from telex.adapters.kafka.brokers import Brokers
    from telex.learners.base import Reals

FOR_EVER = -1
_NAME = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_BYTES = 1 << 20  # what a broker takes by default
_HOUR = 3_600_000


@dataclass(frozen=True, slots=True)
class TopicLimits:
    """A topic's limits: how many milliseconds it keeps a record, how long one may be, how far ahead of now."""

    topic: str
    retention: int = FOR_EVER
    longest: int = _BYTES
    ahead: int = _HOUR

    def stamp(self, moment: float) -> int | None:
        """Return the time of a record, None for now: Kafka has no time before 1970, and refuses one too far ahead.

        >>> TopicLimits("wire").stamp(840499200.0), TopicLimits("wire").stamp(-1.0), TopicLimits("wire").stamp(math.nan)
        (840499200000, 0, None)
        """
        if math.isnan(moment) or moment * 1000 > time.time() * 1000 + self.ahead:
            return None
        return max(int(moment * 1000), 0)


def deletion_warning(topics: Iterable[TopicLimits], times: Reals) -> str | None:
    """Return a sentence about the topic that would delete a document of one of these times, or None.

    >>> week = TopicLimits("wire", retention=604_800_000)
    >>> deletion_warning([week], np.array([math.nan, 840499200.0])).partition(",")[0]
    'topic wire deletes what is older than 7 days'
    """
    shortest = min((one for one in topics if one.retention != FOR_EVER), key=lambda one: one.retention, default=None)
    oldest = float(np.fmin.reduce(times, initial=math.nan))
    if shortest is None or not oldest < time.time() - shortest.retention / 1000:
        return None
    return (
        f"topic {shortest.topic} deletes what is older than {shortest.retention / 86_400_000:.3g} days, so a document "
        f"of {iso(oldest)} is gone as soon as it comes; set retention.ms=-1 for that topic"
    )


def prepare_topics(brokers: Brokers, topics: Sequence[str], create: int | None = None) -> list[TopicLimits]:
    """Return the limits of the topics; missing ones are created with ``create`` partitions, if given.

    Created topics keep records forever: Kafka's default retention would delete an archive as it comes.
    """
    for topic in topics:
        if not _NAME.fullmatch(topic) or topic in (".", ".."):
            raise UsageError(f"{topic!r} is not a name for a topic; use letters, digits, '.', '_' and '-'")
    with KafkaAdminClient(**brokers.clients) as admin:
        known = set(admin.list_topics())
        missing = [topic for topic in topics if topic not in known]
        if missing and create is None:
            raise absent_topic(admin, missing[0], known, "; --create-topics N makes it")
        if missing:
            configs = {"retention.ms": str(FOR_EVER), "message.timestamp.type": "CreateTime"}
            with suppress(kafka.TopicAlreadyExistsError):  # another process of the group was faster
                admin.create_topics({topic: {"num_partitions": create, "configs": configs} for topic in missing})
            admin.wait_for_topics(missing)
        try:
            found = admin.describe_configs([ConfigResource("TOPIC", topic) for topic in topics], config_filter="all")
        except kafka.AuthorizationError:  # a user who may write need not be allowed to look
            return [TopicLimits(topic) for topic in topics]
    return [_limits(topic, found.get("topic", {}).get(topic, {})) for topic in topics]


def absent_topic(admin: KafkaAdminClient, topic: str, known: Iterable[str], remedy: str = "") -> UsageError:
    """Return the error for a topic that is not in the list: it may be one that this user may not see.

    A ``remedy`` ends the sentence where the topic is not there.
    """
    [found] = admin.describe_topics([topic])
    if found["error_code"] == kafka.TopicAuthorizationFailedError.errno:
        return unseen_topic(topic)
    return UsageError(f"{unknown_topic(topic, known)}{remedy}")


def _limits(topic: str, configs: Mapping[str, Mapping[str, object]]) -> TopicLimits:
    def value(name: str, usual: object) -> str:
        return str(configs.get(name, {}).get("value") or usual)

    return TopicLimits(
        topic,
        int(value("retention.ms", FOR_EVER)) if "delete" in value("cleanup.policy", "delete") else FOR_EVER,
        int(value("max.message.bytes", _BYTES)),
        int(value("message.timestamp.after.max.ms", _HOUR)),
    )

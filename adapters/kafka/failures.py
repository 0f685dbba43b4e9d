"""The exceptions of kafka-python as sentences with the next thing to try."""

from __future__ import annotations

import difflib
import logging
import re
from typing import TYPE_CHECKING

from kafka import errors as kafka

from telex.learners.base import StoppedError, TelexError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.adapters.kafka.brokers import Brokers


class LastWarning(logging.Handler):
    """Stores the last warning of kafka-python, which has the reason that its exceptions leave out; prints nothing."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.text = ""
        self.cut_off = False
        logger = logging.getLogger("kafka")
        logger.addHandler(self)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Store the message if it says why a connection failed."""
        if "onnection" in str(record.msg) and record.args:
            self.text = re.sub(r" \(backoff[^)]*\)", "", " ".join(record.getMessage().split()))[:300]
            self.cut_off |= "socket disconnected" in self.text


def unreachable(brokers: Brokers, seconds: float, last: str = "") -> StoppedError:
    """Return the error for brokers that do not answer."""
    why = f" ({brokers.without_secrets(last)})" if last else ""
    return StoppedError(
        f"no broker at {brokers} has answered for {seconds:.0f} s{why}; is it running, and is this its port?"
    )


def refused(brokers: Brokers, why: str) -> UsageError:
    """Return the error for a broker that refuses the connection."""
    text = brokers.without_secrets(why)
    return UsageError(f"{brokers} refused the connection ({text}); check the user, the password and sasl_mechanism")


def no_connection(brokers: Brokers, seconds: float, last: LastWarning) -> TelexError:
    """Return the error for brokers to which no connection came about."""
    # With a wrong password the connection is closed, and the reason is lost.
    if last.cut_off and str(brokers.options.get("security_protocol")).startswith("SASL"):
        return refused(brokers, "it closes the connection during authentication")
    return unreachable(brokers, seconds, last.text)


def unknown_topic(topic: str, known: Iterable[str]) -> UsageError:
    """Return the error for a topic that does not exist."""
    near = difflib.get_close_matches(topic, list(known), 3, 0.5)
    there = f"; there is {' and '.join(near)}" if near else ""
    return UsageError(f"the broker has no topic {topic}{there}; make it, or name another")


def fenced(group: str, member: str) -> StoppedError:
    """Return the error for a process that another one of the same run has replaced."""
    return StoppedError(
        f"another process has joined group {group} as {member} and replaced this one: a run is one learner; "
        "stop one of the two, or give each a group of its own"
    )


def telex_error(  # noqa: PLR0911 - one for each
    error: BaseException,
    brokers: Brokers,
    group: str = "",
    member: str = "",
    resume: str = ", then resume from the last checkpoint",
) -> TelexError:
    """Return the error of Telex for ``error``, in the words of the user's settings.

    ``resume`` ends the sentence where only the broker's log knows more; callers that add their own advice leave it
    empty.
    """
    text = brokers.without_secrets(" ".join(str(error).split())[:300])
    match error:
        case TelexError():
            return error
        case kafka.FencedInstanceIdError():
            return fenced(group, member)
        case (
            kafka.SaslAuthenticationFailedError()
            | kafka.UnsupportedSaslMechanismError()
            | kafka.IllegalSaslStateError()
        ):
            return refused(brokers, text)
        case kafka.TopicAuthorizationFailedError():
            topics = ", ".join(sorted(map(str, error.args[0]))) if error.args else "a topic"
            return UsageError(f"this user may not read {topics}; allow it, or connect as another user")
        case kafka.GroupAuthorizationFailedError():
            return UsageError(f"this user may not join group {group}; allow it, or name another group")
        case kafka.AuthorizationError():
            return UsageError(f"this user may not do that ({text}); allow it, or connect as another user")
        case kafka.UnsupportedCodecError():
            return UsageError(f"records are compressed in a way that needs a package ({text}); pip install lz4, "
                              "python-snappy or zstandard")  # fmt: skip
        case kafka.CorruptRecordError():
            return StoppedError(f"a record is damaged ({text}); begin behind it, or repair the broker's log")
        case kafka.KafkaConfigurationError() | kafka.InvalidSessionTimeoutError() | kafka.InvalidGroupIdError():
            return UsageError(f"Kafka does not accept these settings: {text}; change them")
        case kafka.InconsistentGroupProtocolError():
            return UsageError(f"group {group} has members that are not Telex learners; name another group")
        case kafka.KafkaTimeoutError():
            return StoppedError(f"{brokers} did not answer in time ({text}); is it running, and is this its port?")
    return StoppedError(f"Kafka says {text}; look at the broker's log{resume}")

"""The exceptions of kafka-python as sentences with the next thing to try."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from kafka import errors as kafka

from telex.adapters.kafka.last_warning import REFUSALS
from telex.learners.base import StoppedError, TelexError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.last_warning import LastWarning

_PORT = "is it running, and is this its port?"
_ADVICE = {
    "socket disconnected": "it takes connections and closes them: a proxy without a broker behind it, a broker that is "
    "just ending, or one that expects another security_protocol",
    "CERTIFICATE_VERIFY_FAILED": "its certificate is not trusted: name its authority in ssl_cafile, and the broker as "
    "the certificate does",
    "Handshake failed": "this port does not speak TLS, or something on the way ends the connection; check "
    "security_protocol, which is %s",
    "Invalid frame length: 3525": "this port seems to speak TLS; check security_protocol, which is %s",
}
"""What to try, by a part of the client's last warning; an alert of TLS, read as a length, is 3525 and four digits."""


def unreachable(brokers: Brokers, seconds: float, last: str = "") -> StoppedError:
    """Return the error for brokers that do not answer, with what to try by the ``last`` warning of the client."""
    why = f" ({brokers.without_secrets(last)})" if last else ""
    advice = next((found for part, found in _ADVICE.items() if part in last), _PORT)
    advice = advice.replace("%s", str(brokers.options.get("security_protocol", "PLAINTEXT")))
    return StoppedError(f"no broker at {brokers} has answered for {seconds:.0f} s{why}; {advice}")


def refused(brokers: Brokers, why: BaseException) -> UsageError:
    """Return the error for a broker that refuses the user."""
    text = brokers.without_secrets(" ".join(str(why).split())[:300])
    advice = "check the user, the password and sasl_mechanism"
    if isinstance(why, kafka.IllegalSaslStateError):
        advice = "this port asks for no user: set security_protocol to PLAINTEXT or SSL, or name another port"
    return UsageError(f"{brokers} refused the connection ({text}); {advice}")


def no_connection(brokers: Brokers, seconds: float, last: LastWarning) -> TelexError:
    """Return the error for brokers to which no connection came about: a wrong setting if they say so themselves."""
    return refused(brokers, last.refusal) if last.refusal else unreachable(brokers, seconds, last.text)


def unknown_topic(topic: str, known: Iterable[str]) -> UsageError:
    """Return the error for a topic that does not exist."""
    near = difflib.get_close_matches(topic, list(known), 3, 0.5)
    there = f"; there is {' and '.join(near)}" if near else ""
    return UsageError(f"the broker has no topic {topic}{there}; make it, or name another")


def unseen_topic(topic: str) -> UsageError:
    """Return the error for a topic that this user may not see, whether it exists or not."""
    return UsageError(
        f"this user may not see topic {topic}, if there is one; allow Describe on it (Read and Write have it), or name "
        "another topic"
    )


def deleted_topic(topic: str) -> StoppedError:
    """Return the error for a topic that a run has read and that is no longer there."""
    return StoppedError(
        f"topic {topic}, which this run has read, is no longer there, or this user may no longer see it; make it "
        "again, and with --on-gap skip the run goes on there"
    )


def fenced(group: str, member: str) -> StoppedError:
    """Return the error for a process that another one of the same run has replaced."""
    return StoppedError(
        f"another process has joined group {group} as {member} and replaced this one: a run is one learner; "
        "stop one of the two, or give each a group of its own"
    )


def telex_error(  # noqa: PLR0911, PLR0912 - one for each
    error: BaseException,
    brokers: Brokers,
    group: str = "",
    member: str = "",
    *,
    transactional_id: str = "",
    resume: str = ", then resume from the last checkpoint",
) -> TelexError:
    """Return the error of Telex for ``error``, in the words of the user's settings.

    ``transactional_id`` is that of the producer that failed. ``resume`` ends the sentence where only the broker's log
    knows more; callers that add their own advice leave it empty.
    """
    text = brokers.without_secrets(" ".join(str(error).split())[:300])
    match error:
        case TelexError():
            return error
        case kafka.FencedInstanceIdError():
            return fenced(group, member)
        case _ if isinstance(error, REFUSALS):
            return refused(brokers, error)
        case kafka.TopicAuthorizationFailedError():
            topics = ", ".join(sorted(map(str, error.args[0]))) if error.args else "a topic"
            return UsageError(f"this user may not read {topics}; allow it, or connect as another user")
        case kafka.GroupAuthorizationFailedError():
            return UsageError(f"this user may not join group {group}; allow it, or name another group")
        case kafka.TransactionalIdAuthorizationFailedError():
            return UsageError(
                f"this user may not use the transactional id {transactional_id}; allow Write on it, or leave out "
                "--exactly-once"
            )
        case _ if "ClusterAuthorizationFailed" in text and "InitProducerId" in text:
            return UsageError("this user may not write to any topic; allow Write on those that are written to")
        case kafka.AuthorizationError():
            return UsageError(f"this user may not do that ({text}); allow it, or connect as another user")
        case kafka.UnsupportedCodecError():
            return UsageError(f"records are compressed in a way that needs a package ({text}); pip install "
                              "'telex[kafka-codecs]'")  # fmt: skip
        case kafka.CorruptRecordError():
            return StoppedError(f"a record is damaged ({text}); begin behind it, or repair the broker's log")
        case kafka.KafkaConfigurationError() | kafka.InvalidSessionTimeoutError() | kafka.InvalidGroupIdError():
            return UsageError(f"Kafka does not accept these settings: {text}; change them")
        case kafka.InconsistentGroupProtocolError():
            return UsageError(f"group {group} has members that are not Telex learners; name another group")
        case kafka.CoordinatorNotAvailableError():
            return StoppedError(
                f"the coordinator of group {group} is away, or has not ended a transaction yet ({text}); wait a "
                f"minute{resume}"
            )
        case kafka.KafkaTimeoutError():
            return StoppedError(f"{brokers} did not answer in time ({text}); is it running, and is this its port?")
    return StoppedError(f"Kafka says {text}; look at the broker's log{resume}")

"""What a section of the configuration makes of a connection, and what errors say.

The errors are those of `failures`. `topics` is tested in produce/test_results_sink.py, and `fake` in consume/ by the
wires that read from it.
"""

from __future__ import annotations

import pytest
from kafka import errors as kafka

from telex.adapters.kafka import brokers as connection
from telex.adapters.kafka import client_settings
from telex.adapters.kafka.brokers import Brokers, check_checksums
from telex.adapters.kafka.client_settings import check_codec
from telex.adapters.kafka.failures import telex_error, unknown_topic, unreachable
from telex.adapters.kafka.fetch import FetchSettings
from telex.adapters.kafka.produce.producer_options import producer_options
from telex.adapters.kafka.topics import TopicLimits, absent_topic
from telex.learners.base import StoppedError, UsageError

LIMITS = [TopicLimits("wire")]


class Tokens:
    """What another package may have."""


def test_addresses_are_read_with_commas_or_as_a_list():
    assert Brokers.of(" one:1 ,two:2,").addresses == ("one:1", "two:2")
    assert Brokers.of(["one:1"], attempt=3.0).clients == {"bootstrap_servers": ["one:1"], "bootstrap_timeout_ms": 3000}
    assert str(Brokers.of("one:1,two:2")) == "one:1, two:2"


@pytest.mark.parametrize(("addresses", "why"), [(" , ", "no broker is named"), ("one:x", "'one:x' is not the address")])
def test_what_is_no_address_is_refused(addresses, why):
    with pytest.raises(UsageError, match=why):
        Brokers.of(addresses)


def test_secrets_come_from_files_and_the_environment_and_are_never_shown(tmp_path, monkeypatch):
    (tmp_path / "password").write_text("from file\n")
    monkeypatch.setenv("KEY_PASSWORD", "from env")
    section = {"sasl_plain_password": {"file": str(tmp_path / "password")}, "ssl_password": {"env": "KEY_PASSWORD"}}
    brokers = Brokers.of("one:1", section)
    assert brokers.clients["sasl_plain_password"] == "from file"
    assert brokers.clients["ssl_password"] == "from env"
    assert "from" not in repr(brokers) + str(brokers)
    assert brokers.without_secrets("(from file) (from env)") == "(***) (***)"
    assert "from file" not in str(unreachable(brokers, 3.0, "b'me\0from file'"))
    assert "from file" not in str(telex_error(kafka.KafkaError("from file"), brokers))


@pytest.mark.parametrize(
    ("section", "why"),
    [
        ({"sasl_plain_password": "secret"}, r"sasl_plain_password is a secret: give \{env"),
        ({"sasl_plain_password": {"env": "NAME", "file": "x"}}, "is a secret"),
        ({"sasl_plain_password": {"env": "NOBODY_SET_THIS"}}, "NOBODY_SET_THIS is not set"),
        ({"sasl_plain_password": {"file": "/proc/nowhere/at/all"}}, "No such file"),
        ({"ssl_cafile": "/proc/nowhere/at/all"}, "there is no file /proc/nowhere/at/all"),
        ({"group_id": "x"}, "group_id is not a setting of a connection"),
    ],
)
def test_wrong_settings_are_refused(section, why):
    with pytest.raises(UsageError, match=why) as caught:
        Brokers.of("one:1", section)
    assert "'secret'" not in str(caught.value)


def test_a_secret_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "password").write_bytes(b"\xff")
    with pytest.raises(UsageError, match="it is not text"):
        Brokers.of("one:1", {"sasl_plain_password": {"file": str(tmp_path / "password")}})


def test_all_settings_of_security_that_the_client_has_are_passed():
    from kafka import KafkaConsumer, KafkaProducer  # noqa: PLC0415 - the conftest imports it first

    have = KafkaConsumer.DEFAULT_CONFIG.keys() & KafkaProducer.DEFAULT_CONFIG.keys()
    ours = {name for name in have if name.startswith(("sasl_", "ssl_", "security_"))}
    assert ours - connection.PASSED == {"ssl_context"}  # an object of Python's, which no file can hold
    assert have >= connection.PASSED
    assert Brokers.of("one:1", {"api_version": [3, 9]}).clients["api_version"] == (3, 9)


def test_a_token_provider_is_made_where_it_is_used():
    brokers = Brokers.of("one:1", {"sasl_oauth_token_provider": f"{__name__}:Tokens"})
    assert brokers.options["sasl_oauth_token_provider"] == f"{__name__}:Tokens"
    for wrong in ("no.such.module:Tokens", "json:Tokens", ":x"):
        with pytest.raises(UsageError, match=r"give package\.module:Class"):
            Brokers.of("one:1", {"sasl_oauth_token_provider": wrong}).clients  # noqa: B018 - it is made there


def test_what_is_not_installed_is_named(monkeypatch):
    check_checksums()
    monkeypatch.setattr(connection, "find_spec", lambda _: None)
    monkeypatch.setattr(client_settings, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="pip install crc32c"):
        check_checksums()
    with pytest.raises(UsageError, match=r"topic wire are compressed with snappy; pip install 'telex\[kafka-codecs\]'"):
        check_codec("wire", "snappy")
    with pytest.raises(UsageError, match="compression with lz4 needs another library: pip install"):
        Brokers.of("one:1", compression="lz4")
    check_codec("wire", "gzip")


def test_settings_of_producers_and_consumers_reach_only_these():
    section = {"acks": -1, "linger_ms": 5, "compression_type": "gzip", "session_timeout_ms": 6000, "client_id": "x",
               "fetch_max_bytes": 1 << 20}  # fmt: skip
    brokers = Brokers.of("one:1", section)
    common = brokers.clients
    assert (common["client_id"], "acks" in common, "session_timeout_ms" in common) == ("x", False, False)
    assert brokers.producers == {**common, "acks": "all", "linger_ms": 5, "compression_type": "gzip"}
    assert brokers.consumers == {**common, "session_timeout_ms": 6000, "fetch_max_bytes": 1 << 20}
    assert Brokers.of("one:1", section, compression="none").producers["compression_type"] is None
    assert producer_options(brokers, LIMITS)["enable_idempotence"]
    weak = Brokers.of("one:1", {"acks": 1})
    assert producer_options(weak, LIMITS, exact=False)["enable_idempotence"] is False
    with pytest.raises(UsageError, match="acks=1 cannot hold where each message is to be there once"):
        producer_options(weak, LIMITS)


@pytest.mark.parametrize(
    ("section", "why"),
    [
        ({"acks": 0}, "acks=0: give all, or 1"),
        ({"acks": True}, "acks=True: give all, or 1"),
        ({"compression_type": "rar"}, "compressed with one of none, gzip, lz4, snappy, zstd"),
        ({"linger_ms": "5"}, "linger_ms='5' is no whole number"),
        ({"fetch_min_bytes": -1}, "fetch_min_bytes=-1 is no whole number"),
        ({"max_poll_records": 5}, "max_poll_records is not a setting"),
    ],
)
def test_settings_that_cannot_hold_are_refused(section, why):
    with pytest.raises(UsageError, match=why):
        Brokers.of("one:1", section)


def test_they_are_settings_of_the_client():
    from kafka import KafkaConsumer, KafkaProducer  # noqa: PLC0415 - the conftest imports it first

    assert KafkaProducer.DEFAULT_CONFIG.keys() >= client_settings.OF_PRODUCERS
    assert KafkaConsumer.DEFAULT_CONFIG.keys() >= client_settings.OF_CONSUMERS


@pytest.mark.parametrize(
    ("error", "kind", "why"),
    [
        (kafka.FencedInstanceIdError(), StoppedError, "another process has joined group g as m"),
        (kafka.SaslAuthenticationFailedError("no"), UsageError, "refused the connection"),
        (kafka.TopicAuthorizationFailedError({"wire"}), UsageError, "may not read wire"),
        (kafka.GroupAuthorizationFailedError("g"), UsageError, "may not join group g"),
        (kafka.ClusterAuthorizationFailedError(), UsageError, "may not do that"),
        (kafka.TransactionalIdAuthorizationFailedError(), UsageError, "may not use the transactional id g-m; allow"),
        (
            kafka.KafkaError("Unexpected error in InitProducerIdResponse: [Error 31] ClusterAuthorizationFailedError"),
            UsageError,
            "may not write to any topic",
        ),
        (kafka.UnsupportedCodecError("lz4"), UsageError, "pip install .telex.kafka-codecs"),
        (kafka.CorruptRecordError("at 3"), StoppedError, "a record is damaged"),
        (kafka.InvalidSessionTimeoutError(), UsageError, "does not accept these settings"),
        (kafka.InconsistentGroupProtocolError(), UsageError, "not Telex learners"),
        (kafka.CoordinatorNotAvailableError("30 s"), StoppedError, "coordinator of group g is away, .*30 s"),
        (kafka.KafkaTimeoutError("30 s"), StoppedError, "did not answer in time"),
        (ValueError("two\nlines"), StoppedError, "Kafka says two lines; look at the broker's log"),
        (UsageError("as it is"), UsageError, "^as it is$"),
    ],
)
def test_errors_become_one_sentence_with_what_to_try(error, kind, why):
    with pytest.raises(kind, match=why) as caught:
        raise telex_error(error, Brokers.of("one:1"), "g", "m", transactional_id="g-m")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (
            kafka.TopicAuthorizationFailedError.errno,
            "this user may not see topic wire, .*; allow Describe",
        ),
        (kafka.UnknownTopicOrPartitionError.errno, "the broker has no topic wire; .*; do this"),
    ],
)
def test_a_topic_that_is_not_listed_may_be_one_that_is_not_to_be_seen(code, why):
    class Admin:
        def describe_topics(self, topics):
            return [{"error_code": code, "name": topic} for topic in topics]

    with pytest.raises(UsageError, match=why):
        raise absent_topic(Admin(), "wire", ["other"], "; do this")


def test_a_topic_that_is_meant_is_named():
    assert "; there is newswire;" in str(unknown_topic("newswires", ["newswire", "other"]))
    assert "there is" not in str(unknown_topic("wire", []))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"topics": ()}, "no topic is named"),
        ({"start": "first"}, "'first' is not a place to begin at"),
        ({"start": -1}, "before 1970"),
        ({"on_gap": "stop"}, "'stop' is not a way to handle a gap"),
    ],
)
def test_what_cannot_be_wanted_is_refused(given, why):
    with pytest.raises(UsageError, match=why):
        FetchSettings(**{"topics": ("wire",), "group": "g", "member": "m", **given})

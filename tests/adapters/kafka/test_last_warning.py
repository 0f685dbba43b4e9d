"""Why a connection failed: what the client logs, and a broker's last words before it closes the connection."""

import logging
import socket
from contextlib import contextmanager
from threading import Thread
from types import SimpleNamespace

import pytest
from kafka import errors as kafka
from kafka.net.transport import KafkaTCPTransport

from telex.adapters.kafka.brokers import Brokers
from telex.adapters.kafka.failures import no_connection
from telex.adapters.kafka.fetch import FetchSettings
from telex.adapters.kafka.fetch.client import connect_consumer
from telex.adapters.kafka.last_warning import LastWarning
from telex.learners.base import StoppedError, UsageError


@pytest.fixture
def warning():
    logger = logging.getLogger("kafka")
    before = logger.handlers[:], logger.propagate
    yield LastWarning()
    logger.handlers[:], logger.propagate = before


def log(error):
    logging.getLogger("kafka").warning("Bootstrap connection to %s failed: %s (backoff %.2f secs)", "b", error, 0.1)


def test_the_last_reason_of_the_client_is_stored(warning):
    log("refused")
    logging.getLogger("kafka").error("something else %s", 1)
    assert (warning.text, warning.error) == ("Bootstrap connection to b failed: refused", None)
    log(kafka.KafkaConnectionError("gone"))
    assert (str(warning.error), warning.refusal) == ("KafkaConnectionError: gone", None)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        (kafka.SaslAuthenticationFailedError("wrong"), "check the user, the password and sasl_mechanism"),
        (kafka.UnsupportedSaslMechanismError(), "check the user, the password and sasl_mechanism"),
        (kafka.IllegalSaslStateError(), "this port asks for no user"),
    ],
)
def test_only_a_brokers_own_word_is_a_wrong_setting(warning, said, advice):
    brokers = Brokers(("one:1",), {"security_protocol": "SASL_PLAINTEXT"})
    log(kafka.KafkaConnectionError("socket disconnected"))
    with pytest.raises(StoppedError, match="takes connections and closes them"):
        raise no_connection(brokers, 3.0, warning)
    log(said)
    log(kafka.KafkaConnectionError("socket disconnected"))
    with pytest.raises(UsageError, match=f"one:1 refused the connection .*{advice}"):
        raise no_connection(brokers, 3.0, warning)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "is it running, and is this its port"),
        ("111 ECONNREFUSED", "is it running, and is this its port"),
        ("Handshake failed: [SSL: UNEXPECTED_EOF_WHILE_READING]", "does not speak TLS.* is SASL_SSL"),
        ("Handshake failed: [SSL: CERTIFICATE_VERIFY_FAILED] self-signed", "name its authority in ssl_cafile"),
        ("InvalidReceiveError: Invalid frame length: 352518912", "seems to speak TLS.* is SASL_SSL"),
        ("InvalidReceiveError: Invalid frame length: 1213486160", "is this its port"),  # HTTP
    ],
)
def test_what_to_try_goes_by_the_reason(warning, text, advice):
    log(text)
    with pytest.raises(StoppedError, match=f"no broker at one:1 has answered for 3 s .*{advice}"):
        raise no_connection(Brokers(("one:1",), {"security_protocol": "SASL_SSL"}), 3.0, warning)


@pytest.mark.usefixtures("warning")
def test_what_was_said_before_the_end_is_heard():
    near, far = socket.socketpair()
    near.setblocking(False)
    with near, far:
        far.sendall(b"no")
        far.close()
        transport = SimpleNamespace(_sock=near)
        assert KafkaTCPTransport._sock_recv(transport) == (b"no", None)
        data, error = KafkaTCPTransport._sock_recv(transport)
        assert (data, str(error)) == (b"", "KafkaConnectionError: socket disconnected")


@contextmanager
def closing_port():
    """A port that takes connections and closes them, as a proxy does that has no broker."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def close():
            try:
                while True:
                    server.accept()[0].close()
            except OSError:
                return

        thread = Thread(target=close)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.mark.parametrize("protocol", ["PLAINTEXT", "SASL_PLAINTEXT"])
def test_a_port_that_takes_and_closes_may_have_a_broker_later(warning, monkeypatch, protocol):
    monkeypatch.setenv("WIRE_PASSWORD", "hush")
    section = {"security_protocol": protocol, "sasl_mechanism": "PLAIN", "sasl_plain_username": "me"}
    section["sasl_plain_password"] = {"env": "WIRE_PASSWORD"}
    with closing_port() as address:
        settings = FetchSettings(("t",), "g", "m", connecting=0.3)
        with pytest.raises(StoppedError, match=f"no broker at {address} has answered") as caught:
            connect_consumer(Brokers.of(address, section), settings, warning)
    assert "hush" not in str(caught.value)

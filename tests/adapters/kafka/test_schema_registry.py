"""Schemas asked of a registry that is served here, by its HTTP API."""

import ssl
import subprocess
from http import HTTPStatus

import pytest
from topics.registry import FakeRegistry

from telex.adapters.kafka.schema_registry import AUTH, SchemaRegistry
from telex.learners.base import BrokenRecordError, StoppedError, UsageError


@pytest.fixture
def registry():
    with FakeRegistry().served() as one:
        yield one


def test_a_schema_and_all_that_it_refers_to(registry):
    registry.add(7, "main", "PROTOBUF", [("a.proto", "a/b"), ("c.proto", "c")])
    registry.add_subject("a/b", "text a", "PROTOBUF", [("c.proto", "c")])
    registry.add_subject("c", "text c", "PROTOBUF")
    found = SchemaRegistry(registry.url + "/").schema(7)
    assert (found.kind, found.text) == ("PROTOBUF", "main")
    assert list(found.references.items()) == [("c.proto", "text c"), ("a.proto", "text a")]
    assert registry.asked == ["/schemas/ids/7", "/subjects/a%2Fb/versions/1", "/subjects/c/versions/1"]


def test_what_the_registry_does_not_have(registry):
    with pytest.raises(BrokenRecordError, match="the schema registry has no schema 8"):
        SchemaRegistry(registry.url).schema(8)
    registry.add(9, "{}", "JSON", [("x.json", "x")])
    with pytest.raises(BrokenRecordError, match="no version 1 of x"):
        SchemaRegistry(registry.url).schema(9)


def test_a_password_comes_from_the_environment(monkeypatch):
    registry = FakeRegistry(auth="telex:s:cret")
    registry.add(1, "{}")
    with registry.served():
        monkeypatch.delenv(AUTH, raising=False)
        with pytest.raises(UsageError, match=r"refuses .401 Unauthorized.; set TELEX_REGISTRY_AUTH=user:password"):
            SchemaRegistry(registry.url).schema(1)
        monkeypatch.setenv(AUTH, "telex:s:cret")
        assert SchemaRegistry(registry.url).schema(1).kind == "AVRO"


def test_a_certificate_comes_from_the_environment(monkeypatch, tmp_path):
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    try:
        subprocess.run(made, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl, which makes the certificate, is not installed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    registry = FakeRegistry()
    registry.add(1, "{}")
    with registry.served(context):
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        with pytest.raises(StoppedError, match="certificate verify failed"):
            SchemaRegistry(registry.url, 0.0).schema(1)
        monkeypatch.setenv("SSL_CERT_FILE", str(cert))
        assert SchemaRegistry(registry.url, 0.0).schema(1).text == "{}"


def test_a_registry_that_does_not_answer_ends_the_run_after_a_while(registry, monkeypatch):
    registry.add(1, "{}")
    registry.failures = [HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS]
    monkeypatch.setattr("telex.adapters.kafka.schema_registry._PAUSE", 0.01)
    assert SchemaRegistry(registry.url).schema(1).text == "{}"
    registry.failures = [HTTPStatus.BAD_GATEWAY]
    with pytest.raises(StoppedError, match=r"does not answer .*Bad Gateway.*; is it running"):
        SchemaRegistry(registry.url, 0.0).schema(1)
    with pytest.raises(StoppedError, match="refused"):
        SchemaRegistry("http://127.0.0.1:1", 0.0).schema(1)


def test_something_else_at_the_address(registry):
    registry.failures = [HTTPStatus.FOUND]
    with pytest.raises(UsageError, match=r"refuses .302 Found.; check the address"):
        SchemaRegistry(registry.url).schema(1)
    registry.schemas[1] = {"detail": "hello"}
    with pytest.raises(UsageError, match="is no schema registry"):
        SchemaRegistry(registry.url).schema(1)


@pytest.mark.parametrize("url", ["ftp://x", "registry:8081", "http://", "http://a b", "https://\u00e9"])
def test_no_address(url):
    with pytest.raises(UsageError, match="is not the address of a schema registry"):
        SchemaRegistry(url)


def test_a_password_in_the_address_is_refused():
    with pytest.raises(UsageError, match="set TELEX_REGISTRY_AUTH=user:password instead") as raised:
        SchemaRegistry("https://telex:secret@127.0.0.1")
    assert "secret" not in str(raised.value)

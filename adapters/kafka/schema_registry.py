"""The schemas of a schema registry, over its HTTP API."""

from __future__ import annotations

import base64
import http.client
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple

import msgspec

from telex.learners.base import BrokenRecordError, StoppedError, UsageError

AUTH = "TELEX_REGISTRY_AUTH"
"""The environment variable with the name and the password, as in ``user:password``."""
_SILENCE, _PATIENCE, _PAUSE = 10.0, 30.0, 1.0
"""Seconds: for an answer, until a registry that does not answer ends the run, and between two requests."""
_LARGEST = 16 << 20
_UNKNOWN, _BUSY = 404, 429


class Schema(NamedTuple):
    """A schema: its kind (``AVRO``, ``JSON`` or ``PROTOBUF``), its text, and the texts that it refers to, by name.

    Each of ``references`` comes after those that it refers to itself.
    """

    kind: str
    text: str
    references: dict[str, str]


class _Reference(msgspec.Struct):
    name: str
    subject: str
    version: int


class _Answer(msgspec.Struct, rename="camel"):
    schema: str
    schema_type: str = "AVRO"
    references: list[_Reference] = []


class SchemaRegistry:
    """Asks the registry at ``url`` for schemas; :class:`.RegisteredValues` keeps what they are made into.

    The variable TELEX_REGISTRY_AUTH has the name and the password, where they are needed, and SSL_CERT_FILE the
    certificates to trust beside those of the system. A registry that does not answer is asked again for ``patience``
    seconds; then a :class:`.StoppedError` ends the run, so that no record becomes a dead letter for that.
    """

    def __init__(self, url: str, patience: float = _PATIENCE) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or not url.isascii() or " " in url:
            raise UsageError(
                f"--registry {url} is not the address of a schema registry; give one such as https://HOST:8081"
            )
        if parts.username is not None or parts.password is not None:
            raise UsageError(
                f"--registry holds a name or password, which run.json would show; set {AUTH}=user:password instead"
            )
        self.url, self._patience = url.rstrip("/"), patience
        auth = os.environ.get(AUTH)
        self._headers = {"Accept": "application/vnd.schemaregistry.v1+json, application/json"}
        if auth:
            self._headers["Authorization"] = f"Basic {base64.b64encode(auth.encode()).decode()}"
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),  # without redirects, which would take the password elsewhere
        ):
            self._opener.add_handler(handler)

    def schema(self, number: int) -> Schema:
        """Return a schema by its id; one that the registry does not have raises a BrokenRecordError."""
        answer = self._get(f"/schemas/ids/{number}")
        if answer is None:
            raise BrokenRecordError(f"the schema registry has no schema {number}")
        found: dict[str, str] = {}
        self._refer(answer, found)
        return Schema(answer.schema_type, answer.schema, found)

    def _refer(self, answer: _Answer, found: dict[str, str]) -> None:
        for one in answer.references:
            if one.name not in found:
                subject = urllib.parse.quote(one.subject, safe="")
                other = self._get(f"/subjects/{subject}/versions/{one.version}")
                if other is None:
                    raise BrokenRecordError(f"the schema registry has no version {one.version} of {one.subject}")
                self._refer(other, found)
                found[one.name] = other.schema

    def _get(self, path: str) -> _Answer | None:
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return self._asked(path)
            except (OSError, http.client.HTTPException) as error:
                if time.monotonic() + _PAUSE > deadline:
                    reason = (error.reason if isinstance(error, urllib.error.URLError) else None) or error
                    raise StoppedError(
                        f"the schema registry at {self.url} does not answer ({reason}); is it running, and is this its "
                        "address?"
                    ) from error
            time.sleep(_PAUSE)

    def _asked(self, path: str) -> _Answer | None:
        request = urllib.request.Request(self.url + path, headers=self._headers)
        try:
            with self._opener.open(request, timeout=_SILENCE) as response:
                body = response.read(_LARGEST + 1)
        except urllib.error.HTTPError as error:
            with error:
                if error.code == _UNKNOWN:
                    return None
                if error.code // 100 == 5 or error.code == _BUSY:
                    raise
                remedy = f"set {AUTH}=user:password" if error.code in {401, 403} else "check the address in --registry"
                raise UsageError(
                    f"the schema registry at {self.url} refuses ({error.code} {error.reason}); {remedy}"
                ) from error
        try:
            return msgspec.json.decode(body, type=_Answer)
        except msgspec.MsgspecError as error:
            raise UsageError(
                f"what is at {self.url} is no schema registry ({error}); check the address in --registry"
            ) from error

"""How to reach a broker: addresses, security, and the packages that must be installed."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.kafka.client_settings import OF_CONSUMERS, OF_PRODUCERS, checked
from telex.learners.base import UsageError, check_plain_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SECRETS = frozenset({"sasl_plain_password", "ssl_password"})
"""Settings that are never printed, and never given in plain text."""
PASSED = SECRETS | {
    "security_protocol",
    "ssl_check_hostname",
    "ssl_cafile",
    "ssl_certfile",
    "ssl_keyfile",
    "ssl_crlfile",
    "ssl_ciphers",
    "sasl_mechanism",
    "sasl_plain_username",
    "sasl_kerberos_name",
    "sasl_kerberos_service_name",
    "sasl_kerberos_domain_name",
    "sasl_oauth_token_provider",
    "proxy_url",
    "client_id",
    "client_dns_lookup",
    "api_version",
    "request_timeout_ms",
    "connections_max_idle_ms",
    "reconnect_backoff_ms",
    "reconnect_backoff_max_ms",
    "retry_backoff_ms",
    "metadata_max_age_ms",
    "receive_buffer_bytes",
    "send_buffer_bytes",
}
"""What a section may set of all clients: options that kafka-python's consumers, producers and admin clients take."""
_HIDDEN = "***"


@dataclass(frozen=True)
class Brokers:
    """The addresses of a cluster, and the options for connecting to it.

    ``addresses`` are ``host:port``; ``options`` are those of kafka-python, and ``attempt`` is for how many seconds a
    client tries to connect. A password is given as ``{"env": NAME}`` or
    ``{"file": PATH}``, and read when :meth:`of` makes the object; a token provider is given as
    ``package.module:Class``.

    >>> import os
    >>> os.environ["WIRE_PASSWORD"] = "secret"
    >>> section = {"sasl_mechanism": "PLAIN", "sasl_plain_password": {"env": "WIRE_PASSWORD"}}
    >>> brokers = Brokers.of("one:9092,two:9092", section)
    >>> brokers
    Brokers(addresses=('one:9092', 'two:9092'))
    >>> brokers.options["sasl_plain_password"], brokers.without_secrets("they say secret is wrong")
    ('secret', 'they say *** is wrong')
    """

    addresses: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    attempt: float = field(default=30.0, repr=False)

    @classmethod
    def of(
        cls,
        addresses: str | Iterable[str],
        section: Mapping[str, Any] | None = None,
        attempt: float = 30.0,
        compression: str | None = None,
    ) -> Brokers:
        """Read a section of the configuration, and the secrets from their files or variables.

        ``compression`` is that of the records that are written, in the place of ``compression_type``.
        """
        given = addresses.split(",") if isinstance(addresses, str) else list(addresses)
        stripped = tuple(one.strip() for one in given if one.strip())
        if not stripped:
            raise UsageError("no broker is named; give host:port, several with a comma between them")
        for one in stripped:
            _, _, port = one.rpartition(":")
            if ":" in one and not port.isdecimal():
                raise UsageError(f"{one!r} is not the address of a broker; give host:port")
        whole = {**(section or {}), **({"compression_type": compression} if compression else {})}
        return cls(stripped, {name: _read(name, value) for name, value in whole.items()}, attempt)

    @property
    def clients(self) -> dict[str, Any]:
        """Return the options of any client of kafka-python."""
        return self._with(frozenset())

    @property
    def consumers(self) -> dict[str, Any]:
        """Return the options of a consumer."""
        return self._with(OF_CONSUMERS)

    @property
    def producers(self) -> dict[str, Any]:
        """Return the options of a producer."""
        return self._with(OF_PRODUCERS)

    def _with(self, more: frozenset[str]) -> dict[str, Any]:
        connecting = {"bootstrap_servers": list(self.addresses), "bootstrap_timeout_ms": int(1000 * self.attempt)}
        given = {name: value for name, value in self.options.items() if name in PASSED | more}
        options = {**connecting, **given}
        if isinstance(provider := options.get("sasl_oauth_token_provider"), str):
            options["sasl_oauth_token_provider"] = _provider(provider)
        return options

    def __str__(self) -> str:
        return ", ".join(self.addresses)

    def without_secrets(self, text: str) -> str:
        """Return the text with all secrets replaced."""
        for name in SECRETS:
            if secret := self.options.get(name):
                text = text.replace(secret, _HIDDEN)
        return text


def check_checksums() -> None:
    """Raise an error if the package that checks checksums at full speed is missing."""
    if find_spec("crc32c") is None:
        raise UsageError(
            "the package crc32c is not installed, and without it each record is checked a hundred times more slowly; "
            "pip install crc32c"
        )


def _read(name: str, value: Any) -> Any:
    if name in OF_PRODUCERS | OF_CONSUMERS:
        return checked(name, value)
    if name not in PASSED:
        known = ", ".join(sorted(PASSED | OF_PRODUCERS | OF_CONSUMERS))
        raise UsageError(f"{name} is not a setting of a connection to Kafka; they are {known}")
    if name == "api_version":
        return tuple(value)
    if name.startswith("ssl_") and name.endswith("file") and not Path(value).is_file():
        raise UsageError(f"{name}: there is no file {value}; check the path")
    if name not in SECRETS:
        return value
    match value:
        case {"env": str(variable), **rest} if not rest:
            if variable not in os.environ:
                raise UsageError(f"{name} is to be read from the environment, but {variable} is not set; set it")
            return os.environ[variable]
        case {"file": str(path), **rest} if not rest:
            check_plain_file(path)
            try:
                return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
            except (OSError, UnicodeDecodeError) as error:
                why = error.strerror if isinstance(error, OSError) else "it is not text"
                raise UsageError(
                    f"{name} is to be read from {path}, but that fails: {why}; name a text file with it"
                ) from error
    raise UsageError(f'{name} is a secret: give {{env = "NAME"}} or {{file = "PATH"}}, never the secret itself')


def _provider(spec: str) -> Any:
    module, _, name = spec.partition(":")
    try:
        return getattr(importlib.import_module(module), name)()
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"sasl_oauth_token_provider={spec}: {error}; give package.module:Class") from error

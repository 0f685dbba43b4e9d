"""What clients may take of a server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The most connections, bytes and seconds.

    Beyond ``connections`` in all, ``address_connections`` of one address or ``held_bytes`` of bodies and answers, the
    oldest connection that waits for its client ends. So many ``probes`` of free routes, such as ``/healthz``, come on
    top of them. A path makes one page at a time; ``waiting`` further requests may wait for it. A connection has
    ``head_seconds`` from its beginning to the end of its head, TLS included.
    """

    connections: int = 128
    address_connections: int = 64
    probes: int = 16
    held_bytes: int = 64_000_000
    head_bytes: int = 16_384
    headers: int = 100
    waiting: int = 8
    head_seconds: float = 2.0
    body_seconds: float = 10.0
    page_seconds: float = 30.0
    answer_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class PredictLimits:
    """The most bytes and documents of a request for predictions, and the most seconds that it may take."""

    bytes: int = 1_000_000
    documents: int = 1000
    seconds: float = 10.0

"""The headers of messages: what says which run and model made them, and what is carried from the documents' records."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import msgspec

from telex.learners.base import UsageError
from telex.stream.run_folder import versions

if TYPE_CHECKING:
    from collections.abc import Iterable

Header = tuple[str, bytes]
PackedHeaders = tuple[bytes, int, int]
"""Headers as a message has them, one behind the other; their number; the bytes of their names and values."""

TRACE = ("traceparent", "tracestate")
"""The headers of W3C's Trace Context, by which a prediction belongs to the trace of its document."""

_encode = msgspec.msgpack.Encoder().encode


def carried_names(named: str | None) -> frozenset[str]:
    """Return the names of the headers to carry: those of traces, and those that are ``named``, with commas between.

    >>> sorted(carried_names("desk, priority"))
    ['desk', 'priority', 'traceparent', 'tracestate']
    """
    names = [] if named is None else [name.strip() for name in named.split(",")]
    if not all(names):
        raise UsageError(f"--headers {named} has an empty name; give names with commas between, as in desk,priority")
    return frozenset((*TRACE, *names))


def packed_headers(headers: Iterable[Header]) -> PackedHeaders:
    """Pack headers for messages that are written natively."""
    some = list(headers)
    return b"".join(map(_encode, some)), len(some), sum(len(name.encode()) + len(value) for name, value in some)


class RunStamp:
    """Says which model made a message: the ``run``, its newest ``checkpoint``, and the version of Telex.

    The model is that of the checkpoint, and what the run has learnt since, as far as the ``position`` of a prediction.

    >>> stamp = RunStamp("5f3a")
    >>> stamp.checkpoint = 7
    >>> stamp.headers()[:2]
    [('telex.run', b'5f3a'), ('telex.checkpoint', b'7')]
    """

    def __init__(self, run: str | None = None, checkpoint: int | None = None) -> None:
        self.run, self.checkpoint = run or secrets.token_hex(8), checkpoint
        self._version = versions()["telex"] or ""

    def headers(self) -> list[Header]:
        """Return the headers; a run without checkpoints has none of one."""
        checkpoint = [] if self.checkpoint is None else [("telex.checkpoint", str(self.checkpoint))]
        named = [("telex.run", self.run), *checkpoint, ("telex.version", self._version)]
        return [(name, text.encode()) for name, text in named]

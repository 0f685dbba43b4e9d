"""What the section [kafka] may set of producers and of consumers alone, and the codecs of records."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from telex.learners.base import UsageError

OF_PRODUCERS = frozenset({"acks", "batch_size", "compression_type", "linger_ms"})
OF_CONSUMERS = frozenset(
    {
        "fetch_max_bytes",
        "fetch_max_wait_ms",
        "fetch_min_bytes",
        "heartbeat_interval_ms",
        "max_partition_fetch_bytes",
        "session_timeout_ms",
    }
)
CODECS = {"none": None, "gzip": None, "lz4": "lz4", "snappy": "snappy", "zstd": "zstandard"}
"""The compressions of records, and the modules that they need."""
_EXTRA = "pip install 'telex[kafka-codecs]'"


def check_codec(topic: str, compression: str) -> None:
    """Raise an error if the records of a topic could not be decompressed.

    >>> check_codec("wire", "producer")
    """
    if _lacks(compression):
        raise UsageError(f"the records of topic {topic} are compressed with {compression}; {_EXTRA}")


def checked(name: str, value: Any) -> Any:
    """Return a setting of a producer or consumer; one that could not hold raises a UsageError.

    >>> checked("acks", -1), checked("compression_type", "none"), checked("linger_ms", 5)
    ('all', None, 5)
    """
    if name == "acks":
        if value not in {"all", -1, 1} or value is True:
            raise UsageError(
                f"acks={value}: give all, or 1; a checkpoint counts on results that a broker has acknowledged"
            )
        return "all" if value == -1 else value
    if name == "compression_type":
        if value not in CODECS:
            raise UsageError(f"compression_type={value}: records are compressed with one of {', '.join(CODECS)}")
        if _lacks(value):
            raise UsageError(f"compression with {value} needs another library: {_EXTRA}")
        return None if value == "none" else value
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UsageError(f"{name}={value!r} is no whole number from 0 on")
    return value


def _lacks(compression: str) -> bool:
    module = CODECS.get(compression)
    return module is not None and find_spec(module) is None

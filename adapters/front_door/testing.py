"""Helpers for tests of Telex and of packages that extend it: ``from telex.testing import ListArchive``.

ListArchive
    A source made of a list of stories, answers and dead letters.
RecordingSink
    A sink that records every call of a run.
FakeFetcher, poll_result
    A script in the place of a Kafka broker, and the poll results that it is made of.
crash_at
    A context in which the n-th write, fsync or rename fails, or kills the process.
"""

from telex.adapters.kafka import FakeFetcher, poll_result
from telex.stream.testing import ListArchive, RecordingSink, crash_at

__all__ = ["FakeFetcher", "ListArchive", "RecordingSink", "crash_at", "poll_result"]

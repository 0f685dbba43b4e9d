"""Fixtures that many tests share: streams that a seed determines, and the real collections."""

from __future__ import annotations

import gzip
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings
from oracles import streams

settings.register_profile("telex", deadline=None, derandomize=True, database=None, max_examples=20)
settings.load_profile("telex")
# A shell has what it runs in the background ignore Ctrl-C, and commands started by tests would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers(config):
    """Let half as many workers again as processors run: many tests wait for a broker or a browser."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else (os.cpu_count() or 1) * 3 // 2


def data_folder():
    """The folder of real collections, None where there is none."""
    named = os.environ.get("TELEX_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def data():
    """The folder of real collections."""
    folder = data_folder()
    if folder is None:
        pytest.skip("no real data: set TELEX_DATA to the folder of collections, or put it at ../shared/data")
    return folder


@pytest.fixture(scope="session")
def rcv1(data):
    """All documents of data/rcv1 in order of id: ({term id: weight}, topics) pairs."""
    return read_rcv1(data)


def read_rcv1(data):
    """The documents of the vectors and topics in a folder of collections."""
    topics: dict[int, list[str]] = {}
    with gzip.open(data / "rcv1" / "rcv1-v2.topics.qrels.gz", "rt") as lines:
        for line in lines:
            topic, document, _ = line.split()
            topics.setdefault(int(document), []).append(topic)
    documents = {}
    with gzip.open(data / "rcv1" / "lyrl2004_vectors.dat.gz", "rt") as lines:
        for line in lines:
            document, *terms = line.split()
            documents[int(document)] = {int(t): float(w) for t, w in (term.split(":") for term in terms)}
    return [(documents[i], topics.get(i)) for i in sorted(documents)]


@pytest.fixture(scope="session")
def zipf():
    """A stream of 300 short sparse documents with 12 labels."""
    return streams.zipf(1)


@pytest.fixture(scope="session")
def exact():
    """The same in small multiples of 1/4: every sum is exact, whatever its order."""
    return streams.zipf(2, dyadic=True)


@pytest.fixture(scope="session")
def patchy():
    """A sparse stream in which every fifth document has no answer."""
    return streams.zipf(3, unlabelled=0.2)


@pytest.fixture(scope="session")
def dense():
    """A stream of 300 dense documents with 6 labels and features numbered, not named."""
    return streams.dense(4)

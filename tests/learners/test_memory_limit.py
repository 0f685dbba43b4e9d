"""The limit of the memory that learners may take: each size and share, and what is refused."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from telex.learners import AROW, MLPP, PLT, BatchBuilder, _core, limit_memory
from telex.learners.base import InputError, UsageError

TAKES = """
import sys
from telex.learners import MLPP, limit_memory
from telex.learners.base import BatchBuilder
for limit in sys.argv[1:]:
    limit_memory(limit)
builder = BatchBuilder()
builder.add({f"t{i}": 1.0 for i in range(300)}, [f"l{i}" for i in range(1000)])
builder.add({f"t{i}": 1.0 for i in range(300)}, [f"l{i}" for i in range(500)])
model = MLPP(threads=1)
try:
    model.learn(builder.take())
except MemoryError as error:
    print(error)
"""


@pytest.fixture(autouse=True)
def usual():
    yield
    limit_memory("80%")


def test_a_size_is_of_the_process():
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    for text, size in [("3G", 3 << 30), ("2048 mb", 2 << 30), ("1.5GB", 3 << 29), ("2000000000", 2 * 10**9)]:
        limit_memory(text)
        assert _core.memory_left() == pytest.approx(min(size - resident, _left("100%")), abs=64 << 20)
        limit_memory(text)
    limit_memory("1M")
    assert _core.memory_left() < 0


def _left(share):
    limit_memory(share)
    return _core.memory_left()


def test_a_share_is_of_what_there_is():
    assert 0 < _left("50%") < _left("80%") < _left("100%")


@pytest.mark.parametrize("wrong", ["", "0", "0%", "101%", "8X", "-1G", "many", "8G 9G"])
def test_what_is_no_limit(wrong):
    with pytest.raises(UsageError, match="give a size such as 8G, or a share up to 100%"):
        limit_memory(wrong)


def takes(*limits, address_space=None):
    def limited():
        if address_space:
            resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))

    found = subprocess.run(
        [sys.executable, "-c", TAKES, *limits], capture_output=True, text=True, preexec_fn=limited, check=True
    )
    return found.stdout


def test_a_document_that_would_take_too_much_is_refused_before():
    said = takes("400M")
    assert said.startswith("up to 0.6 GB more are needed at once, and 0.")
    assert "--memory-limit" in said
    assert "499,500 pairs of 1,000 labels and each of 300 terms, 0.6 GB if all move; take mlpp:storage=hybrid, " in said


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer takes all addresses")
def test_the_limit_of_the_process_counts():
    assert "GB may be taken" in takes(address_space=800 << 20)


def one_document(labels, terms):
    builder = BatchBuilder()
    builder.add(dict.fromkeys(range(terms), 1.0), [f"l{i}" for i in range(labels)])
    return builder.take()


def test_a_table_of_labels_says_what_does_not_fit():
    limit_memory("2G")
    said = (
        r"up to .* more are needed .*; AROW has 4 to 8 bytes .* 100,000 labels .* 30,000 terms, 12.0 to 24.0 GB .* plt"
    )
    with pytest.raises(MemoryError, match=said):
        AROW().learn(one_document(100_000, 30_000))


def test_pairs_of_too_many_labels_are_refused_with_what_they_would_need():
    said = "at most 4,096 labels, not 13,330; .* 88,837,785 pairs .* of 60 terms, 21.3 GB .*; take plt, arow or br"
    with pytest.raises(InputError, match=said):
        MLPP().learn(one_document(13_330, 60))


def test_a_tree_of_labels_says_how_to_halve_it():
    limit_memory("1M")
    with pytest.raises(MemoryError, match=r"PLT has weights .* 5,000 labels and 20,000 terms; take plt:arity=16"):
        PLT().learn(one_document(5000, 20_000))


def test_enough_is_enough():
    assert not takes("3G")


def test_scores_that_are_not_finite_are_counted():
    scores = np.array([[1, np.nan, np.inf], [-np.inf, 0, np.nan]], np.float32)
    assert _core.count_not_finite(scores, np.array([3, 1], np.int32)) == 3

"""Native words and the oracle side by side."""

import itertools
import random

import numpy as np
import pytest
from oracles import words as slow

from telex.stream.words import Words

LETTERS = [
    "rise",
    "rising",
    "prices",
    "Price",
    "ΩMEGA",
    "straße",
    "don't",
    "gold",
    "wheat",
    "corn",
    "of",
    "the",
    "x1",
    "7",
]
WORDS = LETTERS + [f"w{chr(97 + i)}{chr(97 + j)}" for i in range(4) for j in range(5)]


def stories_of(seed, count=60):
    """(title, text) pairs with Zipf words, some of them empty, some with nothing but stop words."""
    rng = random.Random(seed)
    weights = [1 / (i + 1) for i in range(len(WORDS))]
    return [
        (
            " ".join(rng.choices(WORDS, weights, k=rng.choice([0, 0, 1, 3]))),
            " ".join(rng.choices(WORDS, weights, k=rng.choice([0, 1, 5, 12]))),
        )
        for _ in range(count)
    ]


def rows_of(words, stories, cuts=(), counting=True):
    """Rows as [({id: weight}, [ids forgotten])], the stream cut into batches, and these into pieces, at `cuts`."""
    found = []
    batches = sorted({0, len(stories), *(cut for cut in cuts[::2] if cut < len(stories))})
    for start, stop in itertools.pairwise(batches):
        part = stories[start:stop]
        tokens = words.tokenise([title for title, _ in part], [text for _, text in part])
        pieces = sorted({0, len(part), *(cut % (len(part) + 1) for cut in cuts[1::2])})
        for first, last in itertools.pairwise(pieces):
            found += plain(words.features(tokens, first, last, counting))
    return found


def plain(rows):
    assert [a.dtype for a in rows] == [np.int64, np.int32, np.float32, np.int32, np.int32, np.float32]
    assert rows.indptr[0] == 0
    found = []
    for row in range(len(rows.indptr) - 1):
        start, stop = rows.indptr[row], rows.indptr[row + 1]
        features = rows.features[start:stop].tolist()
        assert features == sorted(set(features))
        forgotten = rows.forget_features[rows.forget_rows == row].tolist()
        found.append((dict(zip(features, rows.values[start:stop].tolist(), strict=True)), forgotten))
    assert len(rows.features) == len(rows.values) == len(rows.counts) == rows.indptr[-1]
    assert all(0 <= row < len(rows.indptr) - 1 for row in rows.forget_rows.tolist())
    return found


@pytest.fixture(scope="session")
def stop_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("words") / "stop.txt"
    path.write_text("don't\nof\nthe\n")
    return str(path)


@pytest.fixture(scope="session")
def idf_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("words") / "idf.txt"
    values = {"rise": 1.5, "price": 0.25, "gold": 0.0, "t": 3.0, "ωmega": 2.0, "waa": 0.1, "wbb": 7.125}
    path.write_text("".join(f"{term} {i} {value}\n" for i, (term, value) in enumerate(values.items())), "utf-8")
    return str(path), values


@pytest.fixture(scope="session")
def stories():
    return stories_of


@pytest.fixture(scope="session")
def both(stop_file, idf_file):
    """Make (Words, oracle) of the same settings; idf="file" reads one."""

    def make(**settings):
        path, values = idf_file
        file = settings.get("idf") == "file"
        oracle = slow.Words(
            **{"stop": ["don't", "of", "the"], "stem": "porter", **settings}, values=values if file else None
        )
        if file:
            settings["idf"] = path
        if "terms" in settings:
            settings["fit"] = "n:10"
        return Words(**{"stop": stop_file, **settings}), oracle

    return make


@pytest.fixture(scope="session")
def rows():
    return rows_of

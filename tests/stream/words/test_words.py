"""Rows of random streams are the oracle's to the bit, whatever the settings and the cuts."""

import itertools
import queue
import random
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

VOCABULARIES = [{}, {"vocabulary": "bounded", "size": 9}, {"vocabulary": "hashed", "size": 11}]
IDFS = [{}, {"idf": "decayed"}, {"idf": "windowed", "window": 7}, {"idf": "file"}]
WEIGHTS = ["".join(letters) for letters in itertools.product("nblL", "nto", "ncu")]
cuts = st.lists(st.integers(0, 70), max_size=6)


def possible(settings):
    return not (settings.get("vocabulary") == "hashed" and settings.get("idf") == "file")


SETTINGS = [
    {**vocabulary, **idf, "halflife": 10}
    for vocabulary in VOCABULARIES
    for idf in IDFS
    if possible({**vocabulary, **idf})
]


def oracle_rows(oracle, stories, counting=True):
    return [oracle.row(title, text, counting) for title, text in stories]


def names_of(words):
    return list(words.feature_names)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_combination(settings, weight, both, rows, stories):
    words, oracle = both(**settings, weight=weight)
    stream = stories(len(weight) + ord(weight[0]))
    assert rows(words, stream, [20, 3, 41, 9]) == oracle_rows(oracle, stream)
    assert names_of(words) == oracle.names
    assert all(words.feature_names.get(name) == i for i, name in enumerate(oracle.names))
    assert len(words.feature_names._ids) == len(oracle.names)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@given(
    seed=st.integers(0, 1000),
    cuts=cuts,
    title=st.sampled_from([0.0, 0.25, 1.0, 2.5]),
    weight=st.sampled_from(WEIGHTS),
    tokens=st.sampled_from(["letters", "alnum", "blanks"]),
    frozen=st.integers(0, 60),
)
def test_whatever_the_cuts(settings, seed, cuts, title, weight, tokens, frozen, both, rows, stories):
    """A stretch in the middle is weighed and not counted."""
    words, oracle = both(**settings, weight=weight, title=title, tokens=tokens, slope=0.75)
    stream = stories(seed)
    assert rows(words, stream[:frozen], cuts) == oracle_rows(oracle, stream[:frozen])
    assert rows(words, stream, cuts, counting=False) == oracle_rows(oracle, stream, counting=False)
    assert rows(words, stream[frozen:], cuts) == oracle_rows(oracle, stream[frozen:])
    assert names_of(words) == oracle.names


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@given(seed=st.integers(0, 1000), cuts=cuts, at=st.integers(0, 60), weight=st.sampled_from(WEIGHTS))
def test_saved_midway_it_continues_with_the_same_bits(settings, seed, cuts, at, weight, both, rows, stories):
    words, oracle = both(**settings, weight=weight)
    stream = stories(seed)
    rows(words, stream[:at], cuts)
    oracle_rows(oracle, stream[:at])
    state = words.save()
    assert all(isinstance(array, np.ndarray) for array in state.values())
    again = words.clone()
    again.load(state)
    assert names_of(again) == names_of(words)
    assert {k: v.tolist() for k, v in again.save().items()} == {k: v.tolist() for k, v in state.items()}
    expected = oracle_rows(oracle, stream[at:])
    assert rows(again, stream[at:], cuts) == expected
    assert rows(words, stream[at:], cuts) == expected
    assert names_of(again) == names_of(words) == oracle.names


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("halflife", [1, 3, 1000])
@given(seed=st.integers(0, 1000), cuts=cuts)
def test_the_least_useful_term_leaves(size, halflife, seed, cuts, both, rows, stories):
    """So small that most documents have more terms than there is room for; long enough that sums are scaled back."""
    words, oracle = both(vocabulary="bounded", size=size, halflife=halflife, idf="windowed", window=4)
    stream = stories(seed) * 6
    found = rows(words, stream, cuts)
    assert found == oracle_rows(oracle, stream)
    assert names_of(words) == oracle.names
    assert len(words.feature_names) <= size
    assert any(forgotten for _, forgotten in found)


@pytest.mark.parametrize("settings", [s for s in SETTINGS if s.get("vocabulary") != "bounded"], ids=str)
@pytest.mark.parametrize("terms", [None, 1, 5, 1000])
@given(seed=st.integers(0, 1000), cuts=cuts, weight=st.sampled_from(WEIGHTS))
def test_a_fit_keeps_what_most_documents_had(settings, terms, seed, cuts, weight, both, rows, stories):
    if terms is not None and settings.get("vocabulary") == "hashed":
        terms = None
    words, oracle = both(**settings, weight=weight, terms=terms)
    stream = stories(seed)
    tokens = words.tokenise([title for title, _ in stream], [text for _, text in stream])
    for start, stop in itertools.pairwise(sorted({0, 40, *(cut for cut in cuts if cut < 40)})):
        words.fit_on(tokens, start, stop)
    oracle_rows(oracle, stream[:40])
    words.settle()
    oracle.settle()
    assert words.settled
    assert names_of(words) == oracle.names
    expected = oracle_rows(oracle, stream)
    assert rows(words, stream, cuts) == expected
    again = words.clone()
    again.load(words.save())
    assert rows(again, stream, cuts, counting=False) == expected
    assert names_of(words) == oracle.names


def test_fading_sums_are_what_halving_gives(both, rows, stories):
    """Counting newer documents for more is counting older ones for less, at every document, but for rounding."""
    words, _ = both(idf="decayed", halflife=3, weight="ntn", title=0)
    stream = stories(5, 1500)  # scaled back several times on the way
    found = [row for row, _ in rows(words, stream)]
    q, n, df = 2 ** (-1 / 3), 0.0, {}
    for row in found:
        n = n * q + 1
        df = {i: d * q for i, d in df.items()}
        for i in row:
            df[i] = df.get(i, 0) + 1
        for i, weight in row.items():
            idf = np.log((n + 1) / df[i])
            times = round(weight / idf)
            assert times >= 1
            np.testing.assert_allclose(weight, times * idf, rtol=1e-6)


def test_a_cache_that_forgets_changes_nothing(both, rows, stories):
    """Nor do tokens that were cut before it forgot."""
    for settings in SETTINGS:
        words, oracle = both(**settings)
        words.remembered = 3
        stream = stories(8)
        cut = [words.tokenise([title], [text]) for title, text in stream[:30]]
        got = [words.features(tokens, 0, 1, counting=True) for tokens in cut]
        expected = oracle_rows(oracle, stream)
        assert [
            (dict(zip(r.features.tolist(), r.values.tolist(), strict=True)), r.forget_features.tolist()) for r in got
        ] == expected[:30]
        assert rows(words, stream[30:], [5, 2, 9, 4]) == expected[30:]


@pytest.mark.parametrize(
    "settings", [{"vocabulary": "bounded", "size": 50}, {"vocabulary": "hashed", "size": 50}, {"fit": "n:50"}], ids=str
)
def test_memory_is_bounded(settings, both):
    """A stream that never says a word twice."""
    words, _ = both(**{k: v for k, v in settings.items() if k != "fit"})
    words.remembered = 2000
    held, letters = [], "abcdefghij"
    for batch in itertools.product(letters, "xy"):
        texts = [" ".join("".join([*batch, *word]) for word in itertools.product(a, letters, "pq")) for a in letters]
        tokens = words.tokenise([""] * len(texts), texts)
        if "fit" in settings and not held:
            words.fit_on(tokens, 0, 2)
            words.settle()
        words.features(tokens, 0, len(texts), counting=True)
        held.append(words.memory_bytes)
    assert max(held[14:]) <= max(held[:14])
    assert len(words.feature_names) <= 50


def test_no_documents_are_no_rows(both):
    words, _ = both()
    tokens = words.tokenise([], [])
    assert len(tokens) == 0
    assert tokens.fingerprints.tolist() == []
    rows = words.features(tokens, 0, 0, counting=True)
    assert rows.indptr.tolist() == [0]
    assert [len(part) for part in rows[1:]] == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("settings", [{}, {"stem": "none"}, {"vocabulary": "bounded", "size": 9}, {"weight": "ltu"}])
def test_tokens_are_cut_while_features_are_made(both, stories, settings):
    def new():
        words, _ = both(**settings)
        words.remembered = 200
        return words

    rng = random.Random(1)
    own = ["".join(rng.choices("abcdefghij", k=rng.randint(1, 20))) for _ in range(3000)]
    stream = [(title, f"{text} {' '.join(rng.choices(own, k=9))}") for title, text in stories(1, 2000)]
    batches = [stream[i : i + 20] for i in range(0, len(stream), 20)]
    plain, threaded, cut = new(), new(), queue.Queue()

    def cutting():
        for batch in batches:
            cut.put(threaded.tokenise([title for title, _ in batch], [text for _, text in batch]))

    thread = threading.Thread(target=cutting)
    thread.start()
    for batch in batches:
        expected = plain.features(
            plain.tokenise([title for title, _ in batch], [text for _, text in batch]), 0, 20, counting=True
        )
        found = threaded.features(cut.get(timeout=60), 0, 20, counting=True)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
    thread.join()
    assert names_of(threaded) == names_of(plain)


def test_calls_of_several_threads_wait_for_each_other(both, stories):
    words, _ = both(weight="tf")
    words.remembered = 5
    stream = stories(1, 50)
    found = []

    def follow():
        for _ in range(3):
            tokens = words.tokenise([title for title, _ in stream], [text for _, text in stream])
            found.extend(words.features(tokens, i, i + 1, counting=True) for i in range(len(stream)))

    threads = [threading.Thread(target=follow) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12 * len(stream)
    assert words.save()["sums"][0] == 12 * len(stream)
    assert words.save()["sums"][3] == words.save()["df"].sum()
    again = words.clone()
    again.load(words.save())
    assert names_of(again) == names_of(words)

"""The newswire: the same everywhere, in every cut, and as its settings say.

Its `world`, `language` and `settings` show only in its stories, so they are tested by these.
"""

import hashlib
import itertools
import re
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import UsageError
from telex.stream.newswire import NewswireSettings, language
from telex.stream.newswire.newswire import Newswire

WORD = re.compile(r"[a-z]+")


def stories(rows=256, **settings):
    return [
        row
        for batch in Newswire(NewswireSettings(**settings), rows)
        for row in zip(batch.ids, batch.times.tolist(), batch.titles, batch.texts, batch.labels, strict=True)
    ]


def words(text):
    return Counter(WORD.findall(text.lower()))


def likeness(one, other):
    norm = sum(n * n for n in one.values()) * sum(n * n for n in other.values())
    return sum(n * other[word] for word, n in one.items()) / norm**0.5


def test_the_same_bytes_on_every_machine():
    told = repr(stories(n=300, seed=7, drift=0.3, unlabelled=0.1, repeats=0.2)).encode()
    assert hashlib.sha256(told).hexdigest() == "324078f8ac63195a5a6575c77c9ce1ffaced1d7021e41e88a608496f7e3e2b10"


@given(st.lists(st.integers(1, 90), min_size=1, max_size=4), st.integers(0, 2**64 - 1))
def test_any_cut_and_any_length_is_a_beginning_of_the_same(cuts, seed):
    wire = Newswire(NewswireSettings(n=10**12, seed=seed, drift=5, repeats=0.5, unlabelled=0.3))
    whole = wire.stories(0, sum(cuts))
    starts = itertools.accumulate(cuts, initial=0)
    pieces = [wire.stories(start, count) for start, count in zip(starts, cuts, strict=False)]
    for column in ("texts", "titles", "labels"):
        assert [x for piece in pieces for x in getattr(piece, column)] == getattr(whole, column)
    assert [t for piece in pieces for t in piece.times.tolist()] == whole.times.tolist()
    assert stories(n=20, rows=7, seed=seed) == stories(n=60, seed=seed)[:20]


def test_another_seed_is_another_wire():
    one, other = stories(n=5, seed=1), stories(n=5, seed=2)
    assert all(a[3] != b[3] for a, b in zip(one, other, strict=True))


def test_labels_hold_what_is_above_them():
    wire = Newswire(NewswireSettings(seed=3))
    assert len(set(wire.labels)) == len(wire.labels) == 103
    for label, parent in wire.parents.items():
        assert label.startswith(parent + "/")
    depths = Counter(label.count("/") for label in wire.labels)
    assert set(depths) == {0, 1, 2}
    for labels in wire.stories(0, 500).labels:
        assert labels
        assert len(set(labels)) == len(labels)
        assert all(wire.parents[label] in labels for label in labels if "/" in label)


@pytest.mark.parametrize("topics", [2, 4, 5, 400])
def test_a_tree_of_any_size(topics):
    wire = Newswire(NewswireSettings(topics=topics))
    seen = {label for labels in wire.stories(0, 3000).labels for label in labels}
    assert seen <= set(wire.labels)
    assert len(set(wire.labels)) == topics


def test_topics_come_and_go():
    wire = Newswire(NewswireSettings(n=60_000))
    told = {label: set() for label in wire.labels}
    for start in range(0, 60_000, 1000):
        for labels in wire.stories(start, 300).labels:
            for label in labels:
                told[label].add(start)
    late = [label for label, starts in told.items() if starts and min(starts) >= 2000 and len(starts) > 5]
    pausing = [x for x in late if max(told[x]) - min(told[x]) > 1000 * len(told[x]) + 3000]
    assert len(late) >= 5
    assert len(pausing) >= 3
    assert told["business"] == set(range(0, 60_000, 1000))


def test_drift_moves_the_words_of_topics():
    def change(drift):
        wire = Newswire(NewswireSettings(drift=drift, repeats=0))
        then, now = (
            sum((words(t) for t, x in zip(s.texts, s.labels, strict=True) if "business" in x), Counter())
            for s in (wire.stories(0, 400), wire.stories(10_000, 400))
        )
        common = sum((words(text) for text in language.SENTENCES), Counter())
        for word in common:
            del then[word], now[word]
        return likeness(then, now)

    still, moving = change(0.0), change(1.0)
    assert still > 0.85
    assert moving < still - 0.15


def test_repeated_stories_come_soon_and_under_another_id():
    told = stories(n=4000, repeats=0.1)
    first, repeated = {}, 0
    for i, story in enumerate(told):
        text = story[2:]
        repeated += str(text) in first
        first.setdefault(str(text), i)
    assert len({story[0] for story in told}) == 4000
    assert 0.08 < repeated / 4000 < 0.12
    assert len({story[3] for story in stories(n=4000, repeats=0)}) == 4000


def test_the_share_without_labels():
    told = stories(n=3000, unlabelled=0.25)
    assert 0.22 < sum(story[4] is None for story in told) / 3000 < 0.28
    labelled = stories(n=3000)
    assert all(a[3] == b[3] for a, b in zip(told, labelled, strict=True))  # nothing else has changed


def test_a_story_is_told_by_several_in_near_time():
    wire = Newswire(NewswireSettings(repeats=0))
    starts = {word for frame in language.SENTENCES for word in frame.split()}
    names = [set(re.findall(r"\b[A-Z][a-z]+[aeio]\b", text)) - starts for text in wire.stories(0, 900).texts]
    near = sum(len(names[i] & names[j]) >= 3 for i in range(400) for j in range(i + 1, i + 100))
    far = sum(len(names[i] & names[j]) >= 3 for i in range(400) for j in range(i + 401, i + 500))
    assert near >= 20
    assert far < near / 4


def test_texts_are_read_as_sentences():
    for story in stories(n=300, seed=5):
        dateline, _, text = story[3].partition(" - ")
        assert dateline.isupper()
        assert text.isascii()
        assert text.count("\n") <= text.count(".") + text.count('"')
        for paragraph in text.split("\n"):
            assert re.match(r'"?[A-Z]', paragraph)
            assert paragraph.endswith((".", '."', "said."))
        assert story[2][0].isupper()


def test_words_between_the_gaps_are_stop_words():
    stop = set((files("telex.stream.words") / "smart.txt").read_text().split())
    frames = [*language.SENTENCES, *language.HEADLINES]
    between = {word for frame in frames for word in WORD.findall(re.sub(r"#(s|ed|ing)\b", "#", frame.lower()))}
    assert between - stop == {"percent"}


def test_words_can_be_distinguished():
    assert len(set(language.SYLLABLES)) == 64
    assert len(set(language.CODAS)) == 16
    one = re.compile(r"[^aeio]+[aeio]")
    assert all(one.fullmatch(syllable) for syllable in language.SYLLABLES)
    assert not any(set(coda) & set("aeio") for coda in language.CODAS)
    assert "s" not in language.CODAS


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n": 0}, "n=0"),
        ({"seed": -1}, "seed=-1"),
        ({"drift": -0.1}, "drift=-0.1"),
        ({"drift": float("nan")}, "drift=nan"),
        ({"topics": 1}, "topics=1"),
        ({"vocabulary": 10}, "vocabulary=10"),
        ({"repeats": 1}, "repeats=1"),
        ({"unlabelled": 2}, "unlabelled=2"),
        ({"rate": 0}, "rate=0"),
    ],
)
def test_wrong_settings_are_refused(settings, said):
    with pytest.raises(UsageError, match=re.escape(said) + ": give a number from"):
        NewswireSettings(**settings)


def test_the_smallest_and_the_largest_vocabulary():
    few, many = (
        {word for story in stories(n=2000, vocabulary=size) for word in WORD.findall(story[3])}
        for size in (1023, 2**30)
    )
    assert len(few) * 2 < len(many)

"""Documents at hand, as `gathered_documents` reads them, and their words counted in a part of them."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from telex.learners import BatchBuilder
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream import DeadLetter, Story
from telex.stream.crossval.documents import Corpus
from telex.stream.sources import Features, StoryBuilder

WORDS = ["gold", "wheat", "oil", "share", "market", "bank", "rise", "fall"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=4, max_size=12)


def stories(*texts, labels=("a",)):
    builder = StoryBuilder()
    for i, text in enumerate(texts):
        builder.add(Story(f"d{i}", text, labels=list(labels)))
    return builder.take()


def named(batch, rows):
    """Each row's features by name."""
    return [
        {
            batch.feature_names[f]: float(x)
            for f, x in zip(
                batch.features[batch.indptr[row] : batch.indptr[row + 1]],
                batch.values[batch.indptr[row] : batch.indptr[row + 1]],
                strict=True,
            )
        }
        for row in rows
    ]


@given(texts=TEXTS, others=TEXTS, keep=st.lists(st.booleans(), min_size=12, max_size=12))
def test_nothing_of_the_test_part_leaks(texts, others, keep):
    train = np.flatnonzero(keep[: len(texts)]).astype(np.int32)
    assume(len(train))
    changed = [" ".join(texts[row] if row in train else others[row % len(others)]) for row in range(len(texts))]
    first, second = (
        Corpus.read([stories(*one)]).features(train) for one in ([" ".join(text) for text in texts], changed)
    )
    assert named(first, train) == named(second, train)
    assert list(first.feature_names) == list(second.feature_names)


@given(texts=TEXTS, train=st.integers(1, 4))
def test_a_beginning_is_weighed_as_by_a_fit(texts, train):
    """What replay does with fit=N, where N documents are counted ahead."""
    told = [stories(*(" ".join(text) for text in texts))]
    [batch] = list(Features(told, f"fit={train},terms=5"))
    ours = Corpus.read(told, text="terms=5").features(np.arange(train, dtype=np.int32))
    assert named(ours, range(len(texts))) == named(batch, range(len(texts)))


def test_features_that_came_as_such_stay():
    builder = BatchBuilder()
    builder.add({"x": 2.0, "y": 3.0}, ["a"])
    builder.add({"x": 1.0}, None)
    builder.add({"y": 1.0}, ["b", "a"])
    documents = Corpus.read([builder.take()])
    batch = documents.features(np.array([1], np.int32))
    assert named(batch, range(2)) == [{"x": 2.0, "y": 3.0}, {"y": 1.0}]
    assert (len(documents), documents.unlabelled, documents.texts) == (2, 1, [])
    assert batch.numbers.tolist() == [0, 1]
    squares = Corpus.read([documents.batch.take(np.array([0], np.int32))], text="products=true")
    assert named(squares.features(np.zeros(1, np.int32)), [0]) == [{"x": 2, "x*x": 4, "y": 3, "x*y": 6, "y*y": 9}]


def test_what_is_counted_and_left_out():
    letter = DeadLetter(b"x", "wire", 1, None, "decode", "no record")
    told = [stories("gold falls", "a cup", "GOLD FALLS"), letter, stories("none", labels=[])]
    documents = Corpus.read(told)
    assert (len(documents), documents.duplicates, documents.letters) == (4, 1, (letter,))
    skipped = Corpus.read(told, duplicates="skip")
    assert list(skipped.batch.ids) == ["d0", "d1", "d0"]
    assert skipped.batch.numbers.tolist() == [0, 1, 2]
    for limit in (1, 2, 3):
        assert list(Corpus.read(told, limit=limit, duplicates="skip").batch.ids) == ["d0", "d1", "d0"][:limit]
    with pytest.raises(BrokenRecordError, match="no record; mend the record"):
        Corpus.read(told, strict=True)


def test_several_archives():
    documents = Corpus.read([stories("gold", "oil")], [stories("cup")])
    assert (documents.ends, list(documents.batch.ids)) == ((2, 3), ["d0", "d1", "d0"])


def features(name):
    builder = BatchBuilder()
    builder.add({name: 1.0}, ["a"])
    return builder.take()


@pytest.mark.parametrize(
    ("archives", "text", "message"),
    [
        ([[stories("gold")]], "fit=3", "fit=3: words are fitted on each training part here; leave it out"),
        ([[stories("gold")]], "vocabulary=bounded", "give terms=N instead"),
        ([[stories("gold")]], "stem=klingon", "there is no stemmer 'klingon'"),
        ([[features("x")]], "weight=tf", "come as features, not as text"),
        ([[features("x"), stories("gold")]], "", "some documents come as texts and some as features"),
        ([[features("x")], [features("x")]], "", "each archive numbers its features by itself"),
        ([[]], "", "no document has an answer"),
    ],
)
def test_impossible_settings_are_refused(archives, text, message):
    with pytest.raises(UsageError, match=message):
        Corpus.read(*archives, text=text)

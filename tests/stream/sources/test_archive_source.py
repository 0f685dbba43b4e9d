"""Sources of archives: their passes, limits and positions.

The stages `pipeline`, `featurizer`, `tokenised` and `label_encoder` have no test of their own: what they do shows in
the batches of a source. `stories`, `dead_letter` and `position` pass through it; `iterated` is tested by runs on
lists, and `frozen_features` by the models of tests/stream/predict/test_model.py. `stage` is the base of all stages.
"""

import random
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners import BR, MMP
from telex.learners.base import BatchBuilder, Names, UsageError
from telex.stream import Run
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Answers, Arrivals, DeadLetter, Story, StoryBuilder
from telex.stream.sources.archive_source import Features
from telex.stream.sources.source import SourceInfo
from telex.testing import ListArchive

WORDS = ["gold", "silver", "bank", "falls", "rises", "cup", "final", "tariff", "trade", "minister", "vote", "goal"]
LETTER = DeadLetter(b"x", "wire", 1, 0, "decode", "broken")


def wire(count, seed=1):
    """Stories a day apart; every fifth repeats the one before it under another id."""
    random.seed(seed)
    stories = []
    for i in range(count):
        if i % 5 == 4:
            stories.append(stories[-1]._replace(id=str(i)))
            continue
        text = " ".join(random.choices(WORDS, k=8))
        labels = None if i % 7 == 6 else random.sample(["metals", "sport", "politics"], random.randint(0, 2))
        stories.append(Story(str(i), text, random.choice(WORDS), 86400.0 * i, labels))
    return stories


def rows(batches):
    """Each document: id, number, features by name, labels by name."""
    return [
        (
            batch.ids[row],
            int(batch.numbers[row]),
            [
                (batch.feature_names[int(f)], float(x))
                for f, x in zip(batch.features[a:b], batch.values[a:b], strict=True)
            ],
            batch.labels_of(row) if batch.labelled[row] else None,
        )
        for batch in batches
        for row, (a, b) in enumerate(zip(batch.indptr[:-1], batch.indptr[1:], strict=True))
    ]


@given(st.integers(1, 40), st.sampled_from(["keep", "skip"]), st.sampled_from(["", "fit=12,terms=6", "idf=decayed"]))
def test_cuts_change_nothing(size, duplicates, text):
    def told(size):
        features = Features(ListArchive(wire(40), size), text, duplicates)
        return [rows(features), rows(features), features.duplicates()]

    assert told(size) == told(100)


@pytest.mark.parametrize("text", ["", "fit=12,terms=6", "vocabulary=bounded,size=5"])
@pytest.mark.parametrize("duplicates", ["keep", "skip"])
def test_cutting_ahead_changes_nothing(duplicates, text):
    def told(**how):
        features = Features(ListArchive([*wire(20), LETTER, *wire(40, 2)], 7), text, duplicates, **how)
        # By ids: the names are ahead of the batch in hand, and a bounded vocabulary gives ids to other terms.
        passes = [[item if item is LETTER else arrays(item) for item in features] for _ in range(2)]
        return passes, features.duplicates(), list(features.words.feature_names)

    def arrays(batch):
        forgotten = None if batch.forget is None else [batch.forget.rows.tolist(), batch.forget.features.tolist()]
        return [list(batch.ids), {name: column.tolist() for name, column in batch.save().items()}, forgotten]

    assert told(ahead=True) == told()


def test_labels_and_ids_stay_with_their_texts():
    stories = wire(20)
    for story, (id_, number, _, labels) in zip(stories, rows(Features(ListArchive(stories, 3))), strict=True):
        assert id_ == story.id == str(number)
        assert labels == (None if story.labels is None else sorted(story.labels))


def test_a_repeated_story_is_counted_once_and_skipped_where_asked():
    kept, skipping = Features(ListArchive(wire(40), 7)), Features(ListArchive(wire(40), 7), duplicates="skip")
    both = [rows(kept), rows(kept)]
    assert [len(part) for part in both] == [40, 40]
    fewer = [rows(skipping), rows(skipping)]
    assert [[row[0] for row in part] for part in fewer] == [[str(i) for i in range(40) if i % 5 != 4]] * 2
    assert [row[1] for row in fewer[0]] == list(range(32))
    assert kept.duplicates() == skipping.duplicates() == 8
    without = Features(ListArchive([story for i, story in enumerate(wire(40)) if i % 5 != 4]))
    assert [row[2] for row in fewer[0]] == [row[2] for row in rows(without)]  # what is skipped counts for no word


@pytest.mark.parametrize("where", ["n:13", "id:12", "1970-01-13", "n:1", "n:40"])
@pytest.mark.parametrize("size", [1, 5, 13, 100])
def test_words_stay_as_they_are_where_testing_begins(where, size):
    trained = {"n:13": 13, "id:12": 13, "1970-01-13": 13, "n:1": 1, "n:40": 40}[where]
    features = Features(ListArchive(wire(40), size), ahead=True)
    Run(features, {"mmp": MMP()}, test_after=where)  # it informs the source
    told = rows(features)
    assert len(told) == 40
    plain = Features(ListArchive(wire(40), size))
    assert told[:trained] == rows(plain)[:trained]
    known = {name for row in told[:trained] for name, _ in row[2]}
    assert all(name in known for row in told for name, _ in row[2])
    # seen twice in the test part, a text has the same weights: nothing was counted between
    again = Features(ListArchive([*wire(40)[:trained], *wire(40)[trained:], *wire(40)[trained:]], size))
    again.prepare(Run([], {"mmp": MMP()}, test_after=where).settings.boundary)
    later = rows(again)[trained:]
    half = len(later) // 2
    assert [row[2] for row in later[:half]] == [row[2] for row in later[half:]]


def test_later_passes_count_nothing():
    features = Features(ListArchive(wire(40), 9))
    rows(features)
    second, third = rows(features), rows(features)
    assert second == third
    assert len({name for row in second for name, _ in row[2]}) == len(features.words.feature_names)


def test_what_was_fitted_ahead_holds_from_the_first_document_on():
    features = Features(ListArchive([LETTER, *wire(40)], 9), "fit=20,terms=5")
    first = rows(batch for batch in features if not isinstance(batch, DeadLetter))
    assert first == rows(batch for batch in features if not isinstance(batch, DeadLetter))
    assert len(features.words.feature_names) == 5
    assert features.duplicates() == 8


@given(st.integers(1, 40), st.sampled_from(["keep", "skip"]), st.integers(1, 40))
def test_repeated_stories_are_those_of_the_documents_gone_through(limit, duplicates, size):
    run = Run(Features(ListArchive(wire(40), size), duplicates=duplicates, ahead=True), {"mmp": MMP()}, limit=limit)
    list(run)
    places = [i if duplicates == "keep" else i - i // 5 for i in range(4, 40, 5)]
    told = len(places) if limit > (40 if duplicates == "keep" else 32) else sum(place < limit for place in places)
    assert run.summary()["duplicates"] == told


def test_a_fit_longer_than_the_stream_is_refused():
    for fit in ("fit=41", "fit=2001-01-01"):
        with pytest.raises(UsageError, match="the stream ends before that"):
            list(Features(ListArchive(wire(40)), fit))


def test_rows_of_features_pass_and_their_repetitions_are_counted():
    builder = BatchBuilder()
    for features in ({"a": 1.0}, {"b": 1.0}, {"a": 1.0}, {}, {}):
        builder.add(features, ["x"])
    batch = builder.take()
    kept, skipping = Features([batch]), Features([batch], duplicates="skip")
    [same] = kept
    assert rows([same]) == rows([batch])
    assert [batch.numbers.tolist() for batch in skipping] == [[0, 1], [2, 3]]
    assert kept.duplicates() == skipping.duplicates() == 1


def test_settings_of_words_are_refused_for_rows_of_features():
    builder = BatchBuilder()
    builder.add({"a": 2.0}, [])
    batch = builder.take()
    for text in ("stem=none", "fit=1"):
        with pytest.raises(UsageError, match="come as features"):
            list(Features([batch], text))
    [squared] = Features([batch], "products=true")
    assert squared.values.tolist() == [2.0, 4.0]


def test_products_of_words():
    [batch] = Features(ListArchive([Story("1", "gold gold falls")]), "weight=tf,products=true")
    assert dict(rows([batch])[0][2]) == {"fall": 1.0, "gold": 2.0, "fall*fall": 1.0, "fall*gold": 2.0, "gold*gold": 4.0}


def test_what_a_source_suggests_gives_way_to_what_is_asked():
    class Stems(ListArchive):
        text: ClassVar = {"tokens": "blanks", "stem": "none", "stop": "none", "weight": "tf"}

    story = Story("1", "The Banks")
    assert [name for name, _ in rows(Features(Stems([story])))[0][2]] == ["Banks", "The"]
    assert [name for name, _ in rows(Features(Stems([story]), "tokens=letters"))[0][2]] == ["banks", "the"]


def test_a_source_is_what_its_archive_is():
    class Named(ListArchive):
        title, live, share_read = "wire.dat", True, 0.5

    features = Features(Named([Story("1", "gold")]), ahead=True)
    assert (features.info, features.share_read, features.wire) == (SourceInfo("wire.dat", live=True), 0.5, None)
    assert len(rows(features)) == 1


def test_a_duplicate_id_is_no_repeated_story():
    stories = [Story("1", "gold falls"), Story("1", "gold falls"), Story("2", "gold falls")]
    features = Features(ListArchive(stories), unique_ids=True)
    told = list(features)
    assert [type(item).__name__ for item in told] == ["Batch", "DeadLetter", "Batch"]
    assert features.duplicates() == 1


def test_a_bounded_vocabulary_forgets_and_learners_with_it():
    told = {"gold": ["x"], "silver": ["y"], "bank": ["x"]}
    stories = [Story(str(i), text, labels=labels) for i, (text, labels) in enumerate(told.items())]

    def learnt(text):
        [batch] = Features(ListArchive(stories), text)
        run = Run([batch], {"br": BR()})
        list(run)
        weights = run.learners["br"].arrays()["weights"]
        return batch, {name: weights[i].tolist() for i, name in enumerate(batch.feature_names)}

    batch, bounded = learnt("vocabulary=bounded,size=2,weight=tf")
    assert batch.forget is not None
    assert (batch.forget.rows.tolist(), batch.forget.features.tolist()) == ([2], [0])
    _, growing = learnt("weight=tf")
    assert any(growing["gold"])  # there was something to clear
    assert bounded == {name: growing[name] for name in ("bank", "silver")}


@pytest.mark.parametrize("products", [False, True])
@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize("before", [[], [("a", "gold"), ("b", "cup")]])
def test_answers_that_come_alone_are_about_the_documents_that_came(texts, products, before):
    def told(documents, *answers):
        some = StoryBuilder() if texts else BatchBuilder(names)
        for name, word in documents:
            if texts:
                some.add(Story(name, word))
            else:
                some.add({word: 1.0}, None, id=name)
        rows = np.full(len(answers), len(documents), np.int32)
        return Arrivals(some.take(), Answers(rows, list(answers), [[f"of {name}"] for name in answers]))

    names = Names()
    source = [told(before), told([], "a", "c"), told([("c", "bank")]), told([], "b"), told([("d", "gold")])]
    features = Features(source, {"products": products})
    run = Run(features, {"mmp": MMP()}, lateness=Lateness(by_id=True))
    list(run)
    answered = ["a", "c", "b"] if before else ["c"]
    assert sorted(run.learners["mmp"].labels) == sorted(f"of {name}" for name in answered)
    assert run.feature_names[:1] == (["gold"] if before else ["bank"])

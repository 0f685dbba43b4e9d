"""Which documents are new, the same again, or newer versions, whatever the batches and wherever a run resumes."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import Strings, UsageError
from telex.stream._seen import Seen
from telex.stream._versions import Versions, hashes
from telex.stream.sources.stages.revised_ids import RevisedIds, _contents


def columns(texts):
    strings = Strings.of(texts)
    return strings.data, strings.offsets


def slowly(stream, window):
    """Say of each id whether it is new (0), has the content of its newest version (1), or another (2)."""
    versions, order = {}, []
    for place, (name, content) in enumerate(stream):
        if name not in versions:
            order.append(name)
            if len(order) > window:
                del versions[order.pop(0)]
            yield 0, -1
        else:
            then, older = versions[name]
            yield (1 if then == content else 2), older
            if then == content:
                continue
        versions[name] = content, place


stories = st.lists(st.tuples(st.integers(0, 9).map(str), st.integers(1, 3)), max_size=60)


@given(stories, st.integers(1, 12), st.integers(1, 9))
def test_versions_are_told_apart_whatever_the_batches(stream, window, size):
    versions, told = Versions(window), []
    for start in range(0, len(stream), size):
        some = stream[start : start + size]
        places = np.arange(start, start + len(some))
        contents = np.array([content for _, content in some], np.uint64)
        kinds, older, offsets = versions.take(columns([n for n, _ in some]), contents, places.astype(np.int32), places)
        assert [a for a in older.tolist() if a >= 0] == [b for a, b in zip(older, offsets, strict=True) if a >= 0]
        told += zip(kinds.tolist(), older.tolist(), strict=True)
        saved, versions = versions.save(), Versions(window)
        versions.load(*saved)
    assert told == list(slowly(stream, window))


def test_a_long_stream_is_compared_with_the_window_only():
    draw, window = np.random.default_rng(4), 80_000
    stream = list(zip(map(str, draw.integers(0, 200_000, 300_000)), draw.integers(1, 3, 300_000).tolist(), strict=True))
    contents, places = np.array([content for _, content in stream], np.uint64), np.arange(len(stream))
    names = columns([name for name, _ in stream])
    kinds, older, _ = (versions := Versions(window)).take(names, contents, places.astype(np.int32), places)
    assert list(zip(kinds.tolist(), older.tolist(), strict=True)) == list(slowly(stream, window))
    assert [len(column) for column in versions.save()] == [window] * 4


def test_ids_are_hashed_as_those_of_duplicates():
    seen, versions = Seen(9), Versions(9)
    seen.repeated_texts(*columns(["d1", "é", ""]))
    versions.take(columns(["d1", "é", ""]), np.ones(3, np.uint64), np.zeros(3, np.int32), np.zeros(3, np.int64))
    np.testing.assert_array_equal(versions.save()[0], seen.hashes())


def test_a_hash_is_that_of_all_columns_and_of_where_they_end():
    rows = [("gold", "falls"), ("goldf", "alls"), ("", "goldfalls"), ("gold", "falls "), ("gold falls", ""), ("", "")]
    found = hashes([columns([a for a, _ in rows]), columns([b for _, b in rows])])
    assert len(set(found.tolist())) == len(rows)
    np.testing.assert_array_equal(
        found[3:], hashes([columns([a for a, _ in rows[3:]]), columns([b for _, b in rows[3:]])])
    )
    ends = [hashes([columns(["x" * n])])[0] for n in range(40)]
    assert len(set(ends)) == 40


def test_a_story_has_the_same_hash_whichever_stories_come_with_it():
    stories = [("Gold", "It falls.", None), ("Gold", "It falls.", ["metals"]), ("Gold", "It falls.", [])]

    def hashed(some):
        titles, texts, labels = map(list, zip(*some, strict=True))
        return _contents(SimpleNamespace(stories=SimpleNamespace(titles=titles, texts=texts, labels=labels))).tolist()

    alone = [hashed([story])[0] for story in stories]
    assert hashed(stories) == alone
    assert len(set(alone)) == 3


def test_columns_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        hashes([(np.zeros(3, np.uint8), np.array([0, 4]))])
    with pytest.raises(ValueError, match="not of one length"):
        hashes([columns(["a"]), columns(["a", "b"])])
    one, two = np.ones(1, np.uint64), np.ones(2, np.uint64)
    with pytest.raises(ValueError, match="not of one length"):
        Versions(3).take(columns(["a"]), two, np.zeros(1, np.int32), np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="not of one length"):
        Versions(3).load(one, two, np.zeros(1, np.int32), np.zeros(1, np.int64))


def test_another_policy_is_refused():
    with pytest.raises(UsageError, match="revised=keep: give one of replace, predict, skip"):
        RevisedIds(SimpleNamespace(revisions="keep", title="wire"))

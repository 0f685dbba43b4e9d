"""Words (words.py) as a river estimator: its checks, its pipelines, its evaluation."""

import copy
import pickle

import pytest
import river.checks
from river import base, evaluate, metrics

from telex.learners import MMP
from telex.learners.base import InputError
from telex.stream.words import Words

TEXTS = {
    "Wheat and corn prices rise": "grain",
    "Shares fall in Tokyo": "stocks",
    "The corn harvest": "grain",
    "Bank shares": "stocks",
    "": "stocks",
}


def pairs(count):
    return [
        ({"title": text[:4], "text": text}, {"grain": label == "grain", "stocks": label == "stocks"})
        for _, (text, label) in zip(range(count), list(TEXTS.items()) * count, strict=False)
    ]


def state(words):
    saved = words.save() if words._core is not None else {}
    return {name: array.tolist() for name, array in saved.items()}


def test_rivers_checks(monkeypatch):
    monkeypatch.setattr(river.checks, "_yield_datasets", lambda model, scale=1: [pairs(40 * scale)])
    words = Words()
    assert isinstance(words, base.Transformer)
    names = set()
    for check in river.checks.yield_checks(words):
        names.add(check.__name__)
        # a document whose text is taken away is none, and refused
        if check.__name__ not in words._unit_test_skips() and "_features" not in check.__name__.replace(
            "shuffle_features", ""
        ):
            check(words.clone())
    assert len(names) >= 15
    assert not words._unit_test_skips()


def test_a_stream_counts_first_and_then_weighs(stories, rows):
    """So does river where a document is learnt before it is transformed."""
    words, stream = Words(weight="Lou", idf="decayed"), Words(weight="Lou", idf="decayed")
    for story, (expected, _) in zip(stories(3), rows(stream, stories(3)), strict=True):
        x = dict(zip(("title", "text"), story, strict=True))
        words.learn_one(x)
        names = list(stream.feature_names)
        assert words.transform_one(x) == {names[i]: weight for i, weight in expected.items()}
        assert list(words.transform_one(x)) == [names[i] for i in sorted(expected)]
    assert state(words) == state(stream)


def test_transforming_counts_nothing():
    words = Words(stop="none", stem="none", weight="ntn")
    assert words.transform_one("gold and silver") == {}
    words.learn_one("gold")
    before = state(words)
    assert words.transform_one("gold and silver") == {"gold": pytest.approx(0.6931472)}
    assert words.transform_one("") == {}
    assert state(words) == before


def test_where_the_text_is():
    words = Words(weight="tf", title=2, stem="none")
    for x in ("gold", {"text": "gold"}, {"title": "gold", "text": ""}, {"title": "silver", "text": "gold", "more": 1}):
        words.learn_one(x)
    assert words.transform_one({"title": "silver gold", "text": "gold"}) == {"gold": 3, "silver": 2}
    other = Words(on="body", weight="tf", stem="none")
    other.learn_one({"title": "silver", "text": "copper", "body": "gold"})
    assert list(other.feature_names) == ["gold"]
    assert base.tags.TEXT_INPUT in words._tags
    assert base.tags.TEXT_INPUT not in other._tags
    for wrong in (7, {"title": "x"}, {"text": 3}, {"text": "x", "title": None}):
        with pytest.raises(InputError, match="give a text, or a dict with it under 'text'"):
            words.learn_one(wrong)
    with pytest.raises(InputError, match="'body'"):
        other.learn_one({"text": "gold"})


def test_pipelines():
    model = Words() | MMP()
    for _ in range(10):
        for text, label in TEXTS.items():
            model.learn_one(text, {"grain": label == "grain", "stocks": label == "stocks"})
    answer = model.predict_one("corn and wheat")
    assert (answer["grain"], answer["stocks"]) == (True, False)


@pytest.mark.parametrize(
    "settings", [{}, {"vocabulary": "bounded", "size": 8}, {"vocabulary": "hashed", "size": 64}], ids=str
)
def test_rivers_evaluation(settings):
    metric = evaluate.progressive_val_score(
        pairs(200), Words(**settings) | MMP(), metrics.multioutput.MicroAverage(metrics.F1())
    )
    assert metric.get() > 0.7


@pytest.mark.parametrize(
    "settings", [{}, {"vocabulary": "bounded", "size": 9, "idf": "windowed", "window": 5}], ids=str
)
def test_copies_continue_with_the_same_bits(settings, stories, rows):
    words = Words(**settings)
    rows(words, stories(1))
    copies = [pickle.loads(pickle.dumps(words)), copy.deepcopy(words)]
    expected = rows(words, stories(2))
    for one in copies:
        assert one._get_params() == words._get_params()
        assert rows(one, stories(2)) == expected
        assert state(one) == state(words)
        assert list(one.feature_names) == list(words.feature_names)
    assert pickle.dumps(copies[0]) == pickle.dumps(words) == pickle.dumps(pickle.loads(pickle.dumps(words)))


def test_a_copy_shares_its_table_with_what_is_copied_along(stories, rows):
    words = Words()
    rows(words, stories(1))
    one, table = pickle.loads(pickle.dumps((words, words.feature_names)))
    assert one.feature_names is table
    fresh = pickle.loads(pickle.dumps(Words(size=3, vocabulary="bounded")))
    assert fresh._core is None
    assert list(fresh.feature_names) == []


def test_a_clone_is_as_new(stories, rows):
    words = Words(title=3)
    rows(words, stories(1))
    clone = words.clone()
    assert repr(clone) == repr(words) != repr(Words())
    assert len(clone.feature_names) == 0
    rows(clone, stories(1))
    assert state(clone) == state(words)

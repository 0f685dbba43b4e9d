"""Mistakes as text; what is in them is tested in tests/stream/crossval/test_wrong_document.py."""

import pytest

from telex.adapters.terminal import mistakes_text, percent_text
from telex.adapters.terminal.crossval_mistakes import why_text
from telex.learners import BoostingMH, Prior
from telex.stream import Story
from telex.stream.crossval import Corpus, cross_validate, stratified
from telex.stream.sources import StoryBuilder


@pytest.fixture(scope="module")
def outcome():
    builder = StoryBuilder()
    for i in range(24):
        text = f"{'abc'[i % 3] if i % 2 else 'same'} word\x1b[2J " + "and so on " * 50
        builder.add(Story(f"d{i}", text, title=f"No. {i}", labels=["abc"[i % 3] + "!"]))
    documents = Corpus.read([builder.take()], text="weight=tf")
    learners = {"b": BoostingMH(rounds=2), "prior": Prior()}
    return cross_validate(documents, learners, stratified(documents.batch, 3), errors="within")


def test_a_document_comes_once_however_many_folds_were_wrong(outcome):
    lines = mistakes_text(outcome, outcome.trials)
    wrong = outcome.wrong("b")
    ids = list(dict.fromkeys(one["id"] for one in wrong))
    assert 5 < len(ids) < len(wrong)
    assert lines[1] == f"{len(ids)} documents labelled wrongly by b within the folds; some of them:"
    heads = [line for line in lines if " instead of " in line]
    first = outcome.some_wrong("b", 5)[0]
    assert heads[0] == f"{first['id']}, fold {first['fold']}: {first['predicted'][0]} instead of {first['labels'][0]}"
    shown = [line.split(",")[0] for line in heads]
    assert len(set(shown)) == 5
    assert set(shown) < set(ids)
    assert shown != ids[:5]
    assert sum("; without any word " in line for line in lines) == 5
    assert lines[lines.index(heads[0]) + 1] == f"  No. {first['id'][1:]}"
    text = lines[lines.index(heads[0]) + 2]
    assert text.endswith(" ...")
    assert "\x1b" not in "".join(lines)


def test_the_words_that_did_it():
    why = {"wrong": "a", "missed": "b", "words": [("x", 1.0), ("y", 0.126)], "base": 0.0}
    assert why_text(why) == "for a rather than b: x +1.00, y +0.13; without any word +0.00"
    assert why_text({**why, "missed": None}).startswith("for a: x")
    assert why_text({**why, "wrong": None, "words": []}) == "against b: no word; without any word +0.00"


def test_confusion_in_percent(outcome):
    counts, percent = outcome.confusion("b"), outcome.percent("b")
    of_a = sum(count for (true, _), count in counts.items() if true == "a!")
    assert of_a == 8
    assert {pair: count / of_a for pair, count in counts.items() if pair[0] == "a!"} == {
        pair: value / 100 for pair, value in percent.items() if pair[0] == "a!"
    }
    heading, *rows = percent_text(outcome, "b").splitlines()
    assert heading.split() == ["percent", "by", "b", "a!", "b!", "c!"]
    for row in rows:
        label, *cells = row.split()
        assert sum(float(cell) for cell in cells if cell != ".") == pytest.approx(100, abs=0.2)
        own = cells[["a!", "b!", "c!"].index(label)]
        assert own == (f"{percent[label, label]:.1f}" if (label, label) in percent else ".")
    assert percent_text(outcome, "prior") == ""

"""Records are refused by their order alone, however they are cut into blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import BrokenRecordError
from telex.stream.sources import RecordBudget, RecordCheck

BUDGET = RecordBudget(labels=4, new_labels=2, all_labels=7, label_length=3, terms=5, length=20)
LABEL = st.sampled_from([*"abcdefghijkl", "long", "lon"])
DOCUMENTS = st.lists(
    st.tuples(st.sampled_from(["", "t"]), st.integers(0, 24), st.none() | st.lists(LABEL, max_size=6, unique=True)),
    max_size=30,
)


def text_of(length):
    return " ".join("abcdefghijkl")[:length]


def expected(documents):
    """Which documents are refused by what limit, from the definition."""
    met, refused = set(), {}
    for row, (title, length, labels) in enumerate(documents):
        words = {*title.split(), *text_of(length).split()}
        new = {label for label in labels or () if label not in met}
        limits = {
            "length": len(title) + len(text_of(length)) > 20,
            "terms": len(words) > 5,
            "labels": len(labels or ()) > 4,
            "label-length": any(len(label) > 3 for label in new),
            "new-labels": len(new) > 2,
            "all-labels": bool(new) and len(met) + len(new) > 7,
        }
        refused_by = next((limit for limit, exceeds in limits.items() if exceeds), None)
        if refused_by:
            refused[row] = refused_by
        else:
            met |= new
    return refused, met


@given(DOCUMENTS, st.lists(st.integers(1, 9)))
def test_blocks_change_nothing(documents, sizes):
    check, refused, start = RecordCheck(BUDGET), {}, 0
    for size in [*sizes, len(documents)]:
        block = documents[start : start + size]
        titles, texts = [title for title, _, _ in block], [text_of(length) for _, length, _ in block]
        labels, numbers = [labels for _, _, labels in block], range(start, start + len(block))
        if not check.admits(titles, texts, labels, numbers):
            for number, *story in zip(numbers, titles, texts, labels, strict=True):
                try:
                    check.story(*story, number)
                except BrokenRecordError as error:
                    refused[number] = str(error).split("--budget ")[1].removesuffix("=N")
        start += len(block)
    wanted, met = expected(documents)
    assert (refused, check.met) == (wanted, met)
    for number in range(start + 1):
        assert set(check.met_before(number)) == expected(documents[:number])[1]
        again = RecordCheck(BUDGET, check.met_before(number))
        assert (again.met, again.met_before(0)) == (expected(documents[:number])[1], check.met_before(number))


@pytest.mark.parametrize(
    ("features", "limit"),
    [({"a": 1e6}, "value"), ({"a": 0.5, "b": -3e38}, "value"), (dict.fromkeys("abcdef", 1.0), "terms")],
)
def test_features_that_are_refused(features, limit):
    with pytest.raises(BrokenRecordError, match=f"--budget {limit}=N"):
        RecordCheck(BUDGET).features(features, None)


def test_a_value_at_the_limit_passes():
    check = RecordCheck(RecordBudget(value=2.0))
    check.features({"a": 2.0, "b": -2.0}, ["x"])
    assert check.met == {"x"}

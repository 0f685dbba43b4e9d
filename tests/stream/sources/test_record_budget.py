"""The budget of a record: how it is read, and what it says of itself."""

import math

import pytest

from telex.learners.base import UsageError
from telex.stream.sources import DEFAULT_BUDGET, UNLIMITED, RecordBudget, limit_lines


def test_text_and_mapping_are_the_same():
    found = RecordBudget.of("labels=7, new-labels=none,value=2.5")
    assert found == RecordBudget.of({"labels": 7, "new_labels": math.inf, "value": 2.5})
    assert (found.labels, found.new_labels, found.value, found.terms) == (7, math.inf, 2.5, DEFAULT_BUDGET.terms)


@pytest.mark.parametrize("given", ["", "labels=3,terms=none", "value=0.001", "none"])
def test_its_text_gives_it_back(given):
    found = RecordBudget.of(given)
    assert RecordBudget.of(str(found)) == found


def test_none_lifts_all_limits():
    assert RecordBudget.of("none") is UNLIMITED
    assert set(UNLIMITED.limits().values()) == {math.inf}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("label=3", "the budget has no limit 'label' (did you mean 'labels'?)"),
        ("labels=many", "the budget labels=many is not a whole number from 0 up; give one, or none"),
        ("labels=1.5", "labels=1.5 is not a whole number"),
        ("terms=-1", "terms=-1 is not a whole number"),
        ("value=nan", "value=nan is not a number from 0 up"),
        ("labels", "'labels' given for the budget is no key=value"),
    ],
)
def test_wrong_limits(given, said):
    with pytest.raises(UsageError) as caught:
        RecordBudget.of(given)
    assert said in str(caught.value)


def test_each_limit_is_described_with_its_default():
    lines = limit_lines()
    assert list(lines) == list(DEFAULT_BUDGET.limits())
    assert lines["value"].endswith("at most (100000)")

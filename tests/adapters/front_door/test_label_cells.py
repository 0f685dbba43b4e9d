"""Texts that hold labels, judged by a look at some."""

import pytest

from telex.adapters.front_door.label_cells import check_label_cells
from telex.learners.base import UsageError


@pytest.mark.parametrize(
    ("cells", "separator"),
    [
        (["a;b", "c, d"], ";"),  # the separator is there
        (["Arts, Culture"], None),  # one label
        (["a", "b", "c", "d", "e|f"], ";"),  # too rare to be a separator
        ([None, 7, ["a"], ""], ";"),
        (["a", "b"], ";"),
    ],
)
def test_sound(cells, separator):
    check_label_cells(cells, separator, "labels")


@pytest.mark.parametrize(
    ("cells", "word"), [(["a|b", "c"], "pipe"), (["a, b"], "comma"), (["a\tb"], "tab"), (["['a']"], "literal_eval")]
)
def test_wrong(cells, word):
    with pytest.raises(UsageError, match=word):
        check_label_cells(cells, ";", "labels")

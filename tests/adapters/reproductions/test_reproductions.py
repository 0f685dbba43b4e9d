"""The table of reproductions, and what all of them have."""

import pytest

from telex.adapters.reproductions import REPRODUCTIONS, reproduction
from telex.learners.errors import UsageError


@pytest.mark.parametrize("name", list(REPRODUCTIONS))
def test_each_is_a_module_with_both_functions(name):
    module = reproduction(name)
    assert callable(module.reproduce)
    assert callable(module.lines)


def test_another_name():
    with pytest.raises(
        UsageError, match=r"no reproduction 'lc-figure5' \(did you mean 'lc-figure4'\?\); choose one of mp"
    ):
        reproduction("lc-figure5")

"""The table of reproductions, and what all of them have."""

import pytest

from telex.adapters.reproductions import names, reproduction
from telex.learners.errors import UsageError


@pytest.mark.parametrize("name", names())
def test_each_is_a_module_with_both_functions(name):
    module = reproduction(name)
    assert callable(module.reproduce)
    assert callable(module.lines)


def test_another_name():
    with pytest.raises(
        UsageError, match=r"no reproduction 'lc-figure5' \(did you mean 'lc-figure4'\?\); choose one of bo"
    ):
        reproduction("lc-figure5")

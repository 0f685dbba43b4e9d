"""The table of reproductions, and what all of them have."""

from importlib.metadata import EntryPoint

import pytest

from telex.adapters import reproductions
from telex.adapters.reproductions import names, reproduction, titles
from telex.learners.base import UsageError


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


def test_each_has_a_title():
    assert list(titles()) == ["boosting-mh", "lc-figure4", "mpboost-table1", "mpboost-table2"]
    assert {name: reproduction(name).TITLE for name in names()} == titles()


def test_one_of_another_package(monkeypatch):
    entry = EntryPoint("again", "telex.adapters.reproductions.lc_figure4", "telex.reproductions")
    monkeypatch.setattr(
        reproductions, "entry_points", lambda **given: [entry] if given.get("name") in {None, "again"} else []
    )
    assert names()[-1] == "again"
    assert titles()["again"] == titles()["lc-figure4"]
    assert reproduction("again") is reproduction("lc-figure4")

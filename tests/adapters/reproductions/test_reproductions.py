"""The table of reproductions, what all of them have, and where they find their collections."""

from importlib.metadata import EntryPoint
from inspect import signature

import pytest

from telex.adapters.reproductions import (
    SETTINGS,
    catalogue,
    collection,
    known_settings,
    names,
    reproduction,
    taken,
    titles,
)
from telex.learners.base import UsageError


@pytest.mark.parametrize("name", names())
def test_each_is_a_module_with_both_functions(name):
    module = reproduction(name)
    assert callable(module.reproduce)
    assert callable(module.lines)


@pytest.mark.parametrize("name", names())
def test_each_takes_the_settings_that_it_declares(name):
    takes = known_settings()[name]
    assert {*takes} <= {*SETTINGS}
    assert takes == taken(name)
    parameters = signature(reproduction(name).reproduce).parameters
    assert all(name in parameters and parameters[name].default == takes[name] for name in takes) or (
        "settings" in parameters
    )


def test_another_name():
    with pytest.raises(
        UsageError, match=r"no reproduction 'lc-figure5' \(did you mean 'lc-figure4'\?\); choose one of bo"
    ):
        reproduction("lc-figure5")


def test_each_has_a_title():
    assert list(titles()) == [
        "boosting-mh", "hm3-curve", "hm3-hierarchies", "hm3-table1", "lc-figure3", "lc-figure4", "lc-updates",
        "mlpp-figure4", "mlpp-figure5", "mlpp-figure6", "mlpp-figure7", "mlpp-table1",
        "mlpp-table2", "mlpp-table3", "mlpp-table4",
        "mpboost-figure2", "mpboost-growth", "mpboost-table1", "mpboost-table2",
    ]  # fmt: skip
    assert {name: reproduction(name).TITLE for name in names()} == titles()


def test_one_of_another_package(monkeypatch):
    entry = EntryPoint("again", "telex.adapters.reproductions.lc.figure4", "telex.reproductions")
    monkeypatch.setattr(
        catalogue, "entry_points", lambda **given: [entry] if given.get("name") in {None, "again"} else []
    )
    assert names()[-1] == "again"
    assert titles()["again"] == titles()["lc-figure4"]
    assert reproduction("again") is reproduction("lc-figure4")


def test_a_collection_is_in_the_folder_of_collections_or_the_folder_itself(collections):
    folder = collections / "reuters21578"
    assert collection(collections, "reuters21578", "*.sgm*") == folder
    assert collection(str(folder), "reuters21578", "*.sgm*") == folder


@pytest.mark.parametrize("place", [".", "nowhere"])
def test_a_collection_that_is_not_there(tmp_path, place):
    with pytest.raises(UsageError, match=r"there is no \*\.sgm\* in .* or its folder reuters21578; name the folder"):
        collection(tmp_path / place, "reuters21578", "*.sgm*")

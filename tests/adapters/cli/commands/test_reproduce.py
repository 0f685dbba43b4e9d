"""``telex reproduce``."""

import json

import pytest

from telex.adapters.cli.main import main
from telex.adapters.reproductions import titles


class Table:
    """A reproduction that says what it was given."""

    @staticmethod
    def reproduce(data, progress):
        progress("half way")
        return {"settings": {"data": data}}

    @staticmethod
    def lines(found):
        return ["a table", f"of {found['settings']['data']}"]


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr("telex.adapters.reproductions.reproduction", lambda name: Table)


def test_it_prints_the_lines_and_says_how_far_it_is(table, capsys):
    assert main(["reproduce", "anything", "--data", "somewhere"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "a table\nof somewhere\n"
    assert [line.split(" s  ")[1] for line in shown.err.splitlines()] == ["half way", "done"]


def test_json_is_one_object(table, capsys):
    assert main(["reproduce", "anything", "--data", "somewhere", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"settings": {"data": "somewhere"}}


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name a table, one of boosting-mh, "),
        (["mpboost-table9", "--data", "."], "there is no reproduction 'mpboost-table9' (did you mean 'mpboost-table"),
        (["mpboost-table1"], "say where the collections are with --data DIR"),
        (["mpboost-table1", "--data", "no such folder"], "there is no *.sgm* in no such folder or its folder reuters"),
        (["lc-figure4", "--data", "no such folder"], "there is no lyrl2004_tokens.dat.gz in no such folder or its"),
    ],
)
def test_wrong_use(argv, message, capsys):
    assert main(["reproduce", *argv]) == 2
    [line] = [one for one in capsys.readouterr().err.splitlines() if one.startswith("telex: ")]
    assert line.startswith(f"telex: {message}")


def test_all_names_are_in_the_help(capsys):
    assert main(["reproduce", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n  {name} " in told for name in titles())

"""``telex reproduce``."""

import json
import re
import sys
from importlib.metadata import EntryPoint
from typing import ClassVar

import pytest

from telex.adapters.cli.main import main
from telex.adapters.reproductions import catalogue, titles


@pytest.fixture(autouse=True)
def one_processor(monkeypatch):
    """One reproduction after the other, in this process, where the tests have put another."""
    monkeypatch.setattr("telex.adapters.reproductions.side_by_side.processors", lambda: 1)


TEXT = "a table\nof somewhere\n\nwhat did not reproduce, and what we tried:\n- nothing & all\n"


class Table:
    """A reproduction that says what it was given."""

    TITLE = "a <table>"
    TAKES: ClassVar = {"rounds": 10, "seed": 0}

    @staticmethod
    def reproduce(data, progress, **settings):
        progress("half way")
        return {"settings": {"data": data, **settings}}

    @staticmethod
    def lines(found):
        return ["a table", f"of {found['settings']['data']}"]

    @staticmethod
    def misses(found):
        return ["nothing & all"]


@pytest.fixture
def table(monkeypatch):
    """The reproduction ``anything``, as one of another package."""
    monkeypatch.setitem(sys.modules, "a_table", Table)
    entry = EntryPoint("anything", "a_table", "telex.reproductions")
    monkeypatch.setattr(
        catalogue, "entry_points", lambda **given: [entry] if given.get("name") in {None, "anything"} else []
    )


def test_it_prints_the_lines_and_says_how_far_it_is(table, capsys):
    assert main(["reproduce", "anything", "--data", "somewhere"]) == 0
    shown = capsys.readouterr()
    assert shown.out == TEXT
    assert [line.split(" s  ")[1] for line in shown.err.splitlines()] == ["half way", "done"]


def test_json_is_one_object(table, capsys):
    assert main(["reproduce", "anything", "--data", "somewhere", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"settings": {"data": "somewhere", "rounds": 10, "seed": 0}}


def test_settings_are_options(table, capsys):
    assert main(["reproduce", "anything", "--data", "somewhere", "--json", "--seed", "3"]) == 0
    assert json.loads(capsys.readouterr().out) == {"settings": {"data": "somewhere", "rounds": 10, "seed": 3}}


def test_it_can_be_a_page(table, tmp_path, capsys):
    path = tmp_path / "page.html"
    assert main(["reproduce", "anything", "--data", "somewhere", "-o", str(path)]) == 0
    assert capsys.readouterr().out == TEXT
    assert "<h2>anything: a &lt;table&gt;</h2>" in path.read_text()


@pytest.fixture
def page(table, tmp_path, monkeypatch, capsys):
    """All that can be made where there is no collection."""
    path = tmp_path / "all.html"
    assert main(["reproduce", "all", "--data", "somewhere", "--json", "-o", str(path), "--rounds", "2"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "anything": {"settings": {"data": "somewhere", "rounds": 2, "seed": 0}}
    }
    return path.read_text()


def test_a_page_of_all_has_what_could_be_made_and_says_why_others_could_not(page):
    assert f"1 of {len(titles())} were made" in page
    assert "<h2>anything: a &lt;table&gt;</h2>\n<pre>a table\nof somewhere</pre>" in page
    [embedded] = re.findall(r'<script type="application/json" id="figures">(.*?)</script>', page)
    assert json.loads(embedded) == {"anything": {"settings": {"data": "somewhere", "rounds": 2, "seed": 0}}}
    _, misses = page.split('<section id="misses"')
    assert "<h3>anything</h3>\n<ul><li>nothing &amp; all</li></ul>" in misses
    several = "mpboost-figure2, mpboost-growth, mpboost-table1, mpboost-table2"
    assert f"<h3>{several}</h3>\n<ul><li>not made: " in misses
    assert misses.count("there is none of reuters21578, rcv1 in somewhere") == 1


def test_a_page_loads_nothing_and_runs_nothing(page):
    assert "default-src 'none'" in page
    assert "http://" not in page.replace("http-equiv", "")
    assert page.count("<script") == page.count('<script type="application/json"') == 1


def test_where_nothing_can_be_made(tmp_path, capsys):
    assert main(["reproduce", "all", "--data", str(tmp_path / "none"), "-o", str(tmp_path / "all.html")]) == 2
    assert "no collection of the reproductions is in" in capsys.readouterr().err
    assert not (tmp_path / "all.html").exists()


def test_a_picture_is_drawn_where_there_is_one(table, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")

    def picture(found, path, *, overwrite=False):
        with open(path, "w") as file:
            file.write(f"{found} {overwrite}")
        return path

    monkeypatch.setattr(Table, "picture", staticmethod(picture), raising=False)
    path, argv = tmp_path / "x.svg", ["reproduce", "anything", "--data", "somewhere", "--picture"]
    assert main([*argv, str(path)]) == 0
    assert path.read_text() == "{'settings': {'data': 'somewhere', 'rounds': 10, 'seed': 0}} False"
    assert f"drawing {path}" in capsys.readouterr().err
    assert main([*argv, str(path)]) == 2
    shown = capsys.readouterr()
    assert "is there already; name another file, or replace it with --overwrite" in shown.err
    assert "half way" not in shown.err, "a picture is refused before the work"
    assert main([*argv, str(path), "--overwrite"]) == 0
    assert path.read_text().endswith("True")


def test_one_without_a_picture(table, capsys):
    assert main(["reproduce", "anything", "--data", ".", "--picture", "x.svg"]) == 2
    assert "anything has no picture; leave out --picture" in capsys.readouterr().err


def test_a_picture_is_not_among_the_collections(table, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Table, "picture", staticmethod(print), raising=False)
    assert main(["reproduce", "anything", "--data", str(tmp_path), "--picture", str(tmp_path / "x.svg")]) == 2
    assert "a folder that this command reads; name a place outside of it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name a table, one of boosting-mh, "),
        (["mpboost-table9", "--data", "."], "there is no reproduction 'mpboost-table9' (did you mean 'mpboost-table"),
        (["mpboost-table1"], "say where the collections are with --data DIR"),
        (["mpboost-table1", "--data", "no such folder"], "there is none of reuters21578, rcv1 in no such folder"),
        (
            ["mpboost-table1", "--data", ".", "--folds", "5"],
            "mpboost-table1 takes no --folds; it takes --rounds (1000)",
        ),
        (["mpboost-table1", "--data", ".", "--rounds", "0"], "--rounds must be at least 1, not 0"),
        (["all", "--data", ".", "--picture", "x.svg"], "--picture draws one figure, and the page of all has every"),
        (["all", "--data", "no such folder", "-o", "x/y/z.html"], "the folder x/y is not there"),
        (["hm3-curve", "--data", "no such folder", "--picture", "x.gif"], "x.gif is not a kind of picture"),
        (["hm3-curve", "--data", "no such folder"], "there is none of rcv1, enron, imclef07a, wipo-alpha in no such"),
        (["lc-figure4", "--data", "no such folder"], "there is no lyrl2004_tokens*.dat* in no such folder or its"),
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

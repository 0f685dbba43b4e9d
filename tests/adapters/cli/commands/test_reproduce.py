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


def test_a_picture_is_drawn_where_there_is_one(table, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")

    def picture(found, path, *, overwrite=False):
        with open(path, "w") as file:
            file.write(f"{found} {overwrite}")
        return path

    monkeypatch.setattr(Table, "TITLE", "a table", raising=False)
    monkeypatch.setattr(Table, "picture", staticmethod(picture), raising=False)
    path, argv = tmp_path / "x.svg", ["reproduce", "anything", "--data", "somewhere", "--picture"]
    assert main([*argv, str(path)]) == 0
    assert path.read_text() == "{'settings': {'data': 'somewhere'}} False"
    assert f"drawing {path}" in capsys.readouterr().err
    assert main([*argv, str(path)]) == 2
    shown = capsys.readouterr()
    assert "is there already; name another file, or replace it with --overwrite" in shown.err
    assert "half way" not in shown.err, "a picture is refused before the work"
    assert main([*argv, str(path), "--overwrite"]) == 0
    assert path.read_text().endswith("True")


def test_a_picture_is_not_among_the_collections(table, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Table, "TITLE", "a table", raising=False)
    monkeypatch.setattr(Table, "picture", staticmethod(print), raising=False)
    assert main(["reproduce", "anything", "--data", str(tmp_path), "--picture", str(tmp_path / "x.svg")]) == 2
    assert "a folder that this command reads; name a place outside of it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name a table, one of boosting-mh, "),
        (["mpboost-table9", "--data", "."], "there is no reproduction 'mpboost-table9' (did you mean 'mpboost-table"),
        (["mpboost-table1"], "say where the collections are with --data DIR"),
        (["mpboost-table1", "--data", "no such folder"], "there is no *.sgm* in no such folder or its folder reuters"),
        (["mpboost-table1", "--data", ".", "--picture", "x.svg"], "mpboost-table1 has no picture; leave out --picture"),
        (["hm3-curve", "--data", "no such folder", "--picture", "x.gif"], "x.gif is not a kind of picture"),
        (["hm3-curve", "--data", "no such folder"], "there is none of rcv1, enron, imclef07a, wipo-alpha in no such"),
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

"""The report of a cross-validation, from files as a cross-validation writes them."""

import json

import pytest

from telex.adapters.report import report, report_data

FIGURES = {"iserr": 0.5, "zero_one": 0.25, "micro_f1": 0.75}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "validated"
    folder.mkdir()
    both = {"train": FIGURES, "test": {**FIGURES, "iserr": 0.6}}
    (folder / "run.json").write_text(
        json.dumps({"command": "crossval", "command_line": ["telex", "crossval", "x"], "finished": True,
                    "learners": {"mpboost": {"rounds": 10}, "mmp": {}}})
    )  # fmt: skip
    learners = {
        "mpboost": {**both, "rounds": {"5": both, "10": both}, "folds": [both, both]},
        "mmp": {**both, "folds": []},
    }
    (folder / "crossval.json").write_text(
        json.dumps({"documents": 40, "labels": 2, "folds": [{"name": "one"}, {"name": "two"}], "learners": learners})
    )
    (folder / "rounds.csv").write_text(
        "learner,part,rounds,iserr,micro_f1\nmpboost,test,5,0.7,0.5\nmpboost,test,10,0.6,\nmmp,test,,0.4,0.8\n"
    )
    (folder / "confusion.csv").write_text("learner,true,predicted,count\nmmp,gold,gold,3\nmmp,gold,<b>,30\n")
    wrong = {"learner": "mmp", "id": "d1", "title": "<b>T</b>", "text": "x" * 1000, "labels": ["gold"],
             "predicted": [], "top": [["<b>", 1.5]], "fold": "one"}  # fmt: skip
    (folder / "wrong.jsonl").write_text("".join(json.dumps(wrong) + "\n" for _ in range(300)))
    return folder


def test_what_it_tells(folder):
    [run] = report_data([folder])["runs"]
    found = run["crossval"]
    assert run["summary"]["documents"] == 40
    assert run["summary"]["learners"]["mmp"]["iserr"] == 0.6
    assert run["summary"]["train"]["mmp"]["iserr"] == 0.5
    assert found["names"] == ["one", "two"]
    assert found["rounds"]["rows"] == [
        ["mpboost", "test", 5.0, 0.7, 0.5], ["mpboost", "test", 10.0, 0.6, None], ["mmp", "test", None, 0.4, 0.8],
    ]  # fmt: skip
    assert found["confusion"] == {"mmp": [["gold", "<b>", 30], ["gold", "gold", 3]]}
    assert (found["wrong"]["mmp"]["count"], len(found["wrong"]["mmp"]["first"])) == (300, 200)


def test_how_it_looks(folder, browser, tmp_path):
    browser.get(report([folder], tmp_path / "page.html").as_uri())

    def text(css):
        return browser.execute_script("return document.querySelector(arguments[0]).innerText", css)

    assert "mmp" in text("#standings")
    assert "two" in text("#folds")
    assert len(browser.find_elements("css selector", "#rounds .end")) == 2
    cells = "return [...document.querySelectorAll('#confusion tbody td')].map((one) => one.textContent)"
    assert sorted(browser.execute_script(cells)) == ["", "", "3", "30"]
    assert len(browser.find_elements("css selector", "#wrong li")) == 10
    assert "<b>T</b>" in text("#wrong")
    assert "300 documents labelled wrongly; the first 200 are on this page" in text("#wrong .note")
    assert [line for line in browser.get_log("browser") if line["source"] != "rendering"] == []


def test_losses_along_a_tree_are_described_without_counts_of_labels(folder):
    facts = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**facts, "tree": {"labels": ["a"], "parents": [-1]}}))
    found = report_data([folder])
    assert found["losses"]["l_h"]["best"] == 0
    assert found["runs"][0]["tree"]["label"] == []

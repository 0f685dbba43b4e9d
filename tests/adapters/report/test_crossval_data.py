"""The report of a cross-validation, from files as a cross-validation writes them."""

import json

import pytest

from telex.adapters.report import report, report_data

AGREEMENT = [{"rounds": 1, "same": 0.5, "shared": 0.25, "in_every_fold": 3, "in_any_fold": 4}]
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
        json.dumps({"documents": 40, "labels": 2, "folds": [{"name": "one"}, {"name": "two"}], "learners": learners,
                    "words": {"mpboost": {"by_label": True, "agreement": AGREEMENT}}})
    )  # fmt: skip
    (folder / "words.csv").write_text(
        "learner,fold,round,label,word,absent,present\n" + "".join(
            f"mpboost,{fold},{number},{label},{word},-1,1\n"
            for fold, own in (("one", "<b>"), ("two", "ounce")) for number in range(1, 61)
            for label, word in (("gold", own if number > 1 else "mine"), ("wheat", "grain"))
        )
    )  # fmt: skip
    (folder / "rounds.csv").write_text(
        "learner,part,rounds,iserr,micro_f1\nmpboost,test,5,0.7,0.5\nmpboost,test,10,0.6,\nmmp,test,,0.4,0.8\n"
    )
    (folder / "confusion.csv").write_text("learner,true,predicted,count\nmmp,gold,gold,3\nmmp,gold,<b>,30\n")
    wrong = {"learner": "mmp", "id": "d1", "title": "<b>T</b>", "text": "x" * 1000, "labels": ["gold"],
             "predicted": [], "top": [["<b>", 1.5]], "fold": "one",
             "why": {"wrong": None, "missed": "gold", "words": [["<i>", 1.25]], "base": -0.5}}  # fmt: skip
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
    words = found["words"]["mpboost"]
    assert words["agreement"] == AGREEMENT
    assert list(words["first"]) == ["gold", "wheat"]
    assert words["first"]["gold"] == {"one": ["mine", *["<b>"] * 49], "two": ["mine", *["ounce"] * 49]}


def test_a_folder_from_before_has_no_words(folder):
    (folder / "words.csv").unlink()
    facts = json.loads((folder / "crossval.json").read_text())
    del facts["words"]
    (folder / "crossval.json").write_text(json.dumps(facts))
    assert report_data([folder])["runs"][0]["crossval"]["words"] == {}


def test_how_it_looks(folder, browser, tmp_path):
    browser.get(report([folder], tmp_path / "page.html").as_uri())

    def text(css):
        return browser.execute_script("return document.querySelector(arguments[0]).innerText", css)

    assert "mmp" in text("#standings")
    assert "two" in text("#folds")
    assert len(browser.find_elements("css selector", "#rounds .end")) == 2
    table = "return [...document.querySelectorAll('#chosen tbody tr')].slice(0, 2).map((one) => one.innerText)"
    assert browser.execute_script(table) == ["1\tmine\tmine", "2\t<b>\tounce"]
    assert len(browser.find_elements("css selector", "#chosen .tag.hit")) == 2
    assert "3 of 4 chosen words were chosen in every fold" in text("#chosen > .note")
    cells = "return [...document.querySelectorAll('#confusion tbody td')].map((one) => one.textContent)"
    assert sorted(browser.execute_script(cells)) == ["", "", "9.1", "90.9"]
    browser.find_element("xpath", "//section[@id='confusion']//button[text()='documents']").click()
    assert sorted(browser.execute_script(cells)) == ["", "", "3", "30"]
    assert len(browser.find_elements("css selector", "#wrong li")) == 10
    assert "<b>T</b>" in text("#wrong")
    assert "against gold: <i> +1.25 without any word \u22120.50" in text("#wrong li .tags").replace("\n", " ")
    assert "300 documents labelled wrongly; the first 200 are on this page" in text("#wrong .note")
    assert [line for line in browser.get_log("browser") if line["source"] != "rendering"] == []


def test_losses_along_a_tree_are_described_without_counts_of_labels(folder):
    facts = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**facts, "tree": {"labels": ["a"], "parents": [-1]}}))
    found = report_data([folder])
    assert found["losses"]["l_h"]["best"] == 0
    assert found["runs"][0]["tree"]["label"] == []

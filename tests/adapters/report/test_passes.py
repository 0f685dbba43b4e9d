"""The report of a run of several passes: a line for each learner, over the passes."""

import pytest

from telex.adapters.cli.main import main
from telex.adapters.report import report, report_data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("passes") / "run"
    argv = ["--learner", "mmp", "--learner", "br", "--no-baselines", "--run", str(folder)]
    assert main(["replay", "synthetic:n=300,seed=1", "--epochs", "3", "--test-after", "n:200", *argv]) == 0
    return folder


def test_what_it_tells(folder):
    epochs = report_data([folder])["runs"][0]["summary"]["epochs"]
    assert [set(one) for one in epochs] == [{"learners", "test"}] * 3


def test_how_it_looks(folder, browser, tmp_path):
    browser.get(report([folder], tmp_path / "page.html").as_uri())
    drawing = "return [...document.querySelectorAll('#passes canvas')].map((one) => one.toDataURL()).join()"
    test = browser.execute_script(drawing)
    browser.find_element("xpath", "//section[@id='passes']//button[starts-with(text(), 'training')]").click()
    assert browser.execute_script(drawing) != test
    ends = browser.find_elements("css selector", "#passes .end")
    assert sorted(one.text for one in ends) == ["br", "mmp"]
    assert browser.find_elements("css selector", "nav a[href='#passes']")
    assert [line for line in browser.get_log("browser") if line["source"] != "rendering"] == []


def test_a_run_of_one_pass_has_no_such_section(browser, run):
    browser.get(report([run], run.parent / "one_pass.html").as_uri())
    assert not browser.find_elements("css selector", "#passes")

"""A package that is not ours, installed beside Telex: it has one of each, and knows no more than ``import telex``."""

import ast
import csv
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "stranger"
TELEGRAMS = PACKAGE / "telegrams.morse"
NEEDED = ("pip", "flit_core")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which the package is installed, without a network."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        pytest.skip(f"there is no {' and no '.join(missing)} to install a package with; try pip install '.[test]'")
    folder = tmp_path_factory.mktemp("site")
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]
    call = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(PACKAGE)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def telex(installed):
    """What a command line prints where the package is installed."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "COLUMNS": "100"}

    def run(*command):
        call = [sys.executable, "-m", "telex.adapters.cli.main", *map(str, command)]
        done = subprocess.run(call, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_it_imports_nothing_but_the_front_door():
    modules = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules |= {*names, node.module} if isinstance(node, ast.ImportFrom) else {*names}
    assert {module for module in modules if module.startswith("telex.")} == set()
    assert "telex" in modules


def test_it_is_listed_with_ours(telex):
    learners = json.loads(telex("learners", "--json"))
    assert learners["votes"]["summary"] == "Each word votes for the labels it came with."
    assert learners["votes"]["class"] == "telex_stranger.learner.Votes"
    assert json.loads(telex("losses", "--json"))["excess"]["unit"] == "labels"
    assert list(json.loads(telex("formats", "--json")))[-1] == "morse"
    assert "\n    morse       write words in Morse's code\n" in telex("--help")
    assert "\n  telegrams        the excess of Votes on six telegrams\n" in telex("reproduce", "--help")


def test_its_command(telex):
    assert telex("morse", "cup", "goal") == "-.-. ..- .--. / --. --- .- .-..\n"
    assert "telex morse what hath god wrought" in telex("morse", "--help")


def test_its_learner_and_loss_on_a_file_in_its_format(telex, tmp_path):
    """By hand, each word with its votes.

    1 cup goal (sport): there are no votes yet, so nothing is predicted.
    2 gold ship (trade): nor for these.
    3 cup gold (sport): cup says sport, gold says trade; trade is one too many.
    4 goal ship (sport, trade): goal says sport, ship says trade.
    5 has a letter that there is not.
    6 cup ship (trade): cup says sport twice, ship says sport and twice trade; sport is one too many, and wins.
    """
    telex("replay", TELEGRAMS, "--learner", "votes", "--run", tmp_path / "run", "--points", "1", "--no-baselines")
    with (tmp_path / "run" / "curves.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["learner"] == "votes"]
    assert [(int(row["documents"]), float(row["excess"])) for row in rows] == [
        (1, 0.0), (2, 0.0), (3, 1 / 3), (4, 1 / 4), (5, 2 / 5),
    ]  # fmt: skip
    # The first two each miss a label, the third and the last have one too many.
    assert float(rows[-1]["hamming"]) == 4 / 5
    [letter] = (tmp_path / "run" / "dead-letters.jsonl").read_text().splitlines()
    assert json.loads(letter)["line"] == 5
    assert json.loads(letter)["reason"] == "'...---...' is no letter in Morse's code"
    summary = json.loads((tmp_path / "run" / "run.json").read_text())["summary"]
    assert (summary["documents"], summary["dead_letters"]) == (5, 1)


def test_its_learner_comes_back_from_a_checkpoint(telex, tmp_path):
    telex("replay", TELEGRAMS, "--learner", "votes", "--run", tmp_path / "run")
    found = telex("predict", "--run", tmp_path / "run", "--learner", "votes", "--text", "ship")
    # By now ship has voted in 2, 4 and 6: three times for trade, once for sport.
    assert [line.split() for line in found.splitlines()[-2:]] == [["trade", "3.000"], ["sport", "1.000"]]


def test_its_reproduction(telex):
    assert json.loads(telex("reproduce", "telegrams", "--data", PACKAGE, "--json")) == {
        "documents": 5, "excess": 0.4, "paper": 0.4,
    }  # fmt: skip
    assert telex("reproduce", "telegrams", "--data", PACKAGE).splitlines()[-1] == "excess    0.40   0.40"

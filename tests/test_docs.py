"""What the documents show runs: examples in docstrings, the README's Python, every command's help."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def modules():
    for package in ("telex.learners", "telex.stream", "telex.adapters"):
        home = importlib.import_module(package)
        yield package
        for found in pkgutil.walk_packages(home.__path__, package + "."):
            yield found.name


@pytest.mark.parametrize("name", sorted(set(modules())))
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0


def test_there_are_examples_to_run():
    finder = doctest.DocTestFinder()
    tests = [t for name in modules() for t in finder.find(importlib.import_module(name)) if t.examples]
    assert len(tests) >= 20


def test_python_of_the_readme(tmp_path):
    (tmp_path / "wire.jsonl.gz").write_bytes((ROOT / "tests" / "data" / "wire.jsonl.gz").read_bytes())
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_every_command_has_help_with_an_example():
    environment = {**os.environ, "COLUMNS": "100"}

    def help_of(*command):
        call = [sys.executable, "-m", "telex.adapters.cli.main", *command, "--help"]
        return subprocess.run(call, capture_output=True, text=True, check=True, env=environment).stdout

    commands = re.findall(r"^    (\w+)  ", help_of(), re.MULTILINE)
    assert "replay" in commands
    for command in commands:
        assert re.search(r"example", help_of(command), re.IGNORECASE), command

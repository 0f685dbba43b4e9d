"""docs/python.md: its blocks run one after the other and print what the page says, and river's pass mypy."""

import importlib.util
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "python.md").read_text()
BLOCK = re.compile(r"(<!-- mypy -->\n)?```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)


def fits(printed, expected):
    """Whether a text is as expected, where dots stand for anything, and a line of dots for any lines."""
    lines = (
        r"(.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n"
        for line in expected.splitlines()
    )
    return re.fullmatch("".join(lines), printed) is not None


def test_the_page_runs_as_it_stands(tmp_path, monkeypatch, capsys):
    (tmp_path / "wire.jsonl.gz").write_bytes((ROOT / "tests" / "data" / "wire.jsonl.gz").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert len(BLOCKS) >= 8
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=FutureWarning)
        for _, code, expected in BLOCKS:
            exec(compile(code, "docs/python.md", "exec"), names)
            printed = capsys.readouterr().out
            assert fits(printed, expected), printed


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed: pip install '.[dev]'")
def test_snippets_of_river_are_typed(tmp_path):
    paths = [tmp_path / f"snippet_{number}.py" for number, (typed, *_) in enumerate(BLOCKS) if typed]
    for path, code in zip(paths, [code for typed, code, _ in BLOCKS if typed], strict=True):
        path.write_text(code)
    # In the folder in which the package itself is checked: so nothing of it is checked twice.
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", ROOT / "pyproject.toml", *paths]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert len(paths) == 2
    assert done.returncode == 0, done.stdout

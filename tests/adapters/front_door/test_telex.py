"""``import telex``.

`testing` is tested by all tests that use it: they import it from `telex.testing`.
"""

import ast
import importlib.metadata
import subprocess
import sys
import textwrap
from itertools import takewhile
from pathlib import Path

import pytest

import telex

HEAVY = {"numpy", "river", "scipy", "msgspec", "rich", "kafka", "telex.learners", "telex.stream", "telex.adapters"}
STUB = ast.parse(Path(telex.__file__).with_suffix(".pyi").read_text())
NAMES = [alias.asname for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_there(name):
    assert getattr(telex, name) is not None
    assert name in dir(telex)


def test_names_are_what_they_say():
    assert sorted(telex.__all__) == sorted(NAMES)
    assert telex.Run.__name__ == "Run"
    assert telex.MMP().predict_one({"cup": 1.0}) == {}
    with pytest.raises(AttributeError, match="telex attribute Runn"):
        telex.Runn  # noqa: B018


def test_the_version_is_that_of_the_distribution():
    assert telex.__version__ == importlib.metadata.version("telex")


def test_importing_it_loads_nothing():
    code = f"import sys, telex; sys.exit(', '.join(sorted({HEAVY!r} & sys.modules.keys())) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_its_first_page_is_true(tmp_path, monkeypatch):
    """The examples of the docstring, unchanged."""
    monkeypatch.chdir(tmp_path)
    Path("news.jsonl").write_text(
        "".join(f'{{"id": {i}, "text": "gold cup", "labels": ["{"ab"[i % 2]}"]}}\n' for i in range(20))
    )
    for block in telex.__doc__.split("::\n\n")[1:]:
        lines = takewhile(lambda line: not line or line.startswith("    "), block.splitlines())
        exec(textwrap.dedent("\n".join(lines)), {"telex": telex})
    assert Path("first.html").stat().st_size > 100_000
    assert Path("first/curves.csv").is_file()

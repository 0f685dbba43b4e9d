"""The command line, called in the process or beside it."""

import json
import subprocess
import sys

import pytest
from oracles.streams import zipf

from telex.adapters.cli.main import main

STREAM = zipf(7, documents=60, unlabelled=0.1)


@pytest.fixture
def telex(capsys):
    """Run a command line: exit code, standard output, standard error."""

    def go(*argv):
        code = main([str(arg) for arg in argv])
        return code, *capsys.readouterr()

    return go


@pytest.fixture
def beside():
    """Start a command line in a process of its own."""

    def go(*argv, **options):
        command = [sys.executable, "-m", "telex.adapters.cli.main", *map(str, argv)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, text=True, **{**pipes, **options})

    return go


@pytest.fixture
def wire(tmp_path):
    """A file of 60 documents, one an hour, some without an answer."""
    path = tmp_path / "wire.jsonl"
    documents = (
        {"id": f"d{i}", "time": 3600 * i, "features": x, **({} if y is None else {"labels": y})}
        for i, (x, y) in enumerate(STREAM)
    )
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return path

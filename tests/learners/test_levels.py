"""Each level runs in a process of its own: TELEX_CPU is read when the core is loaded.

The module is native/levels.hpp.
"""

import os
import subprocess
import sys

import pytest

from telex.learners import _core


def run(level, *arguments):
    environment = {**os.environ, "TELEX_CPU": level, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_every_level_gives_the_same_bits():
    levels = list(_core.levels())
    assert "base" in levels
    found = {}
    for level in levels:
        result = run(level, "-m", "oracles.fingerprint")
        assert result.returncode == 0, result.stderr
        used, found[level] = result.stdout.split(" ", 1)
        assert used == level
    assert len(set(found.values())) == 1, found
    if len(levels) == 1:
        pytest.skip("this machine has one level only: nothing to compare it with")


def test_an_unknown_level_is_one_sentence():
    result = run("sse9", "-c", "import telex.learners._core")
    assert result.returncode != 0
    last = result.stderr.strip().splitlines()[-1]
    assert "TELEX_CPU" in last
    assert "sse9" in last
    assert "base" in last

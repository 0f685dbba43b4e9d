"""Each level runs in a process of its own: TELEX_CPU is read when the words are loaded.

The module is native/levels.hpp of the learners.
"""

import os
import subprocess
import sys

import pytest

from telex.learners import _core

PRINT = """
import hashlib, itertools, random
from telex.stream import Words, _words
rng, found = random.Random(5), hashlib.sha256()
terms = ["".join(rng.choices("abcdeiouß ", k=rng.randrange(1, 40))) for _ in range(2_000)]
texts = [" ".join(rng.choices(terms, k=rng.choice([0, 1, 7, 8, 9, 80, 900]))) for _ in range(120)]
for weight, tokens in itertools.product(("ltc", "Lou", "nnn"), ("letters", "alnum", "blanks")):
    words = Words(weight=weight, tokens=tokens, idf="decayed")
    cut = words.tokenise(["Title"] * len(texts), texts)
    for array in (cut.fingerprints, *words.features(cut, 0, len(texts), True)):
        found.update(array.tobytes())
print(_words.level, found.hexdigest())
"""


def run(level):
    environment = {**os.environ, "TELEX_CPU": level, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run([sys.executable, "-c", PRINT], env=environment, capture_output=True, text=True, check=False)


def test_every_level_gives_the_same_bits():
    levels = list(_core.levels())
    found = {}
    for level in levels:
        result = run(level)
        assert result.returncode == 0, result.stderr
        used, found[level] = result.stdout.split()
        assert used == level
    assert len(set(found.values())) == 1, found
    if len(levels) == 1:
        pytest.skip("this machine has one level only: nothing to compare it with")

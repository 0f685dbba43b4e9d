"""How long it takes to begin: a fresh interpreter that imports a library and ends."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from clock import Measured

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents


def median_of(call: list[str], times: int = 3) -> Measured:
    """Run a command ``times`` times and take the median."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return Measured(1, statistics.median(seconds), {})


def python(documents: Documents, folder: Path) -> Measured:
    """Nothing but the interpreter: what no Python command can go below."""
    return median_of([sys.executable, "-c", ""])


def numpy(documents: Documents, folder: Path) -> Measured:
    """What most of the others import first."""
    return median_of([sys.executable, "-c", "import numpy"])


def vw(documents: Documents, folder: Path) -> Measured:
    """Vowpal Wabbit's Python module."""
    return median_of([sys.executable, "-c", "import vowpalwabbit"])


def river(documents: Documents, folder: Path) -> Measured:
    """river's linear models."""
    return median_of([sys.executable, "-c", "import river.linear_model"])


def sklearn(documents: Documents, folder: Path) -> Measured:
    """scikit-learn's linear models."""
    return median_of([sys.executable, "-c", "import sklearn.linear_model"])

"""Fuzzes one Python target by atheris: ``python one.py MODULE:MEMBER [options of libFuzzer] [FOLDER ...]``.

With ``--unguided`` behind the target it does not watch the lines of Telex: it begins at once, and mutates the seeds
alone.
"""

from __future__ import annotations

import contextlib
import importlib
import resource
import sys
import time
from typing import TYPE_CHECKING

import atheris

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS, SECONDS_PER_BYTE = 10.0, 40 / (1 << 20)  # of the processor, for code that is watched line by line
MEGABYTES, TIMES = 400, 600  # that one input may take, and how many times its own length
FRAMES = 600  # what recurses over its input ends above


def within_budget(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Return the target, failing where an input takes more time or memory than its length explains."""

    def call(data: bytes) -> None:
        began, held = time.process_time(), megabytes()
        target(data)
        seconds, more = time.process_time() - began, megabytes() - held
        assert seconds < SECONDS + SECONDS_PER_BYTE * len(data), f"{len(data)} bytes took {seconds:.1f} s"
        assert more < MEGABYTES + TIMES * len(data) / 1e6, f"{len(data)} bytes took {more:.0f} MB"

    return call


def megabytes() -> float:
    """Return the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    module, member = sys.argv.pop(1).split(":")
    unguided = "--unguided" in sys.argv
    if unguided:
        sys.argv.remove("--unguided")
    with contextlib.nullcontext() if unguided else atheris.instrument_imports(include=["telex"]):
        target = getattr(importlib.import_module(module), member)
    sys.setrecursionlimit(FRAMES)
    atheris.Setup(sys.argv, within_budget(target))
    atheris.Fuzz()

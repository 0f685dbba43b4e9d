"""Measures one contestant, in a process of its own: ``python measure.py HOME DOCUMENTS.npz COUNT FOLDER``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from clock import Measured
from documents import load

if TYPE_CHECKING:
    from contests import Contestant

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
MISSING = 3  # the exit code of a contestant that is not installed


class MissingError(Exception):
    """A contestant is not installed here."""


def measured(contestant: Contestant, documents: Path, count: int, folder: Path) -> Measured:
    """Measure in a fresh interpreter, where no thread, cache or heap of another contestant is in the way."""
    call = [sys.executable, __file__, contestant.home, str(documents), str(count), str(folder)]
    done = subprocess.run(
        call, check=False, capture_output=True, text=True, env={**os.environ, **ONE_THREAD, **contestant.env}
    )
    if done.returncode == MISSING:
        raise MissingError(done.stderr.strip().splitlines()[-1])
    if done.returncode:
        sys.exit(f"{contestant.name} failed with exit code {done.returncode}:\n{done.stderr}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def main(home: str, documents: str, count: str, folder: str) -> None:
    """Measure here, and print what was found as a line of JSON."""
    module, function = home.split(":")
    try:
        measure = getattr(import_module(module), function)
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(MISSING)
    found = measure(load(Path(documents)).head(int(count)), Path(folder))
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])

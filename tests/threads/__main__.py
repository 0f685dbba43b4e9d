"""Learners called from several threads under ThreadSanitizer: ``python tests/threads --seconds 3600``.

CPython is not instrumented, so the program of ``learners.cpp`` calls the kernels and their lock without it. The exit
code is 1 if ThreadSanitizer saw a race.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "learners" / "native"
FLAGS = ["-std=gnu++20", "-O1", "-g", "-fsanitize=thread", "-ffp-contract=off", "-Wno-ignored-attributes"]


def main() -> None:
    """Build the program and run it."""
    parser = argparse.ArgumentParser(prog="python tests/threads", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory(prefix="telex-threads-") as name:
        program = build(Path(name))
        environment = os.environ | {"TSAN_OPTIONS": "halt_on_error=1 exitcode=66"}
        sys.exit(1 if subprocess.run([program, str(seconds)], env=environment, check=False).returncode else 0)


def build(folder: Path) -> Path:
    """Return the program: the kernels of one level, and those who call them."""
    program, kernels = folder / "learners", sorted((NATIVE / "kernels").glob("*.cpp"))
    names = " ".join(f"KERNEL({path.stem})" for path in kernels)
    of_level = [*kernels, *(NATIVE / f"{name}.cpp" for name in ("judge", "level", "thresholds"))]
    others = [NATIVE / "memory.cpp", NATIVE / "team.cpp", Path(__file__).parent / "learners.cpp"]
    call = ["g++", *FLAGS, "-DTELEX_LEVEL=base", f"-DTELEX_KERNELS={names}", *map(str, of_level + others)]
    subprocess.run([*call, "-o", str(program), "-pthread"], check=True)
    return program


if __name__ == "__main__":
    main()

"""The memory bound of this machine for the rows that these documents touch: see bound.cpp."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from clock import Measured
from documents import LABELS

if TYPE_CHECKING:
    from documents import Documents

FLAGS = ("-O3", "-march=native", "-std=c++20", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")


def built(name: str, folder: Path) -> Path:
    """Return a program of this folder's parent, compiled for this machine."""
    program, source = folder / name, Path(__file__).parent.parent / f"{name}.cpp"
    if not program.exists():
        compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++") or "c++"
        # beside and renamed: a killed compiler leaves no half program
        subprocess.run([compiler, *FLAGS, source, "-o", f"{program}.new", "-lpthread"], check=True)
        Path(f"{program}.new").rename(program)
    return program


def machine(folder: Path) -> dict[str, float]:
    """Return what the machine allows at the most: see roofline.cpp."""
    found = subprocess.run([built("roofline", folder)], check=True, capture_output=True, text=True).stdout.split()
    return dict(zip(("read GB/s", "read GB/s, two threads", "parse MB/s"), map(float, found), strict=False))


def read_rows(documents: Documents, folder: Path) -> Measured:
    """Read the 5,253 weights of every feature of every document of the second half, in order, and no more."""
    program, width = built("bound", folder), LABELS * (LABELS - 1) // 2
    documents, names = documents.numbered()
    starts, rows, half = folder / "starts.bin", folder / "rows.bin", len(documents) // 2
    documents.indptr.astype(np.int64).tofile(starts)
    documents.terms.astype(np.int32).tofile(rows)
    call = [program, starts, rows, str(len(names)), str(width), str(half)]
    seconds = float(subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()[0])
    read = int(documents.indptr[-1] - documents.indptr[half]) * width * 4
    return Measured(len(documents) - half, seconds, {"GB/s": read / seconds / 1e9})

"""Whether memory stays flat over a long file: ``python tests/bench/flat.py --documents 1000000``.

Writes synthetic vectors and topics in LYRL2004's formats, runs ``telex replay`` over them, samples its
resident memory, and says whether that grew by a tenth after the first tenth of the file. (In the first
tenth the vocabulary grows, and the weights with it.)
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

from documents import BLOCK, block
from lines import lyrl
from ours import command

EVERY = 0.05  # seconds between samples
FIRST_ID = 1_000_000
MOST_GROWTH = 0.10


def main() -> None:
    """Write, run, tell; exit code 1 where memory was not flat."""
    parser = argparse.ArgumentParser(prog="python tests/bench/flat.py", description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--learner", default="mmp")
    parser.add_argument("--folder", type=Path, help="where the files are put meanwhile; the system's by default")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="telex-flat-", dir=options.folder) as name:
        start = time.perf_counter()
        path = write(options.documents, Path(name))
        seconds = time.perf_counter() - start
        print(f"wrote {options.documents:,} documents, {path.stat().st_size / 1e9:.2f} GB, "
              f"{options.documents / seconds:,.0f} a second", file=sys.stderr)  # fmt: skip
        summary, samples = watched(
            [*command(), "replay", str(path), "--learner", options.learner, "--no-baselines", "--json"], path
        )
    result = judged(samples, summary)
    if options.json:
        print(json.dumps({**result, "samples": samples}))
    else:
        print(told(result, samples))
    sys.exit(0 if result["flat"] else 1)


def write(count: int, folder: Path) -> Path:
    """Write ``count`` documents with their topics, formatted by all processors, block by block."""
    vectors, topics = folder / "lyrl2004_vectors.dat", folder / "rcv1-v2.topics.qrels"
    with vectors.open("wb") as rows, topics.open("wb") as answers, ProcessPoolExecutor() as pool:
        for text, labels in pool.map(partial(formatted, count), range(-(-count // BLOCK))):
            rows.write(text)
            answers.write(labels)
    return vectors


def formatted(count: int, number: int) -> tuple[bytes, bytes]:
    """Return the lines of a block of documents."""
    first = number * BLOCK
    return lyrl(block(number).head(count - first), FIRST_ID + first)


def watched(call: list[str], path: Path) -> tuple[dict[str, object], list[tuple[float, int]]]:
    """Run a command that reads ``path``; return what it prints, and samples of (share read, resident kB)."""
    samples, size = [], path.stat().st_size
    with tempfile.TemporaryFile() as out:
        with subprocess.Popen(call, stdout=out, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None:
                place, kilobytes = position(process.pid, path), resident(process.pid)
                if place is not None and kilobytes is not None:
                    samples.append((place / size, kilobytes))
                time.sleep(EVERY)
        if process.returncode:
            sys.exit(f"{' '.join(call)} ended with exit code {process.returncode}")
        out.seek(0)
        return json.load(out), last_pass(samples)


def position(pid: int, path: Path) -> int | None:
    """Return how far a process has read a file, None where it does not hold it open."""
    folder = Path(f"/proc/{pid}")
    try:
        for handle in (folder / "fd").iterdir():
            if os.readlink(handle) == str(path):
                return int((folder / "fdinfo" / handle.name).read_text().split(maxsplit=2)[1])
    except OSError:  # the process, or a handle, has just gone
        return None
    return None


def resident(pid: int) -> int | None:
    """Return a process's resident memory in kB, None where it has gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), None)


def last_pass(samples: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return the samples of the last time that the file was read; before, its order may be looked for."""
    back = [i for i, (before, after) in enumerate(pairwise(samples), 1) if after[0] < before[0]]
    return samples[back[-1] if back else 0 :]


def judged(samples: list[tuple[float, int]], summary: dict[str, object]) -> dict[str, object]:
    """Say how much memory grew after the first tenth of the file."""
    later = [kilobytes for share, kilobytes in samples if share >= 0.1]
    if len(later) < 10:
        sys.exit(f"only {len(later)} samples of the memory: give more --documents")
    growth = max(later) / later[0] - 1
    return {
        "documents": summary["documents"],
        "docs_per_second": summary["docs_per_second"],
        "growth": growth,
        "flat": growth < MOST_GROWTH,
    }


def told(result: dict[str, object], samples: list[tuple[float, int]]) -> str:
    """Return the curve, a line for each tenth of the file, and the verdict."""
    rows = []
    most = max(kilobytes for _, kilobytes in samples)
    for tenth in range(11):
        share, kilobytes = min(samples, key=lambda sample: abs(sample[0] - tenth / 10))
        bar = "#" * round(50 * kilobytes / most)
        rows.append(f"{share:6.1%} of the file  {kilobytes / 1024:8.1f} MB  {bar}")
    rows.append(f"{result['documents']:,} documents at {result['docs_per_second']:,.0f} a second")
    verdict = "flat" if result["flat"] else "NOT FLAT"
    rows.append(f"after the first tenth memory grew by {result['growth']:.1%}: {verdict}")
    return "\n".join(rows)


if __name__ == "__main__":
    main()

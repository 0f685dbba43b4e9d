"""Whether memory stays flat over a long file: ``python tests/bench/flat.py --documents 1000000``.

Writes synthetic vectors and topics in LYRL2004's formats, runs ``telex replay`` over them, samples its
resident memory, and says whether that grew by a tenth after the first tenth of the file. (In the first
tenth the vocabulary grows, and the weights with it.)

With ``--texts`` it is a file of JSON lines with texts, 1 GB by default, and the most that the command may take is what
the model holds, which a second run asks, and 200 MB.
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
from statistics import median

from documents import BLOCK, block
from lines import lyrl
from ours import command
from texts import jsonl, texts

EVERY = 0.05  # seconds between samples
FIRST_ID = 1_000_000
MOST_GROWTH = 0.10
VECTORS, TEXTS = 1_000_000, 640_000  # documents; this many texts are 1 GB
BESIDE_MODEL = 200e6
MODEL = """
import json, sys
from telex.adapters.formats import open_source
from telex.learners import learners
from telex.stream import Run

source, made = open_source(sys.argv[1]), learners([sys.argv[2]], baselines=False)
for _ in Run(source, made):
    pass
print(json.dumps({"learner": next(iter(made.values())).memory_bytes, "words": source.words.memory_bytes}))
"""


def main() -> None:
    """Write, run, print; exit code 1 where memory was not flat."""
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="telex-flat-", dir=options.folder) as name:
        start = time.perf_counter()
        path = (write_texts if options.texts else write)(options.documents, Path(name))
        seconds = time.perf_counter() - start
        print(f"wrote {options.documents:,} documents, {path.stat().st_size / 1e9:.2f} GB, "
              f"{options.documents / seconds:,.0f} a second", file=sys.stderr)  # fmt: skip
        call = [*command(), "replay", str(path), "--learner", options.learner, "--no-baselines", "--json"]
        summary, samples, peak = watched(call, path)
        result = judged(samples, summary)
        if options.texts:
            result = within(result, peak, model(path, options.learner))
    if options.json:
        print(json.dumps({**result, "samples": samples}))
    else:
        print(told(result, samples))
    sys.exit(0 if result["flat"] else 1)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/bench/flat.py", description=__doc__)
    parser.add_argument("--texts", action="store_true", help="JSON lines with texts instead of vectors")
    parser.add_argument("--documents", type=int, help=f"{VECTORS:,} vectors or {TEXTS:,} texts by default")
    parser.add_argument("--learner", default="mmp")
    parser.add_argument("--folder", type=Path, help="where the files are put meanwhile; the system's by default")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.documents = options.documents or (TEXTS if options.texts else VECTORS)
    return options


def write_texts(count: int, folder: Path) -> Path:
    """Write ``count`` documents as JSON lines, by all processors, block by block."""
    path = folder / "wire.jsonl"
    with path.open("wb") as out, ProcessPoolExecutor() as pool:
        for lines in pool.map(partial(texts_of, count), range(-(-count // BLOCK))):
            out.write(lines)
    return path


def texts_of(count: int, number: int) -> bytes:
    """Return the lines of a block of documents."""
    first = number * BLOCK
    return jsonl(texts(block(number).head(count - first), first=first))


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


def watched(call: list[str], path: Path) -> tuple[dict[str, object], list[tuple[float, int]], int]:
    """Run a command that reads ``path``: what it prints, samples of (share read, resident kB), the most kB ever."""
    samples, size, peak = [], path.stat().st_size, 0
    with tempfile.TemporaryFile() as out:
        with subprocess.Popen(call, stdout=out, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None:
                place, kilobytes = position(process.pid, path), memory(process.pid, "VmRSS:")
                if place is not None and kilobytes is not None:
                    samples.append((place / size, kilobytes))
                peak = max(peak, memory(process.pid, "VmHWM:") or 0)
                time.sleep(EVERY)
        if process.returncode:
            sys.exit(f"{' '.join(call)} ended with exit code {process.returncode}")
        out.seek(0)
        return json.load(out), last_pass(samples), peak


def model(path: Path, learner: str) -> dict[str, int]:
    """Replay once more, and return how many bytes the learner and the words hold at the end."""
    done = subprocess.run([sys.executable, "-c", MODEL, str(path), learner], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


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


def memory(pid: int, field: str) -> int | None:
    """Return a process's memory in kB as /proc names it, None where the process has gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith(field)), None)


def last_pass(samples: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return the samples of the last time that the file was read; before, its order may be looked for."""
    back = [i for i, (before, after) in enumerate(pairwise(samples), 1) if after[0] < before[0]]
    return samples[back[-1] if back else 0 :]


def judged(samples: list[tuple[float, int]], summary: dict[str, object]) -> dict[str, object]:
    """Say how much memory grew after the first tenth of the file: from the second tenth to the highest that follows.

    The median represents a tenth: what a fit or a copy holds for a moment is no growth. The ``most`` is printed too.
    """
    tenths = [[kilobytes for share, kilobytes in samples if int(10 * share) == tenth] for tenth in range(1, 10)]
    if min(map(len, tenths)) < 3:
        sys.exit(f"only {len(samples)} samples of the memory: give more --documents")
    medians = [median(tenth) for tenth in tenths]
    growth = max(medians[1:]) / medians[0] - 1
    return {
        "documents": summary["documents"],
        "docs_per_second": summary["docs_per_second"],
        "growth": growth,
        "flat": growth < MOST_GROWTH,
        "tenths_kB": medians,
        "most_kB": max(max(tenth) for tenth in tenths),
    }


def within(result: dict[str, object], peak: int, model: dict[str, int]) -> dict[str, object]:
    """Say whether the most memory ever held is at most the model's and 200 MB."""
    held, most = sum(model.values()), peak * 1024
    return {**result, "flat": most <= held + BESIDE_MODEL, "peak_bytes": most, "model_bytes": held, "model": model}


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
    growth = f"after the first tenth memory grew by {result['growth']:.1%}"
    rows.append(growth if "model" in result else f"{growth}: {verdict}")
    if "model" in result:
        parts = ", ".join(f"{name} {size / 1e6:,.1f} MB" for name, size in result["model"].items())
        rows.append(f"the model holds {result['model_bytes'] / 1e6:,.1f} MB ({parts})")
        peak = result["peak_bytes"] / 1e6
        rows.append(f"the command held {peak:,.1f} MB at most, goal 200 MB more than the model: {verdict}")
    return "\n".join(rows)


if __name__ == "__main__":
    main()

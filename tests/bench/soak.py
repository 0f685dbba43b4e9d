"""Whether memory stays flat over a long run with all in play: ``python tests/bench/soak.py --documents 10000000``.

A made-up wire goes through ``telex replay`` with a bounded vocabulary, answers that come late (more of them than are
held in memory), drift detectors, a champion, a model refitted in the background, and checkpoints. The resident memory
of the command and of its fitting process is sampled; the verdict is on the command's, after the first tenth.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from flat import judged, memory, told
from ours import command

EVERY = 1.0  # seconds between samples
OPTIONS = [
    *("--text", "vocabulary=bounded,size=30000", "--checkpoint-every", "1m"),
    *("--labels-after", "20000", "--pending-limit", "10000"),
    *("--drift", "ADWIN", "--champion", "loss=iserr,window=2000"),
    *("--learner", "mmp", "--learner"),
    "model=refit:model=sklearn:SGDClassifier,every=200000,window=10000,mode=background,timeout=10m",
]


def main() -> None:
    """Run, sample, print; exit code 1 where memory was not flat."""
    parser = argparse.ArgumentParser(prog="python tests/bench/soak.py", description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path, help="where the run is kept meanwhile; the system's by default")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="telex-soak-", dir=options.folder) as name:
        run = Path(name) / "run"
        wire = f"synthetic:n={options.documents},drift=0.1,seed=1"
        points = str(max(1, options.documents // 500))
        call = [*command(), "replay", wire, *OPTIONS, "--run", str(run), "--points", points, "--json"]
        summary, samples, children = watched(call, run, options.documents)
        result = judged(samples, summary)
        result["children_most_kB"] = max(children, default=0)
        for key in ("pending", "expired", "unclaimed", "duplicates", "drifts", "champion"):
            result[key] = summary.get(key)
        events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
        kinds = sorted({event["event"] for event in events})
        result["events"] = {kind: sum(event["event"] == kind for event in events) for kind in kinds}
        result["checkpoints"] = max(int(path.name) for path in (run / "checkpoints").iterdir())
    if options.json:
        print(json.dumps({**result, "samples": samples}))
    else:
        print(told(result, samples))
        print(json.dumps({name: result[name] for name in result if name not in {"growth", "flat"}}))
    sys.exit(0 if result["flat"] else 1)


def watched(call: list[str], run: Path, documents: int) -> tuple[dict[str, object], list[tuple[float, int]], list[int]]:
    """Run the command: its summary, samples of (share done, resident kB), and what its children held."""
    samples, children = list[tuple[float, int]](), list[int]()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with subprocess.Popen(call, stdout=out, stderr=err) as process:
            while process.poll() is None:
                if (kilobytes := memory(process.pid, "VmRSS:")) is not None:
                    samples.append((done(run) / documents, kilobytes))
                children.append(sum(memory(pid, "VmRSS:") or 0 for pid in children_of(process.pid)))
                time.sleep(EVERY)
        if process.returncode:
            err.seek(0)
            sys.exit(f"{' '.join(call)} ended with exit code {process.returncode}: {err.read()[-2000:].decode()}")
        out.seek(0)
        return json.load(out), samples, children


def done(run: Path) -> int:
    """Return how many documents the last point of a run was at."""
    try:
        return int((run / "speed.csv").read_text().splitlines()[-1].split(",")[2])
    except (OSError, IndexError, ValueError):  # it has only just begun
        return 0


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started, none where it has gone."""
    try:
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return []


if __name__ == "__main__":
    main()

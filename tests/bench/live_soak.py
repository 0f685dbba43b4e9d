"""Whether memory stays flat while a live wire is followed: ``python tests/bench/live_soak.py --seconds 3600``.

A publisher puts the synthetic wire into a topic of a real broker at a fixed rate, its labels into another some
documents later. ``telex consume`` follows both, with a bounded vocabulary, a drift detector, a champion, metrics that
are scraped, checkpoints, and predictions that are put back exactly once. Sampled is the resident memory of the command
and of the process that fetches for it; the verdict is on the command's, after the first tenth.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from broker.process import Broker
from broker.wire import Wire
from flat import judged, told
from ours import command
from soak import watched

DELAY = 1000  # documents until the labels come
OPTIONS = [
    *("--text", "vocabulary=bounded,size=30000", "--checkpoint-every", "30s", "--exactly-once"),
    *("--drift", "ADWIN", "--champion", "loss=iserr,window=2000", "--learner", "mmp", "--learner", "br"),
]


def main() -> None:
    """Follow, sample, print; exit code 1 where memory was not flat or a document is missing."""
    parser = argparse.ArgumentParser(prog="python tests/bench/live_soak.py", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--rate", type=float, default=500, help="documents a second (500)")
    parser.add_argument("--folder", type=Path, help="where the run is kept meanwhile; the system's by default")
    options = parser.parse_args()
    documents = int(options.seconds * options.rate)
    with (
        tempfile.TemporaryDirectory(prefix="telex-soak-", dir=options.folder) as name,
        Broker(Path(name) / "kafka") as broker,
    ):
        wire = Wire(broker.address)
        keep = {"retention_ms": -1}
        topic, answers, out = (
            wire.topic(3, "news", **keep),
            wire.topic(1, "labels", **keep),
            wire.topic(3, "out", **keep),
        )
        there = ["--brokers", broker.address, "--topic", topic, "--labels-topic", answers]
        source = f"synthetic:n={documents},drift=0.1,seed=1"
        paced = ["--label-delay", str(DELAY), "--rate", str(options.rate)]
        publishing = subprocess.Popen([*command(), "publish", source, *there, *paced], stderr=subprocess.DEVNULL)
        run, metrics = Path(name) / "run", f"127.0.0.1:{free_port()}"
        ended = threading.Event()
        threading.Thread(target=scraped, args=(metrics, ended), daemon=True).start()
        call = [*command(), "consume", *there, "--out-topic", out, *OPTIONS, "--run", str(run), "--metrics", metrics,
                "--limit", str(documents), "--points", str(max(1, documents // 500)), "--json"]  # fmt: skip
        try:
            summary, samples, children = watched(call, run, documents)
        finally:
            ended.set()
            publishing.terminate()
            publishing.wait()
        result = judged(samples, summary)
        result["children_most_kB"], result["children_last_kB"] = max(children), children[-2]
        for key in ("pending", "dead_letters", "duplicates", "drifts", "champion"):
            result[key] = summary.get(key)
        result["checkpoints"] = max(int(path.name) for path in (run / "checkpoints").iterdir())
    print(told(result, samples))
    print(json.dumps({name: result[name] for name in result if name not in {"growth", "flat"}}))
    sys.exit(0 if result["flat"] and summary["documents"] == documents and not summary["dead_letters"] else 1)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def scraped(metrics: str, ended: threading.Event) -> None:
    """Ask for the metrics every five seconds."""
    while not ended.wait(5.0):
        with contextlib.suppress(OSError):  # not yet, or no longer
            urllib.request.urlopen(f"http://{metrics}/metrics", timeout=10).read()


if __name__ == "__main__":
    main()

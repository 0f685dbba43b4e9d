"""What a flood of requests for predictions costs a run that learns: ``python tests/bench/flood.py``.

One run learns the synthetic newswire as fast as it can, with ``--serve-predict``. Windows without and with a flood
follow each other, and the pace in each flood is compared with that of the two windows beside it. Clients elsewhere
would take no processor of this machine, so these run at the lowest priority, and where there is no flood the same
program computes at that priority: the windows differ in the requests alone.

A pace is documents over the time between two looks at the run, from scrapes at an address that nobody floods; by the
clock, and by the seconds of processors of the run's own process, all threads together: what a neighbour takes does not
count there, and what requests cost the run does. Beside the pace stand the processors that the process took which
serves, the slowest answer of ``/healthz`` during floods, and how long SIGTERM took during the last one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from pathlib import Path

_TEXT = "gold prices rose in london as traders " * 4
_KINDS = {"full": 1000, "single": 1, "hasty": 1000, "pages": 0}
"""Documents of a request, by the kind of the flood: a hasty client leaves before its answer, ``pages`` are metrics."""
_NONE = "none"


def flood(url: str, kind: str, clients: int) -> None:
    """Ask until SIGTERM, by so many threads at once, and print how often each answer came."""
    over, found = threading.Event(), Counter[str]()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    os.nice(19)
    if kind == _NONE:
        while not over.is_set():
            pass
        print("{}")
        return
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    body = b"\n".join([json.dumps({"text": _TEXT}).encode()] * _KINDS[kind])
    head = "POST /predict?reasons=20 HTTP/1.0\r\nContent-Type: application/x-ndjson\r\n"
    sent = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    if kind == "pages":
        sent = b"GET /metrics HTTP/1.0\r\n\r\n"

    def ask() -> None:
        while not over.is_set():
            try:
                with socket.create_connection((host, int(port)), timeout=30) as client:
                    client.sendall(sent)
                    if kind == "hasty":
                        found["left"] += 1
                        continue
                    status = client.recv(100).split(b" ")[1:2]
                    found[status[0].decode() if status else "ended"] += 1
                    while client.recv(1 << 16):
                        pass
            except OSError as error:
                found[type(error).__name__] += 1

    for _ in range(clients):
        threading.Thread(target=ask, daemon=True).start()
    over.wait()
    print(json.dumps(found))


def got(url: str) -> str:
    """Return a page."""
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=30) as answer:
        return str(answer.read().decode())


def reached(metrics: str, pid: int) -> tuple[float, float, float, float]:
    """Return how many documents the run has read, when that was, and the seconds of processors of run and children."""
    begun, at, documents = time.time(), 0.0, 0.0
    while at < begun:  # a run that is busy for long shows its last figures
        page = got(metrics)
        names = ("telex_run_documents", "telex_snapshot_timestamp_seconds")
        documents, at = (float(re.search(rf"^{name} (\S+)", page, re.MULTILINE)[1]) for name in names)
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return documents, at, processors(pid), sum(map(processors, map(int, children)))


def processors(pid: int) -> float:
    """Return the seconds of processors that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spent() -> float:
    """Return the seconds of processors that all processes have used which this one started and which have ended."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python tests/bench/flood.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--learner", default="mmp", help="what learns and predicts (mmp)")
    parser.add_argument("--kind", choices=[*_KINDS, _NONE, "all"], default="all", help="of the requests; all in turn")
    parser.add_argument("--clients", type=int, default=16, help="at once (16)")
    parser.add_argument("--seconds", type=float, default=5.0, help="of a window (5)")
    parser.add_argument("--rounds", type=int, default=5, help="floods of each kind (5)")
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.flood:
        flood(options.flood, options.kind, options.clients)
        return
    with tempfile.TemporaryDirectory(prefix="telex-flood-") as folder, (Path(folder) / "err").open("w+") as err:
        command = [sys.executable, "-m", "telex.adapters.cli.main", "replay", "synthetic:n=1000000000", "--learner"]
        command += [options.learner, "--no-baselines", "--run", f"{folder}/run", "--checkpoint-every", "20000"]
        command += ["--serve", "127.0.0.1:0", "--serve-predict", "--metrics", "localhost:0", "--no-losses"]
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
        try:
            measure(run, Path(folder), options)
        finally:
            run.kill()
            run.wait()


def measure(run: subprocess.Popen[bytes], folder: Path, options: argparse.Namespace) -> None:
    """Flood the run, print the figures of each flood, and end the run."""
    while len(list((folder / "run" / "checkpoints").glob("0*"))) < 3:
        if run.poll() is not None:
            sys.exit((folder / "err").read_text())
        time.sleep(0.1)
    said = (folder / "err").read_text()
    url, metrics = (re.search(rf"{words} at (http://\S+)", said)[1] for words in ("shown", "metrics are served"))

    def window(kind: str) -> tuple[float, float, float]:
        """Return documents a second, of the clock and of the run's processors, and what share of one others took."""
        clients = flooding(url, kind, options.clients)
        time.sleep(1.0)
        first, until, slowest = reached(metrics, run.pid), time.monotonic() + options.seconds, 0.0
        while time.monotonic() < until:
            begun = time.monotonic()
            if kind != _NONE:
                assert got(f"{url}healthz") == "ok\n"
                slowest = max(slowest, time.monotonic() - begun)
            time.sleep(0.2)
        last = reached(metrics, run.pid)
        clients.terminate()
        answers.update(json.loads(clients.communicate()[0]))
        health.append(slowest)
        documents, clock, own, others = (after - before for before, after in zip(first, last, strict=True))
        return documents / clock, documents / own, others / clock

    for kind in _KINDS if options.kind == "all" else [options.kind]:
        answers, health = Counter[str](), list[float]()
        paces = [window(_NONE)]
        for _ in range(options.rounds):
            paces += [window(kind), window(_NONE)]
        clock, own = (
            [paces[i][k] / statistics.mean((paces[i - 1][k], paces[i + 1][k])) for i in range(1, len(paces), 2)]
            for k in (0, 1)
        )
        quiet = statistics.median(one[0] for one in paces[::2])
        serving = statistics.median(one[2] for one in paces[1::2])
        print(
            f"{kind}: pace by the run's processors {statistics.median(own):.1%} of that without ({min(own):.1%} to "
            f"{max(own):.1%}), by the clock {statistics.median(clock):.1%} of {quiet:,.0f} documents/s "
            f"({min(clock):.1%} to {max(clock):.1%}); serving took {serving:.0%} of a processor; /healthz at most "
            f"{max(health):.2f} s; answers {dict(answers)}",
            flush=True,
        )
    clients = flooding(url, "full" if options.kind == "all" else options.kind, options.clients)
    time.sleep(2.0)
    used, others, begun = sum(reached(metrics, run.pid)[2:]), spent(), time.monotonic()
    run.send_signal(signal.SIGTERM)
    code = run.wait(120)
    print(
        f"SIGTERM during a flood: ended in {time.monotonic() - begun:.1f} s of the clock and "
        f"{spent() - others - used:.1f} s of processors, with exit code {code}"
    )
    clients.terminate()
    clients.communicate()


def flooding(url: str, kind: str, clients: int) -> subprocess.Popen[str]:
    """Start the clients, in a program of their own."""
    command = [sys.executable, __file__, "--flood", url, "--kind", kind, "--clients", str(clients)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


if __name__ == "__main__":
    main()

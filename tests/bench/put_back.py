"""What predictions that are put back cost: ``python tests/bench/put_back.py`` (a broker as the tests have it).

Three things, each by ``telex consume`` with MMP as a process of its own, beside a real broker on the same cores:

- Throughput: a topic is read to its end without an out-topic, with one (at least once), and with ``--exactly-once``, in
  turn. The processor time of a document, without that of the start, gives the ratios: other work on the machine changes
  it little. Those of the seconds on the clock are printed beside them. Goals: 80 % and 70 %.
- Latency: documents come at 500 a second, and a reader of both topics says how long after they were produced the
  documents and the predictions of them came. Goals for predictions: p50 42 ms, p99 75 ms, on a machine that is idle.
- Memory: documents come at 2,000 a second, exactly once, with a checkpoint every 30 s. After a while ten processes
  burn two processors for ``--starve`` seconds: documents wait in Kafka, and messages for their transaction. Goal: at
  most 5 % more than before once the run has caught up, and some 256 MB of messages were put back.

With ``--starve 300`` it takes eight minutes. ``--rounds 0``, ``--seconds 0`` and ``--starve 0`` leave out a part each.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from broker.process import Broker
from broker.wire import Wire
from flat import memory
from ours import command
from soak import children_of

if TYPE_CHECKING:
    from collections.abc import Iterator

WAYS: dict[str, list[str]] = {"none": [], "at least once": [], "exactly once": ["--exactly-once"]}
GOALS = {"at least once": 0.80, "exactly once": 0.70}
PARTITIONS = 3
FEW = 5_000  # documents of the runs whose time counts as that of the start
PACE, STARVED_PACE = 500, 2_000
LATENCY_GOALS = {"p50": 0.042, "p99": 0.075}
WARM = 30.0  # seconds before the burners begin
RECOVERY = 45.0  # seconds after they ended
BURNERS = 10
MOST_GROWTH = 0.05
USUAL = ["--learner", "mmp", "--no-baselines", "--checkpoint-every", "30s", "--json"]


def main() -> None:
    """Measure, print; exit code 1 where a goal that does not depend on the machine's load is missed."""
    options = arguments()
    if options.produce:
        produce(**json.loads(options.produce))
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="telex-put-", dir=options.folder)))
        wire = Wire(stack.enter_context(Broker(folder / "kafka")).address)
        result: dict[str, Any] = {"load": os.getloadavg()[0], "cores": len(os.sched_getaffinity(0))}
        if options.rounds:
            result["throughput"] = throughput(wire, folder, options.documents, options.rounds)
        lines = folder / "lines.jsonl"
        telex("publish", "synthetic:n=30000,seed=2", "--out", str(lines))
        if options.seconds:
            result["latency"] = latency(wire, folder, lines, options.seconds)
        if options.starve:
            result["memory"] = starved(wire, folder, lines, options.starve)
    print(json.dumps(result) if options.json else report(result))
    fast = all(found["ratio"] >= GOALS.get(way, 0.0) for way, found in result.get("throughput", {}).items())
    sys.exit(0 if fast and result.get("memory", {"growth": 0.0})["growth"] <= MOST_GROWTH else 1)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/bench/put_back.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=150_000, help="of the throughput (150000)")
    parser.add_argument("--rounds", type=int, default=2, help="of the throughput, in turn (2)")
    parser.add_argument("--seconds", type=float, default=30, help="of the latency (30)")
    parser.add_argument("--starve", type=float, default=300, metavar="SECONDS", help="of the memory, or 0 (300)")
    parser.add_argument("--folder", type=Path, help="where logs and runs are put meanwhile; the system's by default")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--produce", help=argparse.SUPPRESS)
    return parser.parse_args()


def telex(*arguments: str) -> None:
    """Have the command do something, and wait."""
    subprocess.run([*command(), *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def consume(wire: Wire, topic: str, run: Path, out: str | None, *more: str) -> list[str]:
    """Return the command line."""
    putting = ["--out-topic", out] if out else []
    return [
        *command(),
        "consume",
        "--brokers",
        wire.address,
        "--topic",
        topic,
        "--run",
        str(run),
        *USUAL,
        *putting,
        *more,
    ]


# -- throughput


def throughput(wire: Wire, folder: Path, documents: int, rounds: int) -> dict[str, dict[str, float]]:
    """Return the microseconds of a document without an out-topic and with it, of processors and on the clock."""
    topic = wire.topic(PARTITIONS, "news", retention_ms=-1)
    telex("publish", f"synthetic:n={documents},seed=1", "--brokers", wire.address, "--topic", topic)
    found: dict[str, list[list[tuple[float, float]]]] = {way: [] for way in WAYS}
    number = itertools.count()
    for _ in range(rounds):
        for way, more in WAYS.items():
            out = None if way == "none" else wire.topic(PARTITIONS, "out", retention_ms=-1)
            found[way].append([
                timed(consume(wire, topic, folder / f"run-{next(number)}", out, "--limit", str(limit), *more), limit)
                for limit in (documents, FEW)
            ])  # fmt: skip
    # Whatever else the machine does adds to a time, and takes nothing from it: the least of each counts.
    least = {way: np.min(figures, axis=0) for way, figures in found.items()}
    each = {way: (whole - few) / (documents - FEW) for way, (whole, few) in least.items()}
    return {
        way: {
            "cpu_us": 1e6 * float(cpu),
            "clock_us": 1e6 * float(clock),
            "ratio": float(each["none"][0] / cpu),
            "clock_ratio": float(each["none"][1] / clock),
        }
        for way, (cpu, clock) in each.items()
    }


def timed(call: list[str], documents: int) -> tuple[float, float]:
    """Return the seconds that processors worked for a command and its processes, and those that passed."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(call, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        passed = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        if process.returncode or json.load(out)["documents"] != documents:
            sys.exit(f"{' '.join(call)} ended with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, passed


# -- documents at a pace


def produce(address: str, topic: str, lines: str, rate: float, count: int) -> None:
    """Put ``count`` documents into a topic at a rate, those of a file over and over, each under an id of its own."""
    from confluent_kafka import Producer  # noqa: PLC0415 - one that costs little, for this alone

    with Path(lines).open("rb") as file:
        behind = [line.rstrip().partition(b",")[2] for line in file]  # what follows the id, their first field
    producer = Producer({"bootstrap.servers": address, "linger.ms": 0, "queue.buffering.max.messages": 1_000_000})
    begin = time.perf_counter()
    for number in range(count):
        if (ahead := number / rate - (time.perf_counter() - begin)) > 0:
            producer.poll(0)
            time.sleep(ahead)
        producer.produce(
            topic, b'{"id":"%d",%b' % (number, behind[number % len(behind)]), partition=number % PARTITIONS
        )
    producer.flush()


def producing(wire: Wire, topic: str, lines: Path, rate: float, count: int) -> subprocess.Popen[bytes]:
    """Begin to produce in a process of its own."""
    given = {"address": wire.address, "topic": topic, "lines": str(lines), "rate": rate, "count": count}
    return subprocess.Popen([sys.executable, __file__, "--produce", json.dumps(given)])


@contextmanager
def running(*processes: subprocess.Popen[bytes]) -> Iterator[None]:
    """End processes that are still running behind the block."""
    try:
        yield
    finally:
        for one in processes:
            one.kill()
            one.wait()


def reader(wire: Wire, *topics: str) -> Any:
    """Return a consumer of committed records that costs little."""
    from confluent_kafka import Consumer  # noqa: PLC0415 - as above

    settings = {"bootstrap.servers": wire.address, "group.id": wire.name("reader"), "auto.offset.reset": "earliest"}
    consumer = Consumer({**settings, "enable.auto.commit": False, "isolation.level": "read_committed"})
    consumer.subscribe(list(topics))
    return consumer


# -- latency


def latency(wire: Wire, folder: Path, lines: Path, seconds: float) -> dict[str, dict[str, float]]:
    """Return how long after they were produced documents and predictions came to a reader, from the first tenth on."""
    count = int(PACE * seconds)
    topic, out = (wire.topic(PARTITIONS, name, retention_ms=-1) for name in ("paced", "out"))
    call = consume(wire, topic, folder / "paced", out, "--limit", str(count))
    waited: dict[str, list[float]] = {topic: [], out: []}
    consumer = reader(wire, topic, out)
    following = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wire.until((folder / "paced" / "run.json").exists)
    time.sleep(2)
    with running(following, producing(wire, topic, lines, PACE, count)):
        deadline = time.time() + seconds + 60
        while len(waited[out]) < count and time.time() < deadline:
            message = consumer.poll(0.1)
            if message is not None and not message.error():
                waited[message.topic()].append(time.time() - message.timestamp()[1] / 1000)
    consumer.close()
    names = {topic: "documents", out: "predictions"}
    if len(waited[out]) < count:
        sys.exit(f"{len(waited[out])} of {count} predictions came")
    return {
        name: {f"p{p}": float(np.percentile(waited[one][count // 10 :], p)) for p in (50, 99)}
        for one, name in names.items()
    }


# -- memory


def starved(wire: Wire, folder: Path, lines: Path, seconds: float) -> dict[str, float]:
    """Return what the command held before other processes took the processors from it, and at the end of that."""
    topic, out = (wire.topic(PARTITIONS, name, retention_ms=-1) for name in ("starved", "out"))
    source = producing(wire, topic, lines, STARVED_PACE, int(STARVED_PACE * (WARM + seconds)))  # and then it catches up
    with tempfile.TemporaryFile() as printed:
        call = consume(wire, topic, folder / "starved", out, "--exactly-once")
        following = subprocess.Popen(call, stdout=printed, stderr=subprocess.DEVNULL)
        with running(source, following):
            before = held(following.pid, WARM)
            with running(*(subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BURNERS))):
                meanwhile = held(following.pid, seconds)
            after = held(following.pid, RECOVERY)
            source.terminate()
            following.send_signal(signal.SIGTERM)
            following.wait()
        printed.seek(0)
        documents = json.load(printed)["documents"]
    consumer = reader(wire, out)
    some = [one for one in consumer.consume(2000, 30) if not one.error()]
    consumer.close()
    size = sum(len(one.key()) + len(one.value()) for one in some) / len(some)
    least, last = (np.median(np.array(samples)[-len(samples) // 3 :], axis=0) for samples in (before, after))
    return {
        "documents": documents,
        "message_bytes": documents * size,
        "before_MB": float(least[0]),
        "after_MB": float(last[0]),
        "most_MB": float(max(own for own, _ in meanwhile)),
        "growth": float(last[0] / least[0] - 1),
        "fetching_growth": float(last[1] / least[1] - 1),
    }


def held(pid: int, seconds: float) -> list[tuple[float, float]]:
    """Sample the resident megabytes of a process, and of those that it started, for some seconds."""
    samples, end = list[tuple[float, float]](), time.monotonic() + seconds
    while time.monotonic() < end:
        own = memory(pid, "VmRSS:")
        if own is None:
            sys.exit("telex consume ended before it was asked to")
        samples.append((own / 1024, sum(memory(child, "VmRSS:") or 0 for child in children_of(pid)) / 1024))
        time.sleep(0.5)
    return samples


def report(result: dict[str, Any]) -> str:
    """Return what was found, in lines."""
    rows = [f"load of the machine {result['load']:.1f}, {result['cores']} processors"]
    for way, found in result.get("throughput", {}).items():
        goal = f", goal {GOALS[way]:.0%}" if way in GOALS else ""
        rows.append(
            f"out-topic {way}: a document takes {found['cpu_us']:.1f} us of processors, {found['clock_us']:.1f} us "
            f"in all; throughput {found['ratio']:.0%} of that without (on the clock {found['clock_ratio']:.0%}){goal}"
        )
    for what, found in result.get("latency", {}).items():
        rows.append(f"{PACE} a second, {what}: " + ", ".join(f"{name} {1e3 * at:.0f} ms" for name, at in found.items()))
    if "latency" in result:
        goals = ", ".join(f"{name} {1e3 * at:.0f} ms" for name, at in LATENCY_GOALS.items())
        rows[-1] += f" from produced to read; goal {goals}"
    if "memory" in result:
        found = result["memory"]
        rows.append(
            f"{STARVED_PACE:,} a second, exactly once, {BURNERS} burners: {found['before_MB']:.1f} MB before, at most "
            f"{found['most_MB']:.1f} MB meanwhile, {found['after_MB']:.1f} MB afterwards ({found['growth']:+.1%}; "
            f"the process that fetches {found['fetching_growth']:+.1%}); {found['documents']:,} documents, "
            f"{found['message_bytes'] / 1e6:.0f} MB of messages; goal {MOST_GROWTH:+.0%}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    main()

"""How fast a wire is followed, and how soon: ``python tests/bench/live.py`` (a broker as the tests have it).

Documents of the synthetic newswire are published into a topic of a real broker. Then they are read from its begin, each
time by a process of its own and in turn: by a bare loop of kafka-python that polls as many records at a time and only
decodes their JSON by msgspec (the limit); and by Telex, to MMP's curves, alone and with topics for answers and
predictions. Counted are the documents between the first poll and the last. Broker, reader and learner share the cores.

Then documents come at half of Telex's pace for a while, from a producer that costs little (confluent-kafka) and has no
transactions: readers do not get what is in an open one. A document's latency is the time from its append by the broker
until it is learnt and in the curves.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from kafka import KafkaConsumer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from broker.process import Broker
from broker.wire import Wire

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.consume import OffsetCommits, open_wire, source_of
from telex.adapters.kafka.fetch import FetchSettings
from telex.adapters.kafka.produce import AtLeastOnce, ResultsSink
from telex.learners import MMP
from telex.stream import Run, RunFolder, Sink, StepResult
from telex.stream.delayed_labels import Lateness

POLL = 4000
PARTITIONS = 3


class Document(msgspec.Struct):
    """What the bare loop decodes."""

    id: str
    text: str
    title: str = ""
    time: str | None = None
    labels: list[str] | None = None


class Clock(Sink):
    """When documents were learnt, counted from the first, and how long after they came."""

    def __init__(self, count: int, times: Any = None) -> None:
        self.count, self.first, self.seen = count, 0, 0
        self.begin_at = self.end_at = 0.0
        self.times, self.latencies = times, list[Any]()

    def step(self, result: StepResult) -> None:
        now = time.time()
        if self.times is not None:
            self.latencies.append(now - self.times(result.documents))
        self.seen += len(result.documents)
        if not self.first:
            self.first, self.begin_at = self.seen, now
        self.end_at = now

    @property
    def pace(self) -> float:
        """Documents a second behind the first batch."""
        return (self.seen - self.first) / (self.end_at - self.begin_at)


def bare(address: str, topic: str, count: int) -> float:
    """Return how many records a second the bare loop decodes."""
    decode = msgspec.json.Decoder(Document).decode
    consumer = KafkaConsumer(
        topic, bootstrap_servers=address, group_id=None, auto_offset_reset="earliest", max_poll_records=POLL,
        enable_auto_commit=False, isolation_level="read_committed",
    )  # fmt: skip
    seen = first = 0
    begin = 0.0
    while seen < count:
        for records in consumer.poll(1000).values():
            for record in records:
                decode(record.value)
            seen += len(records)
        if seen and not first:
            first, begin = seen, time.time()
    pace = (seen - first) / (time.time() - begin)
    consumer.close()
    return pace


def telex(address: str, topic: str, count: int, *, answers: str | None, out: str | None) -> float:
    """Return how many documents a second Telex takes from the broker to MMP's curves."""
    with tempfile.TemporaryDirectory(prefix="telex-live-") as name:
        clock = Clock(count)
        run = running(address, topic, name, clock, answers, out, until_end=True)
        for _ in run:
            pass
        return clock.pace


def running(
    address: str, topic: str, folder: str, clock: Clock, answers: str | None, out: str | None, **how: Any
) -> Run:
    """Return a run as ``telex consume --learner mmp --no-baselines --run DIR`` makes it."""
    brokers = Brokers.of(address)
    member = Wire(address).name("bench")
    wanted = FetchSettings((topic, *([answers] if answers else [])), member, member)
    wire = open_wire(brokers, wanted, answers, **how)
    kept = RunFolder(Path(folder) / "run")
    sinks: list[Sink] = [kept, clock]
    if out:
        sinks.append(ResultsSink(AtLeastOnce(brokers), wire.follow(), out_topic=out))
    if wire.live:
        wire.track_record_times()
        clock.times = wire.record_times
    return Run(
        source_of(wire),
        {"mmp": MMP()},
        sinks=[*sinks, OffsetCommits(wire)],
        lateness=Lateness(by_id=True) if answers else None,
        checkpoints=kept.checkpoints,
    )


def paced(address: str, topic: str, rate: float, count: int, lines: str) -> float:
    """Put the documents of a file of JSON lines into a topic at a rate; return the rate that came of it."""
    from confluent_kafka import Producer  # noqa: PLC0415 - a peer's, for this alone

    producer = Producer({"bootstrap.servers": address, "linger.ms": 2, "queue.buffering.max.messages": 1_000_000})
    with Path(lines).open("rb") as file:
        begin = time.perf_counter()
        for number, line in enumerate(file):
            if (ahead := number / rate - (time.perf_counter() - begin)) > 0.002:
                time.sleep(ahead)
            producer.produce(topic, line[:-1], partition=number % PARTITIONS)
            if number % 256 == 0:
                producer.poll(0)
        producer.flush()
        return count / (time.perf_counter() - begin)


def latency(address: str, topic: str, rate: float, seconds: float) -> dict[str, float]:
    """Return how long documents wait from the broker's log to the curves, at a rate."""
    count = int(rate * seconds)
    with tempfile.TemporaryDirectory(prefix="telex-live-") as name:
        clock = Clock(count)
        run = running(address, topic, name, clock, None, None)
        lines = f"{name}/lines.jsonl"
        made = ["-m", "telex.adapters.cli.main", "publish", f"synthetic:n={count},seed=2", "--out", lines]
        subprocess.run([sys.executable, *made], check=True, stderr=subprocess.DEVNULL)
        given = {"what": "paced", "address": address, "topic": topic, "rate": rate, "count": count, "lines": lines}
        process = subprocess.Popen([sys.executable, __file__, "--one", json.dumps(given)], stdout=subprocess.PIPE)

        def end() -> None:
            process.wait()
            deadline = time.time() + 30
            while clock.seen < count and time.time() < deadline:
                time.sleep(0.1)
            run.stop()

        threading.Thread(target=end, daemon=True).start()
        for _ in run:
            pass
    waited = np.concatenate(clock.latencies)[count // 10 :]
    assert process.stdout
    return {
        "documents": clock.seen,
        "rate": float(process.stdout.read()),
        **{f"p{p}": float(np.percentile(waited, p)) for p in (50, 99)},
        "max": float(waited.max()),
    }


def beside(what: str, **arguments: Any) -> Any:
    """Return what a function of this file says in a process of its own."""
    call = [sys.executable, __file__, "--one", json.dumps({"what": what, **arguments})]
    done = subprocess.run(call, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser(prog="python tests/bench/live.py", description=__doc__)
    parser.add_argument("--documents", type=int, default=200_000, help="that are published (200000)")
    parser.add_argument("--rounds", type=int, default=3, help="in turn; the best of each counts (3)")
    parser.add_argument("--seconds", type=float, default=30, help="at half of the pace (30)")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        given = json.loads(options.one)
        found = {"bare": bare, "telex": telex, "latency": latency, "paced": paced}[given.pop("what")](**given)
        print(json.dumps(found))
        return
    with tempfile.TemporaryDirectory(prefix="telex-live-") as name, Broker(Path(name) / "kafka") as broker:
        wire = Wire(broker.address)
        keep = {"retention_ms": -1}
        topic, answers = wire.topic(PARTITIONS, "news", **keep), wire.topic(1, "answers", **keep)
        alone, out = wire.topic(PARTITIONS, "alone", **keep), wire.topic(PARTITIONS, "out", **keep)
        for options_ in (["--topic", topic], ["--topic", alone, "--labels-topic", answers]):
            source = f"synthetic:n={options.documents},seed=1"
            command = ["publish", source, "--brokers", broker.address, *options_]
            subprocess.run([sys.executable, "-m", "telex.adapters.cli.main", *command], check=True)
        there = {"address": broker.address, "count": options.documents}
        contests = {
            "kafka-python and msgspec": ("bare", {"topic": topic}),
            "telex, mmp": ("telex", {"topic": topic, "answers": None, "out": None}),
            "telex, mmp, answers by themselves": ("telex", {"topic": alone, "answers": answers, "out": None}),
            "telex, mmp, predictions put back": ("telex", {"topic": topic, "answers": None, "out": out}),
        }
        best = dict.fromkeys(contests, 0.0)
        for _ in range(options.rounds):
            for name_, (what, arguments) in contests.items():
                found = beside(what, **there, **arguments)
                best[name_] = max(best[name_], found)
                print(f"  {name_:<36} {found:>10,.0f} docs/s", flush=True)
        limit = best["kafka-python and msgspec"]
        print()
        for name_, pace in best.items():
            print(f"{name_:<38} {pace:>10,.0f} docs/s  {pace / limit:.2f} of the bare loop")
        appended = wire.topic(PARTITIONS, "appended", message_timestamp_type="LogAppendTime")
        told = beside("latency", address=broker.address, topic=appended, rate=best["telex, mmp"] / 2,
                      seconds=options.seconds)  # fmt: skip
        print(
            f"at {told['rate']:,.0f} docs/s, {told['documents']:,} documents, from the broker's log to the curves: "
            f"p50 {told['p50'] * 1000:.1f} ms, p99 {told['p99'] * 1000:.1f} ms, longest {told['max'] * 1000:.1f} ms"
        )


if __name__ == "__main__":
    main()

"""``telex consume --predict-only``: any number of readers of a model share the partitions of a real broker's topic."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import pytest
from broker import fixtures

wire_broker = fixtures.broker


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run on texts."""
    from telex.adapters.cli.main import main  # noqa: PLC0415 - as the fixture has the module's scope

    path = tmp_path_factory.mktemp("learnt")
    records = [{"id": f"d{i}", "text": f"{('metals', 'grain')[i % 2]} prices {i % 7}",
                "labels": [("metals", "grain")[i % 2]]} for i in range(300)]  # fmt: skip
    (path / "news.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    command = ["replay", str(path / "news.jsonl"), "--learner", "mmp", "--run", str(path / "run"), "--resume"]
    for limit in ("100", "300"):
        assert main([*command, "--limit", limit]) == 0
    return path / "run"


@pytest.fixture
def copied(run, tmp_path):
    """A copy of the run with its oldest checkpoint alone, the newest one beside it, and their numbers."""
    shutil.copytree(run, tmp_path / "run")
    first, *others = sorted(path for path in (tmp_path / "run" / "checkpoints").iterdir() if int(path.name))
    for path in others:
        shutil.move(path, tmp_path / path.name)
    return tmp_path / "run", int(first.name), int(others[-1].name)


@pytest.fixture
def topics(wire_broker):
    """The options that name a topic of four partitions and those of the results; and how to write and read them."""
    news, out, dead = wire_broker.topic(4, "news"), wire_broker.topic(2, "out"), wire_broker.topic(1, "dead")

    def put(first, count):
        records = [
            {"partition": i % 4, "key": f"d{i}".encode(), "value": value(i)} for i in range(first, first + count)
        ]
        wire_broker.put(news, records)

    def value(i):
        if i % 50 == 7:
            return b'{"text": 1}'
        return json.dumps({"id": f"d{i}", "text": f"{('metals', 'grain')[i % 2]} prices"}).encode()

    there = ("--brokers", wire_broker.address, "--topic", news, "--out-topic", out, "--dead-letter-topic", dead)
    return there, put, lambda: wire_broker.read(out), lambda: wire_broker.read(dead)


@pytest.fixture
def readers(beside, tmp_path):
    """Start readers; each with the file of what it says."""
    begun = []

    def go(run, *options):
        err = tmp_path / f"err{len(begun)}"
        with err.open("w") as file:
            process = beside("consume", "--predict-only", "--run", run, *options, stderr=file)
        begun.append(process)
        return process, err

    yield go
    for process in begun:
        process.kill()
        process.communicate()


def partitions(err):
    """The numbers of the partitions that the group gave to a reader at last."""
    given = re.findall(r"gives this reader (.*)", err.read_text())
    return {int(one.split()[-1]) for one in given[-1].split(", ")} if given and "no part" not in given[-1] else set()


def test_readers_share_a_topic_and_one_may_be_killed(wire_broker, copied, topics, readers):
    run, first, last = copied
    there, put, predictions, letters = topics
    options = (*there, "--group", wire_broker.name("readers"), "--follow-every", "0.1s")
    put(0, 200)
    one, said_one = readers(run, *options, "--metrics", "127.0.0.1:0")
    wire_broker.until(lambda: len(predictions()) >= 196)
    two, said_two = readers(run, *options)
    wire_broker.until(lambda: len(partitions(said_one)) == len(partitions(said_two)) == 2, 60)
    assert partitions(said_one) | partitions(said_two) == {0, 1, 2, 3}
    put(200, 200)
    wire_broker.until(lambda: len(predictions()) >= 392)
    [url] = re.findall(r"metrics are served at (\S+)", said_one.read_text())
    metrics = urllib.request.urlopen(url, timeout=20).read().decode()
    assert "telex_reader_partitions 2.0" in metrics
    assert f"telex_reader_checkpoint {first:.1f}" in metrics
    assert len(re.findall(r"^telex_reader_lag_records\{.*\} 0.0$", metrics, re.MULTILINE)) == 2

    shutil.move(run.parent / f"{last:06}", run / "checkpoints" / f"{last:06}")  # the learner goes on
    for said in (said_one, said_two):
        wire_broker.until(lambda said=said: f"checkpoint {last} predicts" in said.read_text())
    two.kill()
    put(400, 200)
    wire_broker.until(
        lambda: {one.key for one in predictions()} >= {f"d{i}".encode() for i in range(600) if i % 50 != 7}, 60
    )
    assert partitions(said_one) == {0, 1, 2, 3}
    one.send_signal(signal.SIGTERM)
    assert one.wait(30) == 0, said_one.read_text()
    assert "Traceback" not in said_one.read_text()

    values = [json.loads(record.value) for record in predictions()]
    assert {value["learner"] for value in values} == {"mmp"}
    assert all(value["labels"] == [("metals", "grain")[int(value["id"][1:]) % 2]] for value in values)
    assert {record.key for record in letters()} == {f"d{i}".encode() for i in range(7, 600, 50)}
    by_model = {value["position"] for value in values if int(value["id"][1:]) >= 400}
    assert {value["position"] for value in values} == {100, 300}
    assert by_model == {300}


@pytest.mark.parametrize("once", [(), ("--exactly-once",)])
def test_who_began_at_the_latest_and_was_killed_misses_nothing(wire_broker, run, topics, readers, once):
    there, put, predictions, _ = topics
    group = wire_broker.name("readers")
    options = (*there, "--group", group, "--from", "latest", *once)
    put(0, 40)  # before there is a group

    def places():
        with wire_broker.admin() as admin:
            return {at.partition: place.offset for at, place in admin.list_group_offsets({group: None})[group].items()}

    one, _ = readers(run, *options)
    wire_broker.until(lambda: places() == dict.fromkeys(range(4), 10), 60)
    one.kill()
    put(100, 20)
    readers(run, *options)
    wire_broker.until(lambda: len(predictions()) >= 19, 60)
    expected = {f"d{i}".encode() for i in range(100, 120) if i % 50 != 7}
    assert {record.key for record in predictions()} == expected


def test_who_comes_back_continues_where_the_group_is(wire_broker, run, topics, readers):
    there, put, predictions, _ = topics
    options = (*there, "--group", wire_broker.name("readers"), "--json")
    counted = []
    for first in (0, 100):
        put(first, 100)
        process, _ = readers(run, *options)
        wire_broker.until(lambda first=first: len(predictions()) >= 0.98 * (first + 100))
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
        counted.append(json.loads(out))
    assert [(one["documents"], one["dead_letters"]) for one in counted] == [(98, 2), (98, 2)]
    assert len(predictions()) == 196


KILLED_WITHIN = """
import os, pathlib, signal, sys
from kafka import KafkaProducer
from telex.adapters.cli.main import main
commit = KafkaProducer.commit_transaction
def commit_or_die(self):
    if pathlib.Path(sys.argv[1]).exists():
        self.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    commit(self)
KafkaProducer.commit_transaction = commit_or_die
sys.exit(main(sys.argv[2:]))
"""


def test_each_document_is_predicted_exactly_once(wire_broker, run, topics, readers, tmp_path):
    """One of two readers is killed when its predictions and offsets are sent, and not committed."""
    there, put, predictions, letters = topics
    options = (*there, "--group", wire_broker.name("readers"), "--exactly-once", "--json")
    one, said_one = readers(run, *options)
    command = [sys.executable, "-c", KILLED_WITHIN, tmp_path / "die", "consume", "--predict-only", "--run", run]
    with (tmp_path / "two").open("w") as file, subprocess.Popen([*command, *options], stderr=file) as two:
        wire_broker.until(lambda: len(partitions(said_one)) == len(partitions(tmp_path / "two")) == 2, 60)
        put(0, 200)
        wire_broker.until(lambda: len(predictions()) == 196)
        (tmp_path / "die").touch()
        put(200, 200)
        assert two.wait(30) == -signal.SIGKILL
    assert len(wire_broker.read(there[5], committed=False)) > len(predictions())
    put(400, 200)
    wire_broker.until(lambda: len(predictions()) + len(letters()) >= 600, 60)
    time.sleep(0.5)
    one.send_signal(signal.SIGTERM)
    told, _ = one.communicate(timeout=30)
    assert one.returncode == 0, said_one.read_text()
    assert sorted(record.key for record in predictions()) == sorted(f"d{i}".encode() for i in range(600) if i % 50 != 7)
    assert sorted(record.key for record in letters()) == sorted(f"d{i}".encode() for i in range(7, 600, 50))
    assert json.loads(told)["documents"] < 588


def test_rows_in_envelopes_of_topics_that_match(wire_broker, run, telex):
    stem, out = wire_broker.name("rows"), wire_broker.topic(1, "out")
    news = [wire_broker.topic(1, f"{stem}-{i}") for i in range(2)]
    for topic in news:
        rows = [{"before": None, "after": None if i % 3 else {"id": f"{topic}/{i}", "text": "metals prices"},
                 "op": "d" if i % 3 else "c", "ts_ms": 1} for i in range(30)]  # fmt: skip
        wire_broker.put(topic, [{"value": json.dumps(row).encode()} for row in rows])
    code, _, said = telex("consume", "--predict-only", "--run", run, "--brokers", wire_broker.address, "--topic",
                          f"{stem}-.*", "--format", "debezium", "--out-topic", out, "--limit", 20)  # fmt: skip
    assert code == 0, said
    told = [json.loads(record.value) for record in wire_broker.read(out)]
    assert {f"{one['topic']}/{one['offset']}" for one in told} == {one["id"] for one in told}
    assert len(told) == 20


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--topic", "a"], "give --brokers, --topic, --out-topic and --run"),
        (["--labels-topic", "a"], "--labels-topic is for a process that learns"),
        (["--resume"], "--resume is for a process that learns"),
        (["--learner", "a", "--learner", "b"], "one learner predicts"),
        (["--from", "1996-08-20"], "earliest or latest"),
        (["--out-topic", "news"], "named twice"),
        (["--group", "run"], "is the group of the process that learns"),
    ],
)
def test_impossible_settings_are_one_sentence(telex, run, options, said):
    given = ["--brokers", "127.0.0.1:1", "--topic", "news", "--out-topic", "out", "--run", run]
    if options[0] == "--topic":
        given = []
    code, out, err = telex("consume", "--predict-only", *given, *options)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_it_belongs_to_predict_only(telex):
    code, _, err = telex("consume", "--brokers", "b:1", "--topic", "a", "--follow-every", "1s")
    assert (code, "--follow-every has no effect without --predict-only" in err) == (2, True)

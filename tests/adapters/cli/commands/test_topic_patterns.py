"""``telex consume --topic PATTERN``: all topics of a real broker that match, and those that come later."""

import json
import time

import pytest
from broker import fixtures

wire_broker = fixtures.broker
SOON = "[kafka]\nmetadata_max_age_ms = 300\n"


def put(wire_broker, topic, first, count):
    wire_broker.put(topic, [
        {"key": b"%d" % i, "timestamp_ms": 1000 * i,
         "value": json.dumps({"text": f"{'gold' if i % 2 else 'wheat'} rises", "labels": ["ab"[i % 2]]}).encode()}
        for i in range(first, first + count)
    ])  # fmt: skip


@pytest.fixture
def wires(wire_broker, tmp_path):
    """Two topics that a pattern stands for, one that it does not, and the options that read them."""
    name = wire_broker.name("wire")
    for i, stem in enumerate((f"{name}-de", f"{name}-fr", f"old-{name}-de")):
        put(wire_broker, wire_broker.topic(1, stem), 100 * i, 30)
    (tmp_path / "soon.toml").write_text(SOON)
    there = ("consume", "--brokers", wire_broker.address, "--topic", f"{name}-.*", "--learner", "mmp",
             "--no-baselines", "--config", tmp_path / "soon.toml")  # fmt: skip
    return name, there


@pytest.mark.parametrize("how", [(), ("--exactly-once",)])
def test_all_topics_that_match_and_not_those_of_results(telex, tmp_path, wire_broker, wires, how):
    name, there = wires
    into = ("--out-topic", f"{name}-out", "--create-topics", 1, *how)
    for limit, documents in ((20, 20), (1000, 60), (1000, 60)):
        run = ("--run", tmp_path / "r", "--resume", "--limit", limit, "--until-end", "--json")
        code, out, said = telex(*there, *into, *run)
        assert (code, json.loads(out)["documents"]) == (0, documents), said
    assert len(wire_broker.read(f"{name}-out")) == 60
    code, out, said = telex(*there, "--look", 100, "--json")
    places = {one["place"].rpartition("/")[0] for one in json.loads(out)["documents"]}
    assert (code, {place.rpartition("-")[0] for place in places}) == (0, {f"{name}-de", f"{name}-fr"})


def test_a_topic_that_comes_later_is_taken_up_and_kept(beside, telex, tmp_path, wire_broker, wires):
    name, there = wires
    run = tmp_path / "r"
    process = beside(*there, "--run", run, "--points", 10)
    read(process, run, 60)
    put(wire_broker, wire_broker.topic(2, f"{name}-it"), 300, 25)
    read(process, run, 80)
    process.terminate()
    _, said = process.communicate(timeout=60)
    assert (process.returncode, "stopped after 85 documents" in said) == (0, True), said
    put(wire_broker, wire_broker.topic(1, f"{name}-jp"), 400, 15)
    code, _, said = telex(*there[:3], *there[-2:], "--run", run, "--resume", "--limit", 100)
    assert (code, "100 documents in" in said) == (0, True), said
    code, _, said = telex(*there, "--order-of", run, "--run", tmp_path / "again", "--points", 10)
    assert code == 0, said
    for file in ("curves.csv", "labels.csv"):
        assert (run / file).read_bytes() == (tmp_path / "again" / file).read_bytes()


def read(process, run, documents):
    """Wait until the run has a point at or behind so many documents."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        lines = (run / "curves.csv").read_text().splitlines() if (run / "curves.csv").exists() else []
        if len(lines) > 1 and int(lines[-1].split(",")[1]) >= documents:
            return
        time.sleep(0.05)
    raise AssertionError(process.communicate(timeout=10)[1] if process.poll() is not None else lines[-3:])


def test_a_pattern_that_stands_for_nothing_or_is_none(telex, wire_broker):
    code, _, said = telex("consume", "--brokers", wire_broker.address, "--topic", "nothing-.*", "--until-end")
    assert (code, "no topic is called nothing-.* yet" in said) == (2, True), said
    code, _, said = telex("consume", "--brokers", wire_broker.address, "--topic", "news-(", "--until-end")
    assert (code, "is neither a topic's name nor a regular expression" in said) == (2, True), said

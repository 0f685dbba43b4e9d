"""Prometheus itself scrapes a run, and the rules of deploy/ raise an alarm.

No module of its own: it runs `endpoints` against the program that calls them.
"""

import json
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
import yaml
from broker import fixtures
from deploy.exported import Kafka, Live, Results, batches, changing

from telex.adapters.kafka.consume import PartitionFigures, TopicFigures
from telex.adapters.prometheus import DeliveryCollector, WireCollector, serve_metrics
from telex.learners import MMP, NB
from telex.stream import Run

wire_broker = fixtures.broker
DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
SHORT = "4s"
"""What all stretches of time of the rules become; of the expressions, too: a rate needs two scrapes."""


class Wire(Live):
    """Yields its documents, and then nothing until its end."""

    def __init__(self, batches):
        super().__init__(batches)
        self.all_told, self.over = threading.Event(), threading.Event()

    def __iter__(self):
        for batch in super().__iter__():
            yield batch
            time.sleep(0.05)
        self.all_told.set()
        assert self.over.wait(120)


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


def shortened(folder, target):
    """The configuration of deploy/ for one process, with all its times cut short."""
    for name in ("rules.yml", "alerts.yml"):
        content = yaml.safe_load((DEPLOY / "prometheus" / name).read_text())
        for rule in (rule for group in content["groups"] for rule in group["rules"]):
            rule["expr"] = re.sub(r"\[\d+[smhd]\]", f"[{SHORT}]", rule["expr"])
            if "for" in rule:
                rule["for"] = "1s"
        (folder / name).write_text(yaml.safe_dump(content))
    content = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    content["global"] = {"scrape_interval": "500ms", "evaluation_interval": "500ms"}
    content["scrape_configs"] = [{"job_name": "telex", "static_configs": [{"targets": [target]}]}]
    path = folder / "prometheus.yml"
    path.write_text(yaml.safe_dump(content))
    return path


class Prometheus:
    """A running one."""

    def __init__(self, folder, target):
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        command = ["prometheus", f"--config.file={shortened(folder, target)}", f"--storage.tsdb.path={folder / 'db'}"]
        command += [f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]
        self.log = (folder / "log").open("wb")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)

    def asked(self, what, **parameters):
        url = f"{self.url}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(url, timeout=10) as answer:
            found = json.load(answer)
        assert found["status"] == "success"
        return found["data"]

    def until(self, sought, what, patience=60.0):
        """Ask until something is found."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            assert self.process.poll() is None, Path(self.log.name).read_text()
            try:
                if found := sought():
                    return found
            except OSError:
                pass  # it has not begun to listen
            time.sleep(0.25)
        return pytest.fail(f"{what} did not come; {Path(self.log.name).read_text()}")

    def value(self, expression):
        found = self.asked("query", query=expression)["result"]
        return float(found[0]["value"][1]) if found else None

    def firing(self):
        alerts = [alert for alert in self.asked("alerts")["alerts"] if alert["state"] == "firing"]
        return {alert["labels"]["alertname"]: alert for alert in alerts}

    def end(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def check_there():
    if shutil.which("prometheus") is None:
        pytest.skip("prometheus is not installed; `apt-get install --no-install-recommends prometheus` has it")


@pytest.fixture
def stalled(tmp_path):
    """A run that has read everything, while the wire reports 7 waiting records; and the Prometheus that scrapes it."""
    check_there()
    metrics, kafka = serve_metrics("127.0.0.1:0", {}), Kafka()
    metrics.registry.register(WireCollector(kafka))
    metrics.registry.register(DeliveryCollector(Results()))
    kafka.now = TopicFigures([PartitionFigures("news", 0, position=2000, end=2000)], rebalances=1)
    wire = Wire(batches(changing(2000), 50))
    run = Run(wire, {"mmp": MMP(), "nb": NB()}, sinks=[metrics], window=100, champion="window=100", drift="ADWIN")
    thread = threading.Thread(target=lambda: list(run))
    prometheus = Prometheus(tmp_path, f"127.0.0.1:{metrics.server.port}")
    thread.start()
    try:
        yield prometheus, run, wire, kafka
    finally:
        wire.over.set()
        thread.join()
        prometheus.end()


def test_an_alarm_is_raised(stalled):
    prometheus, run, wire, kafka = stalled
    prometheus.until(lambda: prometheus.value('up{job="telex"}') == 1, "the first scrape")
    assert wire.all_told.wait(60)
    prometheus.until(lambda: prometheus.value("max(telex_documents_consumed_total)") == 2000, "the last document")
    prometheus.until(lambda: prometheus.value("instance:telex_documents_consumed:rate5m") == 0, "a rate of nothing")
    assert "TelexStalled" not in prometheus.firing()
    for learner in run.learners:
        expected = run.state.sections[0].so_far(run.learners)[learner]["iserr"]
        assert prometheus.value(f'telex_metric_ratio{{learner="{learner}", name="iserr", window="all"}}') == expected
    kafka.now = TopicFigures([PartitionFigures("news", 0, position=2000, end=2007)], rebalances=1)
    alert = prometheus.until(lambda: prometheus.firing().get("TelexStalled"), "the alarm")
    assert alert["labels"]["severity"] == "critical"
    assert alert["annotations"]["summary"].endswith("takes nothing, and 7 records wait")
    assert not prometheus.firing().keys() & {"TelexDown", "TelexNoPartitions", "TelexLag", "TelexCheckpointOld"}

    healthy = {rule["name"]: rule["health"] for group in prometheus.asked("rules")["groups"] for rule in group["rules"]}
    files = (yaml.safe_load((DEPLOY / "prometheus" / name).read_text()) for name in ("rules.yml", "alerts.yml"))
    written = [rule for file in files for group in file["groups"] for rule in group["rules"]]
    assert sorted(healthy) == sorted(rule.get("alert", rule.get("record")) for rule in written)
    assert set(healthy.values()) == {"ok"}
    dashboard = json.loads((DEPLOY / "grafana" / "dashboards" / "telex.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    given = {"$instance": ".*", "$learner": ".*", "$label": ".*", "$loss": "errsetsize", "$__rate_interval": SHORT}
    empty = []
    for query in queries:
        for name, value in given.items():
            query = query.replace(name, value)  # noqa: PLW2901
        if not prometheus.asked("query", query=query)["result"]:
            empty.append(query)
    # What this run does not do: it has no refits, checkpoints, late answers, broken records or readers.
    absent = ("telex_reader", "refit", "checkpoint", "window_", "dead_letters", "rate1h", "poll_interval")
    assert [query for query in empty if not any(name in query for name in absent)] == []


def test_a_process_that_is_gone_is_noticed(stalled):
    prometheus, _, wire, _ = stalled
    prometheus.until(lambda: prometheus.value('up{job="telex"}') == 1, "the first scrape")
    wire.over.set()
    alert = prometheus.until(lambda: prometheus.firing().get("TelexDown"), "the alarm")
    assert alert["annotations"]["summary"].endswith("cannot be scraped")


@pytest.fixture
def followed(tmp_path, wire_broker):
    """A topic with a hundred documents, the run that follows it, and the Prometheus that scrapes it."""
    check_there()
    topic, port = wire_broker.topic(2, "news", message_timestamp_type="LogAppendTime"), free_port()
    documents = [json.dumps({"id": f"d{i}", "text": "Gold falls.", "labels": ["metals"]}).encode() for i in range(100)]
    wire_broker.put(topic, [{"partition": i % 2, "value": value} for i, value in enumerate(documents)])
    command = [sys.executable, "-m", "telex.adapters.cli.main", "consume", "--brokers", wire_broker.address]
    command += ["--topic", topic, "--learner", "mmp", "--run", tmp_path / "run", "--checkpoint-every", "1s"]
    consuming = subprocess.Popen([*map(str, command), "--metrics", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
    prometheus = Prometheus(tmp_path, f"127.0.0.1:{port}")
    try:
        yield prometheus, wire_broker, topic
    finally:
        prometheus.end()
        consuming.terminate()
        assert consuming.wait(60) == 0


def test_a_live_wire_is_watched(followed):
    prometheus, wire_broker, topic = followed
    consumed = "sum(telex_documents_consumed_total)"
    prometheus.until(lambda: prometheus.value(consumed) == 100, "the last document")
    prometheus.until(lambda: prometheus.value(f'sum(telex_consumer_lag_records{{topic="{topic}"}})') == 0, "the end")
    assert prometheus.value("telex_assigned_partitions") == 2
    prometheus.until(lambda: prometheus.value("telex_end_to_end_latency_seconds_count") == 100, "all latencies")
    assert 0 <= prometheus.value("telex_end_to_end_latency_seconds_sum") < 100 * 60
    prometheus.until(lambda: prometheus.value("telex_checkpoint_last_success_timestamp_seconds"), "a checkpoint")
    assert "TelexDeadLetters" not in prometheus.firing()
    deadline = time.monotonic() + 60
    while "TelexDeadLetters" not in prometheus.firing():
        assert time.monotonic() < deadline
        wire_broker.put(topic, [{"value": b'{"id": 7'}, {"value": b'{"id": "x", "text": 5}'}])
        time.sleep(0.5)
    alert = prometheus.firing()["TelexDeadLetters"]
    assert "telex_dead_letters_total has the reasons" in alert["annotations"]["description"]
    assert prometheus.value("sum(telex_dead_letters_total)") >= 2

"""The stack's publisher and learner, by their own command lines, on a broker with the stack's topics."""

import json
import re
import subprocess
import sys
from pathlib import Path

import yaml

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
DOCUMENTS = 300


def test_what_the_publisher_publishes_the_learner_learns_and_puts_back(broker, tmp_path):
    stack = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    instead = {"kafka:9092": broker.address, "/var/lib/telex/run": str(tmp_path / "run"), "0.0.0.0:9464": "127.0.0.1:0"}
    for topic, partitions in re.findall(r"([\w-]+):(\d)", stack["topics"]["command"][0].split("; do")[0]):
        instead[topic] = broker.topic(int(partitions), topic)

    def run(service, *last):
        given = [option.partition("=") for option in stack[service]["command"]]
        command = [name + equals + instead.get(value, value) for name, equals, value in given]
        telex = Path(sys.executable).with_name("telex")
        return subprocess.run([telex, *command, "--limit", str(DOCUMENTS), *last],
                              capture_output=True, text=True, check=True, timeout=120)  # fmt: skip

    run("publisher", "--rate", "10000", "--label-delay", "10")
    done = json.loads(run("telex", "--max-idle", "5s", "--json").stdout)
    assert (done["documents"], done["pending"], done["dead_letters"]) == (DOCUMENTS, 0, 0)
    assert len(broker.read(instead["predictions"])) == DOCUMENTS

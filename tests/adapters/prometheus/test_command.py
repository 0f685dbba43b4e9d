"""``--metrics``: a command's run is served while it goes.

No module of its own: the option belongs to replay and consume.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request

import pytest
from deploy.exported import of
from prometheus_client.parser import text_string_to_metric_families


def page(url):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=10) as answer:
        return answer.read().decode()


def series(url):
    families = text_string_to_metric_families(page(f"{url}/metrics"))
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def until(sought, patience=60.0):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if found := sought():
            return found
        time.sleep(0.05)
    return pytest.fail("it does not come")


def test_a_replay_is_served_until_it_ends(tmp_path):
    command = [sys.executable, "-m", "telex.adapters.cli.main", "replay", "-", "--format", "jsonl", "--learner", "br"]
    command += ["--metrics", "127.0.0.1:0", "--no-baselines"]
    with (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=err, cwd=tmp_path)
    try:
        for i in range(500):
            record = {"id": str(i), "text": f"Gold falls again {i % 7}.", "labels": ["metals"]}
            process.stdin.write(json.dumps(record).encode() + b"\n")
        process.stdin.flush()
        told = until(lambda: re.search(r"served at (http://\S+)/metrics", (tmp_path / "err").read_text()))
        url = told.group(1)
        until(lambda: series(url).get(("telex_run_documents", ())) == 500)  # it waits for more
        assert page(f"{url}/readyz") == page(f"{url}/healthz") == "ok\n"
        process.stdin.close()
        process.wait(60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, (tmp_path / "err").read_text()
    with pytest.raises(OSError):  # noqa: PT011
        page(f"{url}/healthz")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_feed_of_documents_is_counted_and_stops_in_order(tmp_path):
    command = [sys.executable, "-m", "telex.adapters.cli.main", "replay", "synthetic:n=2000000", "--learner", "br"]
    with (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen([*command, "--metrics", "127.0.0.1:0"], stderr=err, cwd=tmp_path)
    try:
        url = until(lambda: re.search(r"served at (http://\S+)/metrics", (tmp_path / "err").read_text())).group(1)
        found = until(lambda: (one := series(url)).get(("telex_run_documents", ()), 0) > 1000 and one)
        assert of(found, "telex_documents_learned_total", learner="br") == of(found, "telex_run_documents")
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, (tmp_path / "err").read_text()

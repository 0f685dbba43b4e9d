"""A run ends soon after a signal though a single document takes long."""

import json
import signal
import subprocess
import sys
import time

import pytest

SOON = 20  # seconds: generous, as the machine may be busy; the document takes minutes


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_document_that_takes_minutes(number, code, tmp_path):
    path = tmp_path / "news.jsonl"
    with path.open("w") as file:
        for i in range(40):
            labels = [f"L{j:05}" for j in range(i, 60_000, 2)]
            file.write(json.dumps({"id": str(i), "text": f"wheat price {i}", "labels": labels}) + "\n")
    call = [sys.executable, "-m", "telex.adapters.cli.main", "replay", str(path), "--budget", "none"]
    learner = ["--learner", "mmp:penalty=random,loss=errsetsize"]
    with subprocess.Popen([*call, *learner, "--no-baselines"], stderr=subprocess.PIPE, text=True) as run:
        time.sleep(4)
        assert run.poll() is None
        began = time.monotonic()
        run.send_signal(number)
        _, said = run.communicate(timeout=SOON * 3)
    assert time.monotonic() - began < SOON
    assert run.returncode == code
    assert "Traceback" not in said

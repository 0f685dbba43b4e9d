"""Shards, fits and folds on a cluster of two Ray nodes, in a network namespace: elsewhere Ray would listen to everyone.

The cases are in cluster_cases.py; Ray starts once for all of them.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
ALONE = ["unshare", *(["-r"] if os.getuid() else []), "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
CASES = [
    "no_cluster_is_started",
    "a_replay_is_that_of_one_process",
    "learners_whose_labels_learn_together_are_refused",
    "topics_are_followed_as_by_one_process",
    "folds_are_tasks",
    "settings_are_tried_as_tasks",
    "fits_are_tasks",
    "a_lost_node_and_a_lost_actor_come_back",
]


def alone(*command, **settings):
    """Run a command in a network that has only itself."""
    inside = [*ALONE, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *command]
    return subprocess.run(inside, capture_output=True, text=True, check=False, **settings)


def test_cases_on_a_cluster():
    """One test for all, so that workers of pytest-xdist do not start a cluster each."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed; `pip install 'telex[ray]'`")
    try:
        probe = alone("true", timeout=20)
    except FileNotFoundError as error:
        pytest.skip(f"{error.filename} is not installed, and Ray may run only in a network namespace")
    if probe.returncode:
        pytest.skip(f"no network namespace may be made here, and Ray runs only in one: {probe.stderr.strip()}")
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:  # sockets need short paths
        settings = os.environ | {
            "PYTHONPATH": str(TESTS),
            "RAY_TMPDIR": folder,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_DISABLE_MEMORY_MONITOR": "1",
            "RAY_enable_metrics_collection": "0",
            "RAY_prestart_worker_first_driver": "0",
        }
        settings.pop("RAY_ADDRESS", None)
        cases = str(Path(__file__).with_name("cluster_cases.py"))
        done = alone(sys.executable, cases, folder, env=settings, cwd=folder, timeout=280)
    print(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert set(found) == set(CASES)
    failed = {case: wrong for case, wrong in found.items() if wrong}
    assert not failed, "\n".join(f"{case}:\n{wrong}" for case, wrong in failed.items())

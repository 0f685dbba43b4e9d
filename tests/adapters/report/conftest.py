"""Runs to report, and one browser for all tests of pages."""

import json

import pytest
from chromium import MissingError, chromium

from telex.adapters.cli.main import main

HOSTILE = "</script><script>window.struck=1</script><img src=x onerror='window.struck=2'>{{script}}"


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """The folder of a run over a newswire with drifts, changes of the champion, and two broken records."""
    home = tmp_path_factory.mktemp("reported")
    wire = home / "wire.jsonl"
    assert main(["publish", "synthetic:n=1500,drift=0.5,seed=3", "--out", str(wire)]) == 0
    with wire.open("a") as file:
        file.write('{"id": "bad", "labels": 5}\n' + json.dumps({"text": HOSTILE, "labels": [HOSTILE]}) + "\n")
        file.write(json.dumps({"id": HOSTILE, "title": HOSTILE, "text": "a b c", "labels": [HOSTILE]}) + "\n")
    options = [
        "--points",
        "20",
        "--drift",
        "ADWIN:delta=0.5",
        "--champion",
        "window=200,margin=0.001",
        "--window",
        "200",
    ]
    assert main(["replay", str(wire), "--run", str(home / "run"), *options]) == 0
    return home / "run"


@pytest.fixture(scope="session")
def chromium_process():
    """A Chromium without a window."""
    try:
        found = chromium()
    except MissingError as error:
        pytest.skip(str(error))
    yield found
    found.quit()


@pytest.fixture
def browser(chromium_process):
    """A Chromium that shows nothing, with an empty log: the page of an earlier test may still ask its server."""
    chromium_process.get("about:blank")
    chromium_process.get_log("browser")
    return chromium_process

"""Runs to report, and one browser for all who look at pages."""

import json
import shutil

import pytest

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
def browser():
    """A Chromium without a window."""
    webdriver = pytest.importorskip(
        "selenium.webdriver", reason="selenium is not installed, with which a browser is led"
    )
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("no Chromium here to look at a page with; apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield found
    found.quit()

"""Pictures of pages, taken in a Chromium that selenium drives: of ``telex demo``'s newswire, as make.py has it."""

from __future__ import annotations

import base64
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from selenium import webdriver

from telex.adapters.formats import open_source
from telex.adapters.prometheus import MetricsSink
from telex.adapters.report import report
from telex.adapters.report.live import LiveSink
from telex.adapters.report.live.pages import serve_live
from telex.learners import learners
from telex.stream import Run, RunFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

WIRE = "synthetic:n=20000,seed=0,drift=0.5"
FACTS = {"command_line": ["telex", "replay", WIRE, "--drift", "ADWIN", "--champion", "window=1000"]}
AT = 12_000
WIDTH, HEIGHT = 1100, 1060


def run(folder: RunFolder, *sinks: Any) -> Run:
    """Return the run to show."""
    return Run(
        open_source([WIRE]), learners([], seed=0), sinks=[folder, *sinks], points=100, drift="ADWIN",
        champion="window=1000", checkpoints=folder.checkpoints,
    )  # fmt: skip


@contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """Open a Chromium without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}"):
        options.add_argument(argument)
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield opened
    finally:
        opened.quit()


def taken(url: str, path: Path, theme: str, top: str = "body", height: int = HEIGHT) -> None:
    """Take a picture of a page, ``height`` high from the element ``top`` on."""
    with browser() as opened:
        media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        opened.get(url)
        y = opened.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect().top", top)
        clip = {"x": 0, "y": max(0, y - 20), "width": WIDTH, "height": height, "scale": 1}
        found = opened.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        path.write_bytes(base64.b64decode(found["data"]))


def report_of_a_run(path: Path) -> None:
    """Take the report of a finished run."""
    with TemporaryDirectory() as home:
        folder = RunFolder(Path(home) / "demo", FACTS)
        for _ in run(folder):
            pass
        taken(report([folder.path], Path(home) / "demo.html").as_uri(), path, "light")


def page_of_a_run(path: Path) -> None:
    """Take the page of a run at work."""
    with TemporaryDirectory() as home:
        folder = RunFolder(Path(home) / "wire", FACTS)
        live = LiveSink(FACTS, folder.path)
        serve_live("127.0.0.1:0", live, MetricsSink())
        going = run(folder, live)
        for point in going:
            if point.documents == AT and live.server is not None:
                live.news(labels=True)  # it is the run's own thread that looks
                taken(live.server.url, path, "dark", "#newest", 620)
                break
        going.close()

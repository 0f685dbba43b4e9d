"""Makes the pictures of pages in the README: ``python docs/pictures/pages.py``. Takes selenium and a Chromium.

Both are of ``telex demo``'s newswire; made again they are the same but for the pace of the machine.
"""

from __future__ import annotations

import base64
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from selenium import webdriver

from telex.adapters.formats import open_source
from telex.adapters.prometheus import Metrics
from telex.adapters.report import report
from telex.adapters.report.live import Live
from telex.adapters.report.serving import served_live
from telex.learners.registry import learners
from telex.stream import Run, RunFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
WIRE = "synthetic:n=20000,seed=0,drift=0.5"
COMMAND = ["telex", "replay", WIRE, "--drift", "ADWIN", "--champion", "window=1000"]
AT = 12_000
WIDTH, HEIGHT = 1100, 1060


def run(folder: RunFolder, *sinks: Any) -> Run:
    """Return the run that is shown."""
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
    """Take a picture of a page, so high from the element ``top`` on."""
    with browser() as opened:
        media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        opened.get(url)
        y = opened.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect().top", top)
        clip = {"x": 0, "y": max(0, y - 20), "width": WIDTH, "height": height, "scale": 1}
        found = opened.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        path.write_bytes(base64.b64decode(found["data"]))
        print(path)


def main() -> int:
    """Make both pictures."""
    with TemporaryDirectory() as home:
        facts = {"command_line": COMMAND}
        for _ in run(RunFolder(Path(home) / "demo", facts)):
            pass
        taken(report([Path(home) / "demo"], Path(home) / "demo.html").as_uri(), HERE / "report.png", "light")
        live = Live(facts, Path(home) / "wire")
        served_live("127.0.0.1:0", live, Metrics())
        going = run(RunFolder(Path(home) / "wire", facts), live)
        for point in going:
            if point.documents == AT and live.server is not None:
                live.news(labels=True)  # it is the run's own thread that looks
                taken(live.server.url, HERE / "page.png", "dark", "#newest", 620)
                break
        going.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

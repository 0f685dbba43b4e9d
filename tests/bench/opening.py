"""How large the page of a long run is, and how soon it is open: ``python tests/bench/opening.py``.

As many documents as RCV1 has go through the four learners and the two baselines, with a point every hundred documents;
the report of that run is opened in a browser, again and again. It is to take less than 3 MB, and less than a second.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chromium import MissingError, chromium
from ours import command

MOST_BYTES, MOST_MS = 3_000_000, 1000
OPEN = "const [e] = performance.getEntriesByType('navigation'); return e.loadEventEnd"


def main() -> None:
    """Run, report, open, print; exit code 1 where the page is too large or too slow."""
    parser = argparse.ArgumentParser(prog="python tests/bench/opening.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=804_414)
    parser.add_argument("--points", type=int, default=100, help="documents from one point to the next (100)")
    parser.add_argument("--times", type=int, default=5, help="how often it is opened (5)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="telex-opening-") as name:
        run, path = Path(name) / "run", Path(name) / "report.html"
        wire = f"synthetic:n={options.documents},seed=1,drift=0.1"
        subprocess.run(
            [*command(), "replay", wire, "--run", run, "--points", str(options.points)], check=True, capture_output=True
        )
        subprocess.run([*command(), "report", run, "-o", path], check=True, capture_output=True)
        took = opened(path, options.times)
        size = path.stat().st_size
    found = {"bytes": size, "milliseconds": took, "median": statistics.median(took)}
    if options.json:
        print(json.dumps(found))
    else:
        print(f"{size / 1e6:.2f} MB (3); open after {', '.join(f'{one:.0f}' for one in took)} ms (1000)")
    sys.exit(0 if size < MOST_BYTES and found["median"] < MOST_MS else 1)


def opened(path: Path, times: int) -> list[float]:
    """Return after how many milliseconds the page was loaded, its curves drawn, each time."""
    try:
        browser = chromium()
    except MissingError as error:
        sys.exit(str(error))
    try:
        found = []
        for _ in range(times):
            browser.get(path.as_uri())
            found.append(float(browser.execute_script(OPEN)))
        return found
    finally:
        browser.quit()


if __name__ == "__main__":
    main()

"""What it costs to be watched: ``python tests/bench/metrics.py``.

The four learners and the two baselines go through the synthetic newswire, in a process of its own each time: in turn
without metrics, and with metrics that are scraped. What counts is the time of the processors, all threads together, of
each pair of runs: a neighbour disturbs it less than the speed.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time

from paired import main

from telex.adapters.formats import open_source
from telex.adapters.prometheus import serve_metrics
from telex.learners import learners
from telex.stream import Run, Sink


def once(documents: int, every: float | None, learner: str | None) -> dict[str, float]:
    """Return the time of the processors and of the clock that a run takes, scraped where ``every`` says how often."""
    sinks: list[Sink] = []
    ended = threading.Event()
    asked = list[float]()
    if every is not None:
        metrics = serve_metrics("127.0.0.1:0", {})
        sinks.append(metrics)
        url = f"{metrics.server.url}/metrics" if metrics.server else ""

        def scrape() -> None:
            # The scraper is a program of its own, so that its work does not count as ours.
            code = f"import urllib.request as u; u.urlopen({url!r}, timeout=10).read()"
            while not ended.wait(every):
                start = time.perf_counter()
                subprocess.run([sys.executable, "-S", "-c", code], check=False)
                asked.append(time.perf_counter() - start)

        threading.Thread(target=scrape, daemon=True).start()
    chosen = learners([learner] if learner else (), seed=0, baselines=learner is None)
    run = Run(open_source([f"synthetic:n={documents},seed=1"]), chosen, sinks=sinks)
    clock, processors = time.perf_counter(), time.process_time()
    for _ in run:
        pass
    ended.set()
    return {
        "processors": time.process_time() - processors,
        "clock": time.perf_counter() - clock,
        "scrapes": len(asked),
    }


if __name__ == "__main__":
    main(
        __file__,
        once,
        __doc__.partition("\n")[0],
        "every",
        None,
        kind=float,
        default=5.0,
        told="seconds between scrapes",
        name="being watched",
        counted="scrapes",
    )

"""What it costs to be shown: ``python tests/bench/serve.py``.

The four learners and the two baselines go through the synthetic newswire, in a process of its own each time: in turn
alone, and with ``--serve`` and a page open that asks as a browser does. What counts is the time of the processors, all
threads together, of each pair of runs; of the threads that answer too, for they take it from the run.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time

from paired import main

from telex.adapters.formats import open_source
from telex.adapters.prometheus import MetricsSink
from telex.adapters.report.live import LiveSink, serve_live
from telex.adapters.report.live.live_sink import EVERY
from telex.learners import learners
from telex.stream import Run, Sink

_PAGE = """
import json, sys, time, urllib.request
url, every, rounds, events, after = sys.argv[1], float(sys.argv[2]), 0, 0, 0
ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
try:
    ask(f"{url}/", timeout=30).read()
    while True:
        query = f"after={after}&events={events}&labels={int(rounds % 5 == 0)}"
        news = json.load(ask(f"{url}/report.json?{query}", timeout=30))
        events, rounds = news["events_count"], rounds + 1
        after = news["curves"]["documents"][-1] if news["curves"] and news["curves"]["documents"] else after
        time.sleep(every)
except Exception:
    print(rounds)
"""
"""A program of its own, so that its work does not count as ours."""


def once(documents: int, pages: int, learner: str | None) -> dict[str, float]:
    """Return the time of the processors and of the clock that a run takes, with this many open pages."""
    sinks: list[Sink] = []
    watching: list[subprocess.Popen[str]] = []
    if pages:
        metrics, live = MetricsSink(), LiveSink()
        serve_live("127.0.0.1:0", live, metrics)
        sinks += [metrics, live]
        url = live.server.url if live.server else ""

        def open_pages() -> None:
            time.sleep(0.5)
            for _ in range(pages):
                command = [sys.executable, "-S", "-c", _PAGE, url, str(EVERY)]
                watching.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))

        threading.Thread(target=open_pages, daemon=True).start()
    chosen = learners([learner] if learner else (), seed=0, baselines=learner is None)
    run = Run(open_source([f"synthetic:n={documents},seed=1"]), chosen, sinks=sinks)
    clock, processors = time.perf_counter(), time.process_time()
    for _ in run:
        pass
    found = {"processors": time.process_time() - processors, "clock": time.perf_counter() - clock}
    asked = sum(int(page.communicate()[0] or 0) for page in watching)
    return {**found, "questions": asked}


if __name__ == "__main__":
    main(
        __file__,
        once,
        __doc__.partition("\n")[0],
        "pages",
        0,
        kind=int,
        default=1,
        told="pages that are open",
        name="being shown",
        counted="questions",
    )

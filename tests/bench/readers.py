"""What readers of a model cost: ``python tests/bench/readers.py``.

A run learns texts of 76 words, until the learner has weights for all words and labels (50,000 and 103, as MMP has them
for Reuters' year). Then its checkpoint is loaded again and again, as a reader does, and a reader answers requests over
HTTP, one after the other, with 1 and with 100 documents, with and without the terms that decide. At last it does so
while new checkpoints come as fast as it can load them. Loading is to take less than a second.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
import urllib.request
from pathlib import Path

from telex.adapters.http import PredictEndpoint, Server, predict_route
from telex.learners import learners
from telex.stream import Run, RunFolder
from telex.stream.predict import FollowedModel, Model
from telex.stream.sources import Features, Story, StoryBuilder

_WORDS, _LABELS = 76, 3
_GOAL = 1.0


def _stories(count: int, words: list[str], labels: list[str]) -> StoryBuilder:
    draw, found = random.Random(1), StoryBuilder()
    for number in range(count):
        text = " ".join(draw.choices(words, k=_WORDS))
        found.add(Story(f"d{number}", text, labels=draw.sample(labels, _LABELS)))
    return found


def _run(folder: Path, options: argparse.Namespace, words: list[str]) -> None:
    """Learn until each word has weights, and leave one checkpoint."""
    stories = _stories(options.documents, words, [f"L{number}" for number in range(options.labels)]).take()
    parts = [stories.rows(i, min(i + 1000, len(stories))) for i in range(0, len(stories), 1000)]
    sink = RunFolder(folder, losses=False)
    chosen = learners([options.learner], seed=0, baselines=False)
    for _ in Run(Features(parts, "stem=none"), chosen, sinks=[sink], checkpoints=sink.checkpoints):
        pass


def _load(folder: Path, options: argparse.Namespace) -> tuple[float, float]:
    clock, processors = time.perf_counter(), time.process_time()
    model = Model.open(folder, learners=learners([options.learner], seed=0, baselines=False))
    model.load(model.learner)
    return time.perf_counter() - clock, time.process_time() - processors


def _ask(url: str, body: bytes, query: str, seconds: float, documents: int) -> tuple[float, list[float]]:
    """Ask for so many seconds; return the documents a second, and the sorted seconds of each request."""
    took: list[float] = []
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        asked = time.perf_counter()
        request = urllib.request.Request(f"{url}/predict{query}", body, {"Content-Type": "application/x-ndjson"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            answer.read()
        took.append(time.perf_counter() - asked)
    return documents * len(took) / sum(took), sorted(took)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python tests/bench/readers.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--learner", default="mmp", help="what has learnt, and predicts (mmp)")
    parser.add_argument("--features", type=int, default=50_000, help="words (50000)")
    parser.add_argument("--labels", type=int, default=103, help="labels (103)")
    parser.add_argument("--documents", type=int, default=10_000, help="documents that are learnt before (10000)")
    parser.add_argument("--seconds", type=float, default=5.0, help="for which requests are sent, each time (5)")
    parser.add_argument("--rounds", type=int, default=9, help="how often the checkpoint is loaded (9)")
    options = parser.parse_args()
    draw = random.Random(2)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=8)) for _ in range(options.features)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        _run(folder, options, words)
        found = [_load(folder, options) for _ in range(options.rounds)]
        newest = max((folder / "checkpoints").iterdir())
        size = sum(path.stat().st_size for path in newest.iterdir()) / 1e6
        clock, processors = (statistics.median(column) for column in zip(*found, strict=True))
        print(
            f"a checkpoint of {size:.0f} MB is loaded in {clock:.3f} s ({processors:.3f} s of processors), median of "
            f"{options.rounds}; the goal is {_GOAL:g} s: {'reached' if clock < _GOAL else 'MISSED'}"
        )
        chosen = lambda: learners([options.learner], seed=0, baselines=False)  # noqa: E731 - as short as it is
        followed = FollowedModel(folder, chosen)
        followed.look()
        with Server("127.0.0.1:0", {"/predict": predict_route(PredictEndpoint(followed))}) as server:
            lines = [json.dumps({"text": " ".join(draw.choices(words, k=_WORDS))}).encode() for _ in range(100)]
            for count, query in ((1, "?reasons=0"), (1, ""), (100, "?reasons=0"), (100, "")):
                rate, took = _ask(server.url, b"\n".join(lines[:count]), query, options.seconds, count)
                _tell(f"{count} documents a request, {'with' if query == '' else 'without'} terms", rate, took)
            followed.follow(0.0)
            loads = []
            followed._loaded = loads.append
            for number in range(int(newest.name) + 1, int(newest.name) + 4):
                shutil.copytree(newest, newest.with_name(".coming"))
                newest.with_name(".coming").rename(newest.with_name(f"{number:06}"))
            rate, took = _ask(server.url, lines[0], "", options.seconds, 1)
            _tell(f"while {len(loads)} newer checkpoints were loaded, 1 document a request", rate, took)
            followed.close()


def _tell(what: str, rate: float, took: list[float]) -> None:
    median, most = took[len(took) // 2], took[-1]
    print(f"{what}: {rate:,.0f} documents a second; a request takes {1000 * median:.1f} ms, at most {1000 * most:.1f}")


if __name__ == "__main__":
    main()

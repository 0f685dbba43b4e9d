"""A live run that is killed and resumed, against a real broker: its recorded order is taken again."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys

import numpy as np
from topics.living import run
from topics.scripted import WORDS

from telex.adapters.kafka.consume import Order

LIVING = """
import sys
from topics.living import run
if __name__ == "__main__":
    for _ in run(*sys.argv[1:4], limit=int(sys.argv[4])):
        pass
"""


def put(broker, topic, draw, numbers):
    """Put documents into any of two partitions, some of them late."""
    rows = []
    for number in numbers:
        document = {"id": f"d{number}", "text": " ".join(draw.choices(WORDS, k=5)), "labels": draw.choices("abc")}
        stamp = 1_000_000 + 10 * number - (draw.randrange(2) and draw.randrange(200))
        value = None if not number % 17 else json.dumps(document).encode()
        rows.append({"partition": draw.randrange(2), "timestamp_ms": stamp, "key": b"k", "value": value})
    broker.put(topic, rows)


def rows_of(path):
    order = Order(path)
    return order.rows(0, len(order)).tolist()


def test_the_order_of_a_run_that_was_killed_is_taken_again(broker, tmp_path):
    topic, draw = broker.topic(2), random.Random(7)
    path, total = tmp_path / "live" / "order.bin", 300
    arguments = [sys.executable, "-c", LIVING, broker.address, topic, str(tmp_path / "live"), str(total)]
    process = subprocess.Popen(arguments, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    try:
        for start in range(0, 200, 20):
            put(broker, topic, draw, range(start, start + 20))
            broker.until(lambda start=start: path.exists() and len(Order(path)) >= start // 2)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    killed = rows_of(path)
    assert 0 < len(killed) <= 200
    live = run(broker.address, topic, tmp_path / "live", limit=total, resume=True)
    for start in range(200, 400, 50):
        put(broker, topic, draw, range(start, start + 50))
        while live.view.progress.pass_documents < start * 0.8 and next(live, None):
            pass
    list(live)
    rows = rows_of(path)
    assert len(rows) == live.view.progress.pass_documents == total
    stamps = [stamp for *_, stamp in rows]
    assert stamps != sorted(stamps)
    again = run(broker.address, topic, tmp_path / "again", order_of=path)
    list(again)
    assert rows_of(tmp_path / "again" / "order.bin") == rows
    assert again.summary()["learners"] == live.summary()["learners"]
    for name, learnt in live.learners["mmp"].arrays().items():
        np.testing.assert_array_equal(again.learners["mmp"].arrays()[name], learnt)

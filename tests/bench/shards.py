"""What shards on Ray cost and save: one process beside shards on two local nodes, in a network namespace of its own.

It prints the processor time of a batch in one process and in the slowest shard, and the rest: all that passes in the
driver and in Ray until the predictions are there. Shards on one machine share its processors, so the last column says
where they pay if each has a processor of its own: the time of one process over that of the slowest shard and the rest.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import telex
from telex.learners import AROW, MLPP, Batch, Events, Names
from telex.learners.base import Strings
from telex.learners.shards import shards_of

FEATURES, TERMS, TRUE, ROWS = 2000, 60, 3, 500
CASES = [*(("mlpp", MLPP, k) for k in (50, 100, 200, 400)), *(("arow", AROW, k) for k in (100, 1000, 5000))]


def batches(labels, count, seed=1):
    """Batches of made-up documents over so many labels; every label comes in the first of them."""
    draw, terms, names = np.random.default_rng(seed), Names(range(FEATURES)), Names(f"L{i}" for i in range(labels))
    for number in range(count):
        rows = max(ROWS, -(-labels // TRUE)) if number == 0 else ROWS
        features = np.concatenate([np.sort(draw.choice(FEATURES, TERMS, replace=False)) for _ in range(rows)])
        true = (np.arange(rows * TRUE) if number == 0 else np.floor(labels * draw.random(rows * TRUE) ** 2)) % labels
        distinct = [list(dict.fromkeys(row)) for row in true.astype(int).reshape(rows, TRUE).tolist()]
        yield Batch(
            np.arange(rows + 1, dtype=np.int64) * TERMS,
            features.astype(np.int32),
            np.full(len(features), TERMS**-0.5, np.float32),
            np.cumsum([0, *map(len, distinct)], dtype=np.int64),
            np.array([label for row in distinct for label in row], np.int32),
            np.ones(rows, np.bool_),
            Strings.of([""] * rows),
            np.full(rows, np.nan),
            np.arange(rows, dtype=np.int64),
            terms,
            names,
        )


def measure(made, labels, shards, count):
    """Return the least seconds of a batch: processor time of one process and of the slowest shard, and the rest."""
    one, several = made(**({"threads": 1} if made is MLPP else {})), made()
    telex.on_ray({"learner": several}, shards)
    found = []
    for number, batch in enumerate(batches(labels, count)):
        began = time.process_time()
        one.progress(Events(batch))
        alone = time.process_time() - began
        figures = shards_of(several).figures
        before = [figure.seconds for figure in figures]
        began = time.perf_counter()
        several.progress(Events(batch))
        together = time.perf_counter() - began
        worked = max(figure.seconds - was for figure, was in zip(figures, before, strict=True))
        if number >= count // 2:  # the weights have grown
            found.append((alone, worked, together - worked))
    return np.min(found, axis=0)


def bench(arguments):
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - the environment comes first

    node = {"object_store_memory": 200 << 20, "include_dashboard": False, "node_ip_address": "127.0.0.1"}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": arguments.shards, **node})
    cluster.add_node(num_cpus=arguments.shards, **node)
    os.environ["RAY_ADDRESS"] = cluster.address
    print(f"{'learner':8}{'labels':>8}{'one, ms':>12}{'slowest, ms':>14}{'rest, ms':>12}{'faster':>10}")
    for name, made, labels in CASES:
        whole, slowest, rest = 1e3 * measure(made, labels, arguments.shards, arguments.batches)
        ratio = whole / (slowest + rest)
        print(f"{name:8}{labels:8}{whole:12.1f}{slowest:14.1f}{rest:12.1f}{ratio:9.2f}x", flush=True)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--batches", type=int, default=12)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        bench(arguments)
    script = 'ip link set lo up && exec "$@"'
    again = [sys.executable, __file__, *sys.argv[1:], "--inside"]
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:
        settings = os.environ | {
            "RAY_TMPDIR": folder,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_DISABLE_MEMORY_MONITOR": "1",
        }
        alone = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
        subprocess.run([*alone, "sh", "-c", script, "sh", *again], env=settings, check=True)


if __name__ == "__main__":
    main()

"""Writes the folder of the present version beside this file: a checkpoint that every later Telex reads.

Run it where a version is new, never to mend a test: what others have on their disks does not change with it.
"""

from pathlib import Path

import numpy as np

from telex.stream.checkpoints import Block
from telex.stream.checkpoints.writer import VERSION, write

FACTS = {"documents": 3, "finished": False, "time": None}
ARRAYS = {
    "float32": np.array([[1.5, -0.0], [np.inf, 2.0**-149]], np.float32),
    "float64": np.array([0.1, np.nan]),
    "int64": np.array([-(2**63), 2**63 - 1]),
    "uint64": np.array([2**64 - 1], np.uint64),
    "int32": np.zeros((0, 3), np.int32),
    "uint8": np.frombuffer("Zürich".encode(), np.uint8),
    "bool": np.array(True),
}
BLOCK = {"batch.ids": np.arange(4, dtype=np.uint8), "0.scores": np.array([[0.25, 0.5]], np.float32)}
STATE = {
    "settings": {"learners": ["mmp", "größe"], "window": 1000, "test-after": None},
    "numbers": [1, -2, 2**70, 0.1, 1e300, float("inf"), True, None],
    "texts": ["", '\n"\\', "\ud800", "記事"],
    "$array": {"$block": "these are names, not marks", "$$": 1},
    "arrays": ARRAYS,
    "list": [{"places": np.array([5, 7])}, [np.array([], np.float64)]],
    "waiting": Block("waiting-3", 0, BLOCK),
    "empty": {},
}


def main():
    write(Path(__file__).with_name(f"v{VERSION}"), FACTS, STATE)


if __name__ == "__main__":
    main()

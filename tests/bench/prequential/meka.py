"""MEKA's updateable classifiers, run by Java: ``MEKA_JARS`` names the folder of MEKA's jars, else Maven fetches them.

Binary relevance and classifier chains of WEKA's SGD with logistic loss. MEKA's default base, a Hoeffding tree, keeps an
estimate for each feature and class in each leaf: on thousands of features it learns a document in seconds.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from prequential.judging import Judge
from prequential.one_by_one import Documents

if TYPE_CHECKING:
    from telex.learners import Batch

HERE = Path(__file__).parent
_AT_ONCE = 256


def updateable(batches: list[Batch], classifier: str, rate: float | None = None) -> tuple[Judge, float]:
    """Take all documents through a classifier of ``meka.classifiers.multilabel.incremental``; without a rate, of trees."""
    documents = Documents(batches)
    lines = [
        " ".join((",".join(map(str, answer.tolist())), *map("{}:{:.9g}".format, terms.tolist(), values.tolist())))
        for answer, (terms, values) in zip(documents.answers, documents.rows, strict=True)
    ]
    call = [
        "java", "-Xmx4g", "-XX:+UseSerialGC", "-cp", str(Path(os.environ["MEKA_JARS"]) / "*"), str(HERE / "Meka.java"),
        str(documents.labels), str(documents.features), f"meka.classifiers.multilabel.incremental.{classifier}",
        *([] if rate is None else ["-W", "weka.classifiers.functions.SGD", "--", *f"-F 1 -N -L {rate}".split()]),
    ]  # fmt: skip
    done = subprocess.run(call, input="\n".join(lines).encode(), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode()[:2000])
    said = np.frombuffer(done.stdout, ">f4").reshape(len(documents), documents.labels) - 0.5
    judge = Judge()
    for start in range(0, len(documents), _AT_ONCE):
        scores = said[start : start + _AT_ONCE]
        judge.add(*documents.knowledge.predictions(start, scores, scores > 0))
    return judge, int(done.stderr.split(b"nanoseconds ")[1]) / 1e9

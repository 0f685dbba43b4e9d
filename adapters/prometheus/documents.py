"""How many documents a run has read, predicted and learnt, and what waits for an answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.prometheus.families import counter, gauge
from telex.stream.summary import duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.stream.run import Run

_WHAT = {
    "duplicates": "Documents that were told before under another id",
    "expired": "Documents for whose answer nobody waits any more",
    "timeless": "Documents that were answered at once because no time was known yet",
    "unclaimed": "Answers whose documents never came",
    "corrections": "Second answers that were learnt",
    "already_answered": "Second answers that were not learnt",
    "too_late": "Answers that came when nobody waited any more",
}


@dataclass(frozen=True, slots=True)
class Documents:
    """The counts of a run at a moment, of all its lives together; ``others`` are those named in ``_WHAT``."""

    read: int
    learnt: int
    others: dict[str, int]

    @classmethod
    def of(cls, run: Run) -> Documents:
        """Count."""
        late = run.late.counts if run.late else {}
        learnt = sum(part.answered for part in run.parts if part.name == "train") + late.get("corrections", 0)
        others = {name: late.get(name, 0) for name in _WHAT}
        return cls(run.documents, learnt, {**others, "duplicates": duplicates(run)})


def documents(run: Run, begin: Documents) -> Iterator[Metric]:
    """Yield the counters since ``begin``, at which this process took the run up, and where the run stands."""
    now = Documents.of(run)
    source = run.source.info.title
    read = now.read - begin.read
    yield counter(
        "telex_documents_consumed_total",
        "Documents read, in all passes, since this process began or went on with the run.",
        [((source,), read)],
        ("source",),
    )
    yield counter(
        "telex_documents_predicted_total",
        "Documents that a learner predicted, learnt from or only tested on.",
        [((name,), read) for name in run.learners],
        ("learner",),
    )
    yield counter(
        "telex_documents_learned_total",
        "Answers that a learner learnt.",
        [((name,), now.learnt - begin.learnt) for name in run.learners],
        ("learner",),
    )
    for name, what in _WHAT.items():
        yield counter(f"telex_{name}_total", f"{what}.", now.others[name] - begin.others[name])
    yield gauge("telex_pending_labels", "Documents that wait for their answers.", run.late.pending if run.late else 0)
    yield gauge("telex_run_documents", "Where the run stands: documents read in all its lives.", now.read)
    times = [part.newest for part in run.parts if not math.isnan(part.newest)]
    yield gauge(
        "telex_last_document_timestamp_seconds",
        "The time of the newest document, as it tells it; an archive's is long past.",
        times[-1] if times else None,
    )


def models(run: Run) -> Iterator[Metric]:
    """Yield how large models have grown."""
    learners = run.learners.items()
    yield gauge(
        "telex_model_labels", "Labels that a learner knows.", [((n,), len(x.labels)) for n, x in learners], ("learner",)
    )
    yield gauge(
        "telex_model_features",
        "Features met so far, the same for all learners.",
        max(part.features for part in run.parts),
    )
    yield gauge(
        "telex_model_memory_bytes",
        "Memory of a learner's weights, where it can tell.",
        [((name,), getattr(learner, "memory_bytes", None)) for name, learner in learners],
        ("learner",),
    )

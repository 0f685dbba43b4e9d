"""Metrics of documents: how many a run has read, predicted and learnt, and how many wait for an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.prometheus.families import counter, gauge
from telex.learners import memory_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.stream.run import Failure, RunView

_WHAT = {
    "duplicates": "Duplicates: documents whose text came before under another id",
    "revised": "Newer versions of documents, those left out among them",
    "expired": "Documents whose answer did not come in time",
    "replaced": "Documents whose place a newer version took before they were answered",
    "timeless": "Documents whose labels came at once because no time was known yet",
    "unclaimed": "Answers whose documents never came",
    "corrections": "Corrections: later answers that were learnt",
    "already_answered": "Later answers that were not learnt",
    "too_late": "Answers that came when their document had expired, or could no longer be corrected",
    "withdrawn": "Answers that were withdrawn before they were learnt",
    "withdrawn_too_late": "Answers that were withdrawn when they were learnt already",
    "withdrawn_unknown": "Withdrawals of answers that had not come",
}


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """The counts of a run at one moment, over all its lives; ``others`` has those named in ``_WHAT``."""

    read: int
    learnt: int
    others: dict[str, int]

    @classmethod
    def of(cls, run: RunView) -> DocumentCounts:
        """Read the counts from a run."""
        late = run.late_counts
        others = {name: late.get(name, 0) for name in _WHAT}
        return cls(
            run.progress.documents,
            run.progress.learnt,
            {**others, "duplicates": run.duplicates, "revised": run.progress.revised},
        )


def documents(run: RunView, begin: DocumentCounts) -> Iterator[Metric]:
    """Yield the counters since ``begin``, when this process took over the run, and the state of the run."""
    now, failed = DocumentCounts.of(run), run.set_aside
    source = run.source.title
    read = now.read - begin.read
    yield counter(
        "telex_documents_consumed_total",
        "Documents read, in all passes, since this process began or resumed the run.",
        [((source,), read)],
        ("source",),
    )
    yield counter(
        "telex_documents_predicted_total",
        "Documents that a learner predicted, learnt from or only tested on.",
        [((name,), _until(failed.get(name), "read", now.read) - begin.read) for name in run.learners],
        ("learner",),
    )
    yield counter(
        "telex_documents_learned_total",
        "Answers that a learner learnt.",
        [((name,), _until(failed.get(name), "learnt", now.learnt) - begin.learnt) for name in run.learners],
        ("learner",),
    )
    for name, what in _WHAT.items():
        yield counter(f"telex_{name}_total", f"{what}.", now.others[name] - begin.others[name])
    yield gauge("telex_pending_labels", "Documents that wait for their answers.", run.pending)
    yield gauge("telex_run_documents", "Documents read by the run in all its lives.", now.read)
    times = [section.time for section in run.sections if section.time is not None]
    yield gauge(
        "telex_last_document_timestamp_seconds",
        "The newest document's own time; in an archive it is long past.",
        times[-1] if times else None,
    )


def _until(failure: Failure | None, what: str, now: int) -> int:
    """Return a count as it is now, or as it was when the learner failed."""
    return now if failure is None else int(getattr(failure, what))


def models(run: RunView) -> Iterator[Metric]:
    """Yield the sizes of the models."""
    learners = run.learners.items()
    yield gauge(
        "telex_model_labels", "Labels that a learner knows.", [((n,), len(x.labels)) for n, x in learners], ("learner",)
    )
    yield gauge(
        "telex_model_features",
        "Features seen so far, the same for all learners.",
        max(section.features for section in run.sections),
    )
    yield gauge(
        "telex_model_memory_bytes",
        "Memory of a learner's weights, if it reports it.",
        [((name,), memory_of(learner)) for name, learner in learners],
        ("learner",),
    )

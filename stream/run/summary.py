"""The summary of a run: plain numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.refit import Refit

if TYPE_CHECKING:
    from telex.stream.run.run import Run


def summary(run: Run) -> dict[str, Any]:
    """Return the counts and cumulative figures of ``run`` so far, None where undefined.

    What is counted for answers that come late is there where they may (see
    :attr:`~telex.stream.delayed_labels.Late.counts`).
    """
    parts = run.parts
    first_pass = [part for part in parts if part.epoch == 1]
    documents = sum(part.documents for part in first_pass)
    pending = run.late.pending if run.late else 0
    found: dict[str, Any] = {
        "documents": documents,
        "seconds": run.seconds,
        "docs_per_second": run.documents / run.seconds if run.seconds else None,
        "labels": max(len(learner.labels) for learner in run.learners.values()),
        "features": max(part.features for part in first_pass),
        "dead_letters": run.dead_letters,
        "unlabelled": documents
        - sum(part.answered for part in first_pass)
        - (pending if len(first_pass) == len(parts) else 0),
        "pending": pending,
        "duplicates": duplicates(run),
        "learners": parts[0].so_far(run.learners),
    }
    if run.late:
        found |= run.late.counts
    if run.watching.drift is not None:
        found["drifts"] = dict(run.watching.drifts)
    if run.watching.champion is not None:
        found["champion"] = run.watching.champion.now
    refits = {name: learner.state for name, learner in run.learners.items() if isinstance(learner, Refit)}
    if refits:
        counted = ("refits", "failures", "reasons", "staleness")
        found["refits"] = {name: {key: getattr(state, key) for key in counted} for name, state in refits.items()}
    tests = [part for part in parts if part.name == "test"]
    if tests:
        found["test"] = tests[-1].so_far(run.learners)
    if run.epochs > 1:
        keys = {"train": "learners", "test": "test"}
        found["epochs"] = [
            {keys[part.name]: part.so_far(run.learners) for part in parts if part.epoch == epoch}
            for epoch in range(1, run.part.epoch + 1)
        ]
    return found


def duplicates(run: Run) -> int:
    """Return how many documents of the first pass were told before: of those read, a source may have read on."""
    first_pass = sum(part.documents for part in run.parts if part.epoch == 1)
    return run.source.duplicates(None if run.exhausted else first_pass)

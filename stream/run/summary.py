"""The summary of a run: plain numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.losses import tenths
from telex.learners.thresholds import innermost
from telex.stream.refit import Refit
from telex.stream.run.set_aside import failures

if TYPE_CHECKING:
    from telex.learners.base import Offsets
    from telex.stream.run.run_state import RunState
    from telex.stream.sources import Source


def reliability(counts: Offsets) -> list[list[float] | None]:
    """Return, for each tenth of the probabilities, their number and mean, and how often the label was true."""
    return [None if one is None else list(one) for one in tenths(counts)]


def summary(state: RunState, source: Source) -> dict[str, Any]:
    """Return the counts and cumulative figures of a run so far, None where undefined.

    The counts of late answers are there where answers may come late (see
    :attr:`~telex.stream.delayed_labels.DelayQueue.counts`). ``reliability`` is there for learners with probabilities.
    """
    settings, sections, queue, monitors = state.settings, state.sections, state.delay_queue, state.monitors
    learners, progress = settings.learners, state.progress
    first_pass = [section for section in sections if section.epoch == 1]
    documents = sum(section.documents for section in first_pass)
    pending = queue.pending if queue else 0
    found: dict[str, Any] = {
        "documents": documents,
        "seconds": state.seconds,
        "docs_per_second": progress.documents / state.seconds if state.seconds else None,
        "labels": max(len(learner.labels) for learner in learners.values()),
        "features": max(section.features for section in first_pass),
        "dead_letters": progress.dead_letters,
        "unlabelled": documents
        - sum(section.answered for section in first_pass)
        - (pending if len(first_pass) == len(sections) else 0),
        "pending": pending,
        "duplicates": duplicates(state, source),
        **({"revised": progress.revised} if source.wire is not None and source.wire.revisions else {}),
        "learners": sections[0].so_far(learners),
    }
    if source.scaling not in {"none", "auto"}:
        found["scaling"] = source.scaling
    sure = {name: curve.reliability for name, curve in sections[0].curves.items()}
    if reliable := {name: reliability(one) for name, one in sure.items() if one is not None and one.any()}:
        found["reliability"] = reliable
    if failed := failures(learners):
        found["set_aside"] = {name: failure.plain() for name, failure in failed.items()}
    if state.weights_not_finite:
        found["weights_not_finite"] = list(state.weights_not_finite)
    if queue:
        found |= queue.counts
    if state.tree_labels is not None:
        found |= state.tree_labels.figures()
    if monitors.drift is not None:
        found["drifts"] = dict(monitors.drifts)
    if any(monitors.scores_not_finite.counts.values()):
        found["scores_not_finite"] = {name: count for name, count in monitors.scores_not_finite.counts.items() if count}
    if monitors.champion is not None:
        found["champion"] = monitors.champion.now
    inner = {name: innermost(learner) for name, learner in learners.items()}
    refits = {name: learner.state for name, learner in inner.items() if isinstance(learner, Refit)}
    if refits:
        counted = ("refits", "failures", "reasons", "staleness")
        found["refits"] = {name: {key: getattr(one, key) for key in counted} for name, one in refits.items()}
    tests = [section for section in sections if section.name == "test"]
    if tests:
        found["test"] = tests[-1].so_far(learners)
    if settings.epochs > 1:
        keys = {"train": "learners", "test": "test"}
        found["epochs"] = [
            {keys[section.name]: section.so_far(learners) for section in sections if section.epoch == epoch}
            for epoch in range(1, state.section.epoch + 1)
        ]
    return found


def duplicates(state: RunState, source: Source) -> int:
    """Return how many documents of the first pass repeat an earlier text; the source may have read further."""
    first_pass = sum(section.documents for section in state.sections if section.epoch == 1)
    return source.duplicates(None if state.exhausted else first_pass)

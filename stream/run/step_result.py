"""The result of one step of a run, for the sinks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from telex.stream.sources import NO_REVISIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.learners.base import Batch, Ids, Offsets, Predictions, Reals
    from telex.learners.losses import Judged
    from telex.stream.sources import Revisions


@dataclass(frozen=True, slots=True)
class StepResult:
    """A stretch of documents through which all learners have gone.

    ``watched`` steps are those of the first training pass and of the test that follows the last pass. Of the other
    passes only ``documents`` and ``seconds`` are known; all else is empty. The mappings are by learner, in the order of
    the run. Do not hold the predictions of many steps: a step may hold many megabytes of scores.
    """

    section: Literal["train", "test"]
    watched: bool
    documents: Batch
    """The documents that the learners were asked about; none where answers come alone."""
    seconds: Mapping[str, float]
    """How long each learner took to predict and to learn the stretch."""
    predictions: Mapping[str, Predictions] = field(default_factory=dict)
    """What each learner predicted for ``documents``."""
    judged: Mapping[str, Judged] = field(default_factory=dict)
    """Each learner's predictions beside the answers that came."""
    losses: Mapping[str, Reals] = field(default_factory=dict)
    """Each learner's losses of the scored answers: a row for each loss of the run."""
    scored: Offsets | None = None
    """For each scored answer, how many documents of the pass had come by then; None if the step is not watched."""
    answered: Batch | None = None
    """Where answers come late, the documents that were answered for the first time."""
    chosen: Ids | None = None
    """The number of the learner whose prediction counts, for each document; None if the run chooses no champion."""
    learnt_before: Callable[[], Offsets] | None = None
    """Computes, for each document, how many answers the learners had learnt before it; None if not watched."""
    revised: Revisions = NO_REVISIONS
    """Which of ``documents`` are newer versions of others."""

"""A learner that failed: it is set aside, and the others go on without it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from telex.learners import BASELINES, TellsFailure
from telex.learners.base import LabelLimitError, Names, StoppedError, one_line, undelayed_steps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners import Learner
    from telex.learners.base import Batch, Events, Predictions, State
    from telex.stream.delayed_labels import StepInput

_LONGEST = 500
"""The most characters of a message that are stored."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Where and why a learner failed.

    ``document`` is the number of the document in its pass, from 1; where answers come late, how many had come when the
    document ``id`` was answered. A learner takes many documents in one call: if it does not say which one it was, it
    was one of ``documents`` from there on, and ``id`` is empty. ``read`` documents of all passes and ``learnt`` answers
    had come.
    """

    learner: str
    document: int
    documents: int
    id: str
    part: str
    epoch: int
    error: str
    message: str
    read: int
    learnt: int

    def event(self) -> dict[str, Any]:
        """Return the event of the run."""
        return {"event": "learner set aside", **self.plain()}

    def plain(self) -> dict[str, Any]:
        """Return it as plain data, as the summary has it."""
        return {name: value for name, value in asdict(self).items() if name not in {"read", "learnt"}}

    def __str__(self) -> str:
        where = f"document {self.document:,}" + (f" ({self.id})" if self.id else "")
        if self.documents > 1:
            where = f"one of the documents {self.document:,} to {self.document + self.documents - 1:,}"
        tested = " of the test" if self.part == "test" else ""
        if self.error == LabelLimitError.__name__:
            return f"{self.learner} is set aside at {where}{tested}: {self.message}"
        return f"{self.learner} failed at {where}{tested} and is set aside: {self.error}: {self.message}"


@dataclass(frozen=True, slots=True)
class Where:
    """The documents at which a learner failed, as in :class:`Failure`."""

    document: int
    documents: int = 1
    id: str = ""

    @classmethod
    def of(cls, learner: Learner, step: StepInput, read: int, *, training: bool) -> Where:
        """Return where the call of a learner failed, if it says so; ``read`` documents of the pass have come."""
        base, at = read - len(step.documents), learner.failed_at if isinstance(learner, TellsFailure) else None
        if at is None:
            return cls(max(1, base + 1), max(1, len(step.documents)))
        if not training:
            return cls(base + at + 1, 1, one_line(step.asks.ids[at]))
        steps = undelayed_steps(step.batch) if step.steps is None else step.steps
        asked, row = int(np.count_nonzero(steps[: at + 1] >= 0)), int(steps[at])
        return cls(max(1, base + asked), 1, one_line(step.batch.ids[row if row >= 0 else ~row]))


class SetAside:
    """Stands in a run in the place of a learner that failed, whose weights may be incomplete: it learns nothing.

    ``labels`` are those that the learner knew, and ``description`` describes it, as a checkpoint does.
    """

    def __init__(self, failure: Failure, labels: Names, description: Any) -> None:
        self.failure, self.labels, self.description = failure, labels, description

    @classmethod
    def of(cls, failure: Failure, learner: Learner, description: Any) -> SetAside:
        """Set a learner aside."""
        try:
            labels = Names(list(learner.labels))
        except Exception:  # it is broken, and so may this be
            labels = Names()
        return cls(failure, labels, description)

    def scores(self, batch: Batch) -> Predictions:
        """Refuse to predict."""
        self._refuse()

    def learn(self, batch: Batch) -> None:
        """Refuse to learn."""
        self._refuse()

    def progress(self, events: Events) -> Predictions:
        """Refuse to predict and learn."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise StoppedError(f"{self.failure}; use another learner of the run")

    def save(self) -> State:
        """Return the failure and the labels; there are no weights."""
        return {"failure": asdict(self.failure), "labels": self.labels.save()}

    @classmethod
    def load(cls, state: State, description: Any) -> SetAside:
        """Restore what :meth:`save` returned."""
        return cls(Failure(**state["failure"]), Names.of(state["labels"]), description)


def failures(learners: Mapping[str, Learner]) -> dict[str, Failure]:
    """Return the learners that were set aside, and why."""
    return {name: one.failure for name, one in learners.items() if isinstance(one, SetAside)}


def check_some_left(learners: Mapping[str, Learner]) -> None:
    """Raise an error if only baselines are left of a run that had other learners too."""
    failed = failures(learners)
    if not failed or any(name not in failed and name not in BASELINES for name in learners):
        return
    if any(name not in BASELINES for name in failed) or len(failed) == len(learners):
        last = max(failed.values(), key=lambda failure: failure.read)
        raise StoppedError(
            f"no learner is left: {last}; mend what it failed on, or take other learners, and start the run again"
        )


def reason_of(error: Exception) -> str:
    r"""Return the message of an error as one line that any terminal can show.

    >>> reason_of(ValueError("one class,\n not \x1b[1mtwo."))
    'one class, not \\x1b[1mtwo'
    """
    try:
        text = str(error)
    except Exception:  # it is of somebody else's making
        text = ""
    return one_line(" ".join(text.split())[:_LONGEST].rstrip(".")) or "it gave no reason"

"""The figures of refitting."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RefitState:
    """The figures of refitting so far.

    ``refits`` counts the models fitted, ``failures`` the fits that failed, and ``reasons`` counts the failures by
    reason. ``staleness`` is the number of documents answered since the end of the window of the model in use, None
    before the first model. ``seconds`` is the time that its fit took, None if the model was loaded from a checkpoint.
    """

    refits: int
    failures: int
    reasons: dict[str, int]
    staleness: int | None
    seconds: float | None
    running: bool
    window_documents: int
    window_bytes: int

"""How refitting goes, in figures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RefitState:
    """How refitting goes.

    ``refits`` models came, ``failures`` did not, for these ``reasons``. ``staleness`` is the number of documents
    answered since the end of the window of the model in use, None before the first; ``seconds`` is what its fit took,
    None where it came with a state.
    """

    refits: int
    failures: int
    reasons: dict[str, int]
    staleness: int | None
    seconds: float | None
    running: bool
    window_documents: int
    window_bytes: int

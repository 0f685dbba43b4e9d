"""Where scenarios take place, and what they have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from faults.harness import DisturbedError
from wire_faults.topics import Stream, made, put
from wire_faults.trial import Trial

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from faults.harness import Ended
    from wire_faults.ground import Ground


FEW = {"ahead": 60_000, "fetch": 4000}
"""How little is fetched ahead where the broker is to matter all the way."""


QUICK = {"session_timeout_ms": 6000, "heartbeat_interval_ms": 500, "metadata_max_age_ms": 500}


@dataclass
class Field:
    """Where a scenario takes place, and what it has counted: a line for the table."""

    ground: Ground
    draw: random.Random
    times: int
    count: int = 1200
    told: list[str] = field(default_factory=list)

    def tell(self, trial: Trial, *more: str) -> None:
        """Count what a trial has been through."""
        self.told += [f"{trial.kills} kills", f"{trial.resumes} resumed", f"{trial.runs} runs held", *more]


SCENARIOS: dict[str, Callable[[Field], None]] = {}


def scenario(function: Callable[[Field], None]) -> Callable[[Field], None]:
    """Enter it in the table under its name."""
    SCENARIOS[function.__name__.replace("_", "-")] = function
    return function


def loaded(at: Field, **how: object) -> Stream:
    stream = made(at.ground.wire)
    put(at.ground.wire, stream, at.count, seed=at.draw.randrange(1000), **how)
    return stream


def killed(at: Field, stream: Stream, *options: str, disturbed: dict[str, Any] | None = None, **how: Any) -> None:
    trial = Trial(at.ground, stream, *options, **how)
    trial.measure()
    for _ in range(at.times):
        trial.killed(at.draw, **{**FEW, **(disturbed or {})})
    at.tell(trial, *([f"{trial.again_put} messages put again"] if trial.again_put else []))


def said(ended, code: int, *parts: str) -> None:
    """Look that a command ended with one sentence."""
    own = [line for line in ended.err.splitlines() if line.startswith("telex: ")]
    if ended.code != code or "Traceback" in ended.err or len(own) != 1 or not all(part in own[0] for part in parts):
        raise DisturbedError(f"it should have ended {code} with {parts}, ended {ended.code} and said {ended.err}")


def said_nothing(ended: Ended, code: int) -> None:
    if ended.code != code or "telex: " in ended.err or "Traceback" in ended.err:
        raise DisturbedError(f"it should have ended {code}, ended {ended.code} and said {ended.err}")

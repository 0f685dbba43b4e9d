"""What run.json says of a run that began in Python: all that the command line would say, where it could begin it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from telex.adapters.cli import Start, run_facts
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.learners import BASELINES
from telex.stream.sources import RecordBudget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.front_door.given_learners import GivenLearners
    from telex.stream.sources import Source

_PLAIN = {
    "window": int, "points": str, "test_after": str, "epochs": int, "limit": int, "strict": bool, "ancestors": str,
    "checkpoint_every": str, "drift": str, "champion": str, "learner_failure": str, "threads": int,
}  # fmt: skip
"""Settings of a run that the command line has too, as it stores them."""


def replay_options(
    paths: list[str] | None,
    given: GivenLearners,
    settings: Mapping[str, Any],
    *,
    run: str,
    format_text: str | None,
    order: str | None,
    text: Any,
    features: str,
    bias: bool,
    duplicates: str,
    budget: Any,
    skip_records: tuple[str, ...],
    tree: Any,
    losses: Any,
) -> ReplayOptions | None:
    """Return the options with which ``telex replay`` would begin the same run; None if none would."""
    odd = [
        name
        for name, value in settings.items()
        if value is not None and (name not in _PLAIN or not isinstance(value, (str, int)))
    ]
    if paths is None or given.specs is None or odd or not isinstance(tree, str) or not isinstance(losses, str | None):
        return None
    baseless = not set(BASELINES) <= given.made.keys()
    learner = tuple(spec for spec in given.specs if baseless or spec not in BASELINES)
    plain = {name: _PLAIN[name](value) for name, value in settings.items() if value is not None}
    words: list[str] = [*paths, *(word for spec in learner for word in ("--learner", spec))]
    words += ["--no-baselines"] * baseless + (["--format", format_text] if format_text else [])
    words += ["--order", order] if order else []
    words += [word for name, value in plain.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    values: dict[str, Any] = {
        "paths": tuple(paths),
        "format": format_text,
        "order": order,
        "learner": learner,
        "no_baselines": baseless,
        "seed": given.seed,
        "run": run,
        "text": text if isinstance(text, str) else dict(text),
        "features": features,
        "bias": bias,
        "duplicates": duplicates,
        "budget": str(RecordBudget.of(budget)),
        "skip_records": skip_records,
        "tree": tree,
        "losses": losses,
        "command_line": ("replay", *words, "--run", run),
    }
    return ReplayOptions(**values, **plain)


def stored_facts(options: ReplayOptions | None, source: Source, given: GivenLearners) -> dict[str, Any]:
    """Return the facts for run.json; of a run that no command line can name, those that are known."""
    if options is not None:
        return run_facts(Start(options), source, given.made)
    named = {} if given.specs is None else {"learner": given.specs, "no_baselines": True, "seed": given.seed}
    return {"python": source.info.title, "folder": os.getcwd(), "options": named, "seed": given.seed}

"""The replays that a sweep is: the options of each, and the command that repeats one learner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.cli.commands.replay import ReplayOptions
from telex.learners import named_losses
from telex.learners.losses import Loss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.adapters.cli.actions.learner_grid import Candidate
    from telex.adapters.cli.commands.sweep import SweepOptions

_OTHERWISE = frozenset({"json", "top", "engine"})
"""Options of a sweep that mean something else in a replay, or are not passed on to one."""
_NOT_TOLD = _OTHERWISE | {"paths", "learner", "run", "config", "given_names", "command_line"}
"""What the command does not repeat, or has elsewhere."""


def replay_options(options: SweepOptions, learners: Sequence[Candidate]) -> ReplayOptions:
    """Return the options of a replay of these learners; beside others on a cluster it has one thread."""
    shared = vars(options).keys() & vars(ReplayOptions()).keys() - _OTHERWISE
    values = {name: vars(options)[name] for name in shared}
    values |= {"learner": tuple(one.text for one in learners), "no_baselines": True, "losses": _losses(options)}
    if options.engine == "ray":
        values["threads"] = options.threads or 1
    values["given_names"] = frozenset(options.given_names & shared)
    return ReplayOptions(**values)


def replay_command(options: SweepOptions, learner: Candidate) -> list[str]:
    """Return the command that replays one learner as the sweep did."""
    values = vars(options) | {"losses": _losses(options)}
    told = ["telex", "replay", *options.paths, "--learner", learner.text]
    given = options.given_names | ({"losses"} if values["losses"] else set())
    for name in vars(ReplayOptions()):
        if name not in given - _NOT_TOLD:
            continue
        option, value = f"--{name.replace('_', '-')}", values[name]
        if isinstance(value, bool):
            told += [option] * value
        else:
            told += [text for one in (value if isinstance(value, tuple) else (value,)) for text in (option, str(one))]
    return told


def _losses(options: SweepOptions) -> str | None:
    """Return the losses to measure by name, among them the one that orders the learners."""
    loss = named_losses().get(options.by)
    more = options.by if isinstance(loss, Loss) and loss.optional else None
    return ",".join(one for one in (options.losses, more) if one) or None

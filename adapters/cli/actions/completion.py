"""Writes the script that makes a shell complete ``telex``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import shtab

from telex.adapters.cli.command_table import make_parser
from telex.adapters.formats import format_names
from telex.learners import describe_losses, did_you_mean, learner_names
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.adapters.cli.commands.completion import CompletionOptions

SHELLS = ("bash", "zsh", "fish")
_FOLDERS = {"run", "from_run", "order_of", "folder", "folders", "data", "cache"}
_FILES = {"paths", "predictions", "out", "config"}


def complete(options: CompletionOptions) -> int:
    """Print the script, and return the exit code."""
    shell = options.shell
    if shell not in SHELLS:
        wrong = "name a shell" if shell is None else f"there is no script for {shell!r}{did_you_mean(shell, SHELLS)}"
        raise UsageError(f"{wrong}; give one of {', '.join(SHELLS)}")
    print(script(shell))
    return 0


def script(shell: str) -> str:
    """Return the script for a shell."""
    whole = make_parser()
    known = dict.fromkeys(_FOLDERS, shtab.DIRECTORY) | dict.fromkeys(_FILES, shtab.FILE)
    known |= {name: _words(names) for name, names in _names().items()}
    for command in whole.commands.values():
        for action in command._actions:
            if action.dest in known:
                action.complete = known[action.dest]  # type: ignore[attr-defined]  # shtab looks there
    return str(shtab.complete(whole, shell=shell))


def _names() -> dict[str, list[str]]:
    """Return the possible values of options and arguments, by their names."""
    learners = list(learner_names())
    return {
        "learner": learners,
        "names": learners,
        "format": list(format_names()),
        "loss": list(describe_losses()),
        "by": list(describe_losses()),
        "losses": ["all", *(name for name, loss in describe_losses().items() if loss["optional"])],
        "shell": list(SHELLS),
    }


def _words(names: Iterable[str]) -> dict[str, Any]:
    """Return shtab's completion for one of these words, by shell."""
    words = " ".join(names)
    return {**shtab.cmd(f"printf '%s\\n' {words}"), "zsh": f"({words})"}

"""The options by which a run reaches out of its folder: to resume, it does not take them from the folder alone."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.adapters.cli.run_options import RunOptions


def check_repeated(options: RunOptions, before: RunOptions, folder: str) -> None:
    """Refuse to resume unless the command line repeats each outward option that the folder says the run had.

    ``folder`` is the working directory in which the run began: relative paths in ``before`` begin there.
    """
    missing = [one for name in outward(before, folder) if name not in options.given_names
               for one in arguments(name, before, folder)]  # fmt: skip
    if missing:
        raise UsageError(
            f"this run reaches out of its folder {options.run}, which does not allow that by itself; repeat on the "
            f"command line what it may use: {shlex.join(missing)}"
        )


def outward(options: RunOptions, folder: str) -> list[str]:
    """Return the names of these options by which the run reaches out of its folder."""
    found = [name for name in sorted(options.OUTWARD) if vars(options)[name] is not None]
    if options.predictions and _inside(os.path.join(folder, options.predictions), options.run):
        found.remove("predictions")
    return [*(["paths"] if any("://" in path for path in options.paths) else []), *found]


def arguments(name: str, options: RunOptions, folder: str) -> list[str]:
    """Return the arguments that repeat an option."""
    value: Any = vars(options)[name]
    if name == "paths":
        return list(value)
    if name == "kafka":  # a section of the settings
        return ["--config", options.config or "FILE.toml"]
    if name == "predictions" and not os.path.samefile(folder, os.curdir):
        value = os.path.normpath(os.path.join(folder, value))
    return [f"--{name.replace('_', '-')}", str(value)]


def _inside(path: str, run: str | None) -> bool:
    return run is not None and os.path.realpath(path).startswith(os.path.join(os.path.realpath(run), ""))

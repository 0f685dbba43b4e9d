"""``telex completion``: what a shell is told so that it completes commands, options, learners and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from telex.adapters.cli.options import Parser

SHELLS = ("bash", "zsh", "fish")
_FOLDERS = {"run", "from_run", "order_of", "folder", "folders", "data"}
_FILES = {"paths", "predictions", "out", "config"}
_EXAMPLE = """\
The script names the learners, formats and losses that are installed now: write it again after an installation.

examples:
  telex completion bash > ~/.local/share/bash-completion/completions/telex
  telex completion zsh > ~/.zsh/completions/_telex
  telex completion fish > ~/.config/fish/completions/telex.fish"""


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "completion",
        help="print what makes a shell complete telex",
        description="Print a script for bash, zsh or fish that completes commands, options, names and paths. For zsh "
        "its folder is to stand in fpath, before compinit runs.",
        epilog=_EXAMPLE,
    )
    parser.add_argument("shell", nargs="?", metavar="SHELL", help="bash, zsh or fish")
    parser.set_defaults(run_command=run)


def run(arguments: dict[str, Any]) -> int:
    """Print the script, and return the exit code."""
    from telex.learners.errors import UsageError  # noqa: PLC0415
    from telex.learners.registry import meant  # noqa: PLC0415

    shell = arguments.get("shell")
    if shell not in SHELLS:
        wrong = "name a shell" if shell is None else f"there is no script for {shell!r}{meant(shell, SHELLS)}"
        raise UsageError(f"{wrong}; give one of {', '.join(SHELLS)}")
    print(script(shell))
    return 0


def script(shell: str) -> str:
    """Return the script for a shell."""
    import shtab  # noqa: PLC0415

    from telex.adapters.cli.main import parser  # noqa: PLC0415

    whole = parser()
    words = {name: _words(names) for name, names in _names().items()}
    for command in whole.commands.values():
        for action in command._actions:
            if action.dest in words:
                action.complete = words[action.dest]  # type: ignore[attr-defined]
            elif action.dest in _FOLDERS:
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
            elif action.dest in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(whole, shell=shell))


def _names() -> dict[str, list[str]]:
    """Return the names that may be given to options and arguments."""
    from telex.adapters.formats import names  # noqa: PLC0415
    from telex.learners.registry import describe_losses, learner_names  # noqa: PLC0415

    learners = list(learner_names())
    return {
        "learner": learners,
        "names": learners,
        "format": list(names()),
        "loss": list(describe_losses()),
        "shell": list(SHELLS),
    }


def _words(names: Iterable[str]) -> dict[str, Any]:
    """Return what completes one of so many words, by shell."""
    import shtab  # noqa: PLC0415

    words = " ".join(names)
    return {**shtab.cmd(f"printf '%s\\n' {words}"), "zsh": f"({words})"}

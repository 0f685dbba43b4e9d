"""``telex completion``: a script that makes a shell complete commands, options, learners and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
The script names the learners, formats and losses that are installed now: write it again after an installation.

examples:
  telex completion bash > ~/.local/share/bash-completion/completions/telex
  telex completion zsh > ~/.zsh/completions/_telex
  telex completion fish > ~/.config/fish/completions/telex.fish"""


@dataclass(frozen=True, kw_only=True)
class CompletionOptions(Options):
    """The options of ``telex completion``."""

    shell: str | None = None


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("shell", nargs="?", metavar="SHELL", help="bash, zsh or fish")


LISTED = (140, "print a script that completes telex in a shell")
COMMAND = Command(
    name="completion",
    help=LISTED[1],
    description="Print a script for bash, zsh or fish that completes commands, options, names and paths. For zsh, "
    "add its folder to fpath before compinit runs.",
    epilog=_EXAMPLE,
    place=LISTED[0],
    options=CompletionOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.completion:complete",
)

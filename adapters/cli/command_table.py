"""The table of all commands, and the parser for them."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from telex.adapters.cli import commands as folder
from telex.adapters.cli.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.cli.command import Command

_EXAMPLE = """\
`telex COMMAND --help` says what a command does, with examples.

examples:
  telex demo
  telex replay news.jsonl --learner mmp --learner mlpp"""


@cache
def commands() -> dict[str, Command[Any]]:
    """Return the commands by name, in the order in which the help lists them.

    Ours are the modules of ``commands/``, by their names. One of another package is a
    :class:`~telex.adapters.cli.command.Command` too, named by an entry point of the group ``telex.commands``; it cannot
    take the name of one of ours.
    """
    ours = [_ours(name) for name in _names()]
    found = {command.name: command for command in sorted([*ours, *_installed()], key=_place)}
    return found | {command.name: command for command in ours}


def commands_for(command_line: Sequence[str]) -> dict[str, Command[Any]]:
    """Return the commands that a command line may mean; if it names one of ours, only that is imported."""
    name = next((word for word in command_line if not word.startswith("-")), None)
    return {name: _ours(name)} if name in _names() else commands()


def _names() -> list[str]:
    return [module.name for module in iter_modules(folder.__path__)]


def _ours(name: str) -> Command[Any]:
    command: Command[Any] = import_module(f"{folder.__name__}.{name}").COMMAND
    return command


def _place(command: Command[Any]) -> tuple[int, str]:
    return command.place, command.name


def _installed() -> list[Command[Any]]:
    """Return the commands of other packages, and report those that cannot be loaded."""
    found = []
    for entry in entry_points(group="telex.commands"):
        try:
            found.append(entry.load())
        except Exception as error:
            print(f"telex: the command {entry.name} ({entry.value}) cannot be loaded: {error}", file=sys.stderr)
    return found


def make_parser(known: Mapping[str, Command[Any]] | None = None) -> Parser:
    """Return the parser of the command line with the commands ``known`` (all), without importing anything heavy."""
    whole = Parser(
        prog="telex",
        description="Streaming online learning for labelling news: predict, score, learn, one document at a time.",
    )
    whole.ending = _EXAMPLE
    whole.add_argument("--version", action="store_true", help="show the version and stop")
    adding = whole.add_subparsers(title="commands", metavar="COMMAND", dest="command", parser_class=Parser)
    for name, command in (commands() if known is None else known).items():
        one = adding.add_parser(name, help=command.help, description=command.description, usage=command.usage)
        one.ending = command.epilog
        command.arguments(one)
    whole.commands = adding.choices
    return whole

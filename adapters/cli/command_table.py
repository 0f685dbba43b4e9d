"""The table of all commands, and the parser for them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from telex.adapters.cli import commands as folder
from telex.adapters.cli.parser import Parser
from telex.adapters.plugins import read_declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from telex.adapters.cli.command import Command

_EXAMPLE = """\
`telex COMMAND --help` says what a command does, with examples.

examples:
  telex demo
  telex replay news.jsonl --learner mmp --learner mlpp"""


@cache
def commands() -> dict[str, Command[Any]]:
    """Return the commands by name, in the order in which the help lists them.

    Ours are the modules of ``commands/``, by their names; each has a line ``LISTED``, its place and its text in
    ``telex --help``, which is read without importing the module. One of another package is a
    :class:`~telex.adapters.cli.command.Command` too, named by an entry point of the group ``telex.commands``; it cannot
    take the name of one of ours.
    """
    ours = [_ours(name) for name in _names()]
    found = {command.name: command for command in sorted([*ours, *_installed()], key=_place)}
    return found | {command.name: command for command in ours}


def commands_for(command_line: Sequence[str]) -> dict[str, Command[Any]]:
    """Return the commands that a command line may mean; if it names one of ours, only that is imported."""
    name = _named(command_line)
    return {name: _ours(name)} if name in _names() else commands()


def parser_for(command_line: Sequence[str]) -> tuple[Parser, dict[str, Command[Any]]]:
    """Return a parser for a command line, and the commands it may mean.

    For a line that names no command, such as ``telex --help``, no command is imported: the parser only lists them.
    """
    if _named(command_line) is None:
        return _listing_parser(), {}
    known = commands_for(command_line)
    return make_parser(known), known


def _named(command_line: Sequence[str]) -> str | None:
    return next((word for word in command_line if not word.startswith("-")), None)


def _names() -> list[str]:
    files = (name for place in folder.__path__ for name in os.listdir(place))
    return [name.removesuffix(".py") for name in files if name.endswith(".py") and not name.startswith("_")]


def _ours(name: str) -> Command[Any]:
    command: Command[Any] = import_module(f"{folder.__name__}.{name}").COMMAND
    return command


def _place(command: Command[Any]) -> tuple[int, str]:
    return command.place, command.name


def _installed() -> list[Command[Any]]:
    """Return the commands of other packages, and report those that cannot be loaded."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slower to import than all that --help needs

    found = []
    for entry in entry_points(group="telex.commands"):
        try:
            found.append(entry.load())
        except Exception as error:
            print(f"telex: the command {entry.name} ({entry.value}) cannot be loaded: {error}", file=sys.stderr)
    return found


def _may_be_installed() -> bool:
    """Return whether a package beside ours has commands, as far as files show: quicker than looking for them."""
    for place in sys.path:
        try:
            names = os.listdir(place or ".")
        except OSError:  # Python's imports pass over such a place too
            continue
        for name in names:
            if name.endswith("-info"):
                with suppress(OSError), open(os.path.join(place, name, "entry_points.txt"), "rb") as file:
                    if b"[telex.commands]" in file.read():
                        return True
    return False


def make_parser(known: Mapping[str, Command[Any]] | None = None) -> Parser:
    """Return the parser of the command line with the commands ``known`` (all), without importing anything heavy."""
    whole, add_command = _empty_parser()
    for name, command in (commands() if known is None else known).items():
        one = add_command(name, help=command.help, description=command.description, usage=command.usage)
        one.ending = command.epilog
        command.arguments(one)
    return whole


def _listing_parser() -> Parser:
    """Return a parser that lists all commands and knows none of their arguments."""
    whole, add_command = _empty_parser(_Listed)
    declared = {name: one for place in folder.__path__ for name, one in read_declarations(place, "LISTED").items()}
    if _may_be_installed():
        declared = {command.name: (command.place, command.help) for command in _installed()} | declared
    for name in sorted(declared, key=lambda one: (declared[one][0], one)):
        add_command(name, help=declared[name][1])
    return whole


class _Listed:
    """Replaces the parsers of commands if the command line names none: to make them would take a tenth of the time."""

    def __init__(self, **_: Any) -> None:
        """Accept the settings of a parser, and ignore them."""


def _empty_parser(parser_class: Any = Parser) -> tuple[Parser, Callable[..., Parser]]:
    whole = Parser(
        prog="telex",
        description="Streaming online learning for labelling news: predict, score, learn, one document at a time.",
    )
    whole.ending = _EXAMPLE
    whole.add_argument("--version", action="store_true", help="show the version and stop")
    adding = whole.add_subparsers(title="commands", metavar="COMMAND", dest="command", parser_class=parser_class)
    whole.commands = adding.choices
    return whole, adding.add_parser

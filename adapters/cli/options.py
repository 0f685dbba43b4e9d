"""Options from the command line and from a TOML file."""

from __future__ import annotations

import argparse
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn

from telex.adapters.cli.help import EXIT_CODES, Help
from telex.learners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TOO_MANY = 10**15
_ARGPARSE = {
    "expected one argument$": "needs a value",
    "ignored explicit argument '(.*)'$": r"takes no value, and is given '\1'",
}
"""What argparse says of options, and what is said instead."""
_NO_FORMATS = ("paths", "format", "words", "duplicates")
"""Arguments of ``open_source`` that are no format's."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose mistakes are one sentence, and which leaves out what was not given."""

    def __init__(self, **settings: Any) -> None:
        self._sections: tuple[str, ...] = ()
        self.commands: Mapping[str, Parser] = {}
        self.defaults: Mapping[str, Any] = {}
        words, examples = re.split(r"^(?=examples?:$)", settings.pop("epilog"), maxsplit=1, flags=re.MULTILINE)
        epilog = f"{words}{EXIT_CODES}\n\n{examples}"
        super().__init__(
            formatter_class=Help, argument_default=argparse.SUPPRESS, allow_abbrev=False, epilog=epilog, **settings
        )

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise UsageError(f"{_sentence(message)}; try `{self.prog} --help`")

    def refuse(self, unknown: str) -> NoReturn:
        """Say that there is no such option, and which one may have been meant."""
        from telex.learners.registry import meant  # noqa: PLC0415

        if not unknown.startswith("-"):
            self.error(f"{unknown!r} is one thing too many, or stands apart from the others by an option between them")
        self.error(f"there is no option {unknown!r}{meant(unknown, self._option_string_actions)}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from telex.learners.registry import meant  # noqa: PLC0415

            choices = list(map(str, action.choices))
            close = meant(str(value), choices)
            if self.commands:
                self.error(f"there is no command {value!r}{close}")
            raise argparse.ArgumentError(action, f"cannot be {value!r}{close}; choose one of {', '.join(choices)}")

    def reads(self) -> None:
        """Add the options of every command that reads documents."""
        option = self.add_argument_group("documents").add_argument
        option(
            "paths",
            nargs="*",
            metavar="PATH",
            help="a file, folder or archive, - for standard input, the address of a feed, or synthetic:n=..,seed=..",
        )
        option(
            "--format", metavar="F", help="name or name:key=value,.. as `telex formats` lists them (found by content)"
        )
        option(
            "--order",
            choices=("time", "id", "file"),
            help="order of the stream (time where documents have one, id for lyrl, else the file's)",
        )
        option("--limit", type=at_least(1), metavar="N", help="stop after N documents (all)")

    def connects(self) -> Callable[..., Any]:
        """Add what every command has that talks to Kafka; return what adds more options to their group.

        The section [kafka] of the settings is given as a table.
        """
        help_text = "addresses of the cluster; how to get in stands in the section [kafka] of --config"
        option = self.add_argument_group("Kafka").add_argument
        option("--brokers", metavar="HOST:PORT,..", help=help_text)
        self._sections = ("kafka",)
        return option

    def runs(self, run: Callable[[dict[str, Any]], int], defaults: Mapping[str, Any]) -> None:
        """Add the options of every command with a result, and say what it does with what is given."""
        option = self.add_argument_group("this command").add_argument
        option("--json", action="store_true", help="print the result as one JSON object")
        option("--config", metavar="FILE.toml", help="read options from a file; the command line wins")
        self.defaults = defaults
        self.set_defaults(run_command=lambda arguments: run(self.given(arguments, defaults)))

    def given(self, arguments: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options: as given, else from the file that ``config`` names, else the default.

        Those that were given, one way or the other, are named in the set ``given``.
        """
        config = arguments.get("config")
        given = {**(self._from_file(config) if config else {}), **arguments}
        return {**defaults, **given, "given": set(given)}

    def _from_file(self, path: str) -> dict[str, Any]:
        import tomllib  # noqa: PLC0415

        from telex.learners.registry import meant  # noqa: PLC0415

        try:
            with open(path, "rb") as file:
                settings = tomllib.load(file)
        except OSError as error:
            raise UsageError(f"the settings in {path} cannot be read: {error.strerror}; name a TOML file") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"the settings in {path} cannot be read: {error}; mend the TOML") from error
        options = {action.dest.replace("_", "-"): action for action in self._actions if action.dest != "help"}
        found: dict[str, Any] = {}
        for name, value in settings.items():
            if name in self._sections and isinstance(value, dict):
                found[name] = value
                continue
            option = options.get(name.replace("_", "-"))
            if option is None:
                names = ", ".join(sorted(options))
                raise UsageError(f"{path}: there is no option {name!r}{meant(name, options)}; choose one of {names}")
            found[option.dest] = self._typed(path, name, option, value)
        return found

    def _typed(self, path: str, name: str, option: argparse.Action, value: Any) -> Any:
        if option.nargs == 0:
            if not isinstance(value, bool):
                raise UsageError(f"{path}: {name} is to be true or false, not {value!r}; mend the file")
            return value
        several = option.nargs == "*" or isinstance(option, argparse._AppendAction)
        values = value if several and isinstance(value, list) else [value]
        try:
            read = [self._get_value(option, str(one)) for one in values]
            for one in read:
                self._check_value(option, one)
        except argparse.ArgumentError as error:
            raise UsageError(f"{path}: {_sentence(str(error))}; mend the file") from None
        return read if several else read[0]


def _sentence(message: str) -> str:
    """Return what argparse says as the beginning of a sentence.

    >>> _sentence("argument --limit: must be at least 1, not 0"), _sentence("argument --run: expected one argument")
    ('--limit must be at least 1, not 0', '--run needs a value')
    """
    found = re.sub(r"^argument (\S+): ", r"\1 ", message)
    for theirs, ours in _ARGPARSE.items():
        found = re.sub(theirs, ours, found)
    return found


def at_least(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is no smaller; one of more than 15 digits is a mistake.

    >>> at_least(1)("20")
    20
    """

    def read(text: str) -> int:
        try:
            found = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None
        if not least <= found < _TOO_MANY:
            bound = (f"at least {least}" if least > -_TOO_MANY else "above -10^15") if found < least else "below 10^15"
            raise argparse.ArgumentTypeError(f"must be {bound}, not {text}")
        return found

    return read


def positive(text: str) -> float:
    """Read a number above 0.

    >>> positive("0.5")
    0.5
    """
    found = finite(text)
    if found <= 0:
        raise argparse.ArgumentTypeError(f"must be above 0, not {text}")
    return found


def finite(text: str) -> float:
    """Read a number that is one.

    >>> finite("-0.5")
    -0.5
    """
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise argparse.ArgumentTypeError(f"must be a number, such as 0.5, not {text!r}")
    return found


def format_settings(options: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Return what ``--format`` and ``--order`` say: the name, None where none is given, and the format's options.

    >>> format_settings({"format": "csv:text=body", "order": "id"})
    ('csv', {'text': 'body', 'order': 'id'})
    """
    from telex.learners.registry import key_values  # noqa: PLC0415

    name, _, given = (options["format"] or "").partition(":")
    settings: dict[str, Any] = key_values(given, f"the format {name!r}")
    wrong = next((option for option in settings if option in _NO_FORMATS), None)
    if wrong is not None:
        raise UsageError(f"format {name} has no option {wrong!r}; `telex formats` lists what it has")
    if options["order"]:
        settings["order"] = options["order"]
    return name or None, settings

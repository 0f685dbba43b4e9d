"""Options from the command line and from a TOML file."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any, NoReturn

from telex.learners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TOO_MANY = 10**15
_NO_FORMATS = ("paths", "format", "words", "duplicates")
"""Arguments of ``open_source`` that are no format's."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose mistakes are one sentence, and which leaves out what was not given."""

    def __init__(self, **settings: Any) -> None:
        self._sections: tuple[str, ...] = ()
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter,
            argument_default=argparse.SUPPRESS,
            allow_abbrev=False,
            **settings,
        )

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise UsageError(f"{message}; try `{self.prog} --help`")

    def reads(self) -> None:
        """Add the options of every command that reads documents."""
        option = self.add_argument
        option(
            "paths",
            nargs="*",
            metavar="PATH",
            help="a file, folder or archive, - for standard input, the address of a feed, or synthetic:n=..,seed=..",
        )
        option(
            "--format", metavar="F", help="name or name:key=value,... as `telex formats` lists them (found by content)"
        )
        option("--order", choices=("time", "id", "file"), help="order of the stream (time where documents have one)")
        option("--limit", type=at_least(1), metavar="N", help="stop after N documents")

    def connects(self) -> None:
        """Add what every command has that talks to Kafka; the section [kafka] of the settings is given as a table."""
        help_text = "addresses of the cluster; how to get in stands in the section [kafka] of --config"
        self.add_argument("--brokers", metavar="HOST:PORT,..", help=help_text)
        self._sections = ("kafka",)

    def runs(self, run: Callable[[dict[str, Any]], int], defaults: Mapping[str, Any]) -> None:
        """Add the options of every command with a result, and say what it does with what is given."""
        self.add_argument("--json", action="store_true", help="print the result as one JSON object")
        self.add_argument("--config", metavar="FILE.toml", help="read options from a file; the command line wins")
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
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"the settings in {path} cannot be read: {error}") from error
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
                raise UsageError(f"{path}: {name} must be true or false, not {value!r}")
            return value
        several = option.nargs == "*" or isinstance(option, argparse._AppendAction)
        values = value if several and isinstance(value, list) else [value]
        try:
            read = [self._get_value(option, str(one)) for one in values]
            for one in read:
                self._check_value(option, one)
        except argparse.ArgumentError as error:
            raise UsageError(f"{path}: {error}") from None
        return read if several else read[0]


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
            bound = f"at least {least}" if found < least else "below 10^15"
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

"""Options from a TOML file, read as if given on the command line."""

from __future__ import annotations

import argparse
import json
import tomllib
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.parser import error_sentence
from telex.learners import did_you_mean
from telex.learners.base import UsageError, check_plain_file
from telex.stream.text_files import read_at_most

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_LARGEST = 1 << 16  # tomllib takes a time that grows with the square of a key of many dots


def from_file(path: str, parser: Parser) -> dict[str, Any]:
    """Return the values that the file at ``path`` gives to the options of ``parser``, by their names."""
    check_plain_file(path)
    try:
        with open(path, "rb", buffering=0) as file:  # a pipe is fine: `--config <(...)`
            settings = _parsed(read_at_most(file, _LARGEST).decode())
    except OSError as error:
        raise UsageError(f"the settings in {path} cannot be read: {error.strerror}; name a TOML file") from error
    except ValueError as error:  # of its size, its encoding, its TOML
        raise UsageError(f"the settings in {path} cannot be read: {error}; mend the TOML") from error
    options = {action.dest.replace("_", "-"): action for action in parser._actions if action.dest != "help"}
    found: dict[str, Any] = {}
    for name, value in settings.items():
        if name in parser.tables and isinstance(value, dict):
            found[name] = value
            continue
        option = options.get(name.replace("_", "-"))
        if option is None:
            names = ", ".join(sorted(options))
            raise UsageError(f"{path}: there is no option {name!r}{did_you_mean(name, options)}; choose one of {names}")
        found[option.dest] = _value(path, name, option, value, parser)
    return found


def _parsed(text: str) -> dict[str, Any]:
    try:
        settings = tomllib.loads(text)
        json.dumps(settings, default=str)  # dotted keys nest without recursion; what uses them later would not
    except RecursionError:
        raise ValueError("it nests too deeply") from None
    return settings


def _value(path: str, name: str, option: argparse.Action, value: Any, parser: Parser) -> Any:
    """Return a value of the file as argparse would return the same text."""
    if option.nargs == 0:
        if not isinstance(value, bool):
            raise UsageError(f"{path}: {name} must be true or false, not {value!r}; mend the file")
        return value
    several = option.nargs == "*" or isinstance(option, argparse._AppendAction)
    values = value if several and isinstance(value, list) else [value]
    if any("\0" in str(one) for one in values):
        raise UsageError(f"{path}: {name} holds a zero byte, which no option can have; mend the file")
    try:
        read = [parser._get_value(option, str(one)) for one in values]
        for one in read:
            parser._check_value(option, one)
    except argparse.ArgumentError as error:
        raise UsageError(f"{path}: {error_sentence(str(error))}; mend the file") from None
    return read if several else read[0]

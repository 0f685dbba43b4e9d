"""The parser of the command line: argparse with errors of one sentence, and the options that commands share."""

from __future__ import annotations

import argparse
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn

from telex.adapters.cli.help import EXIT_CODES, Help
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TOO_MANY = 10**15
_ARGPARSE = {
    "expected one argument$": "needs a value",
    "ignored explicit argument '(.*)'$": r"takes no value, and is given '\1'",
}
"""Messages of argparse, and ours in their place."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises a UsageError of one sentence, and leaves out options that were not given.

    ``ending`` is the epilog of the help, with examples; a function in its place is called when the help is shown.
    ``commands`` are the parsers of the commands, ``tables`` the sections that a file of ``--config`` may have here.
    """

    def __init__(self, **settings: Any) -> None:
        self.ending: str | Callable[[], str] = "examples:"
        self.tables: tuple[str, ...] = ()
        self.commands: Mapping[str, Parser] = {}
        super().__init__(formatter_class=Help, argument_default=argparse.SUPPRESS, allow_abbrev=False, **settings)

    def format_help(self) -> str:
        """Return the help, with the exit codes before the examples."""
        ending = self.ending if isinstance(self.ending, str) else self.ending()
        words, examples = re.split(r"^(?=examples?:$)", ending, maxsplit=1, flags=re.MULTILINE)
        self.epilog = f"{words}{EXIT_CODES}\n\n{examples}"
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise UsageError(f"{error_sentence(message)}; try `{self.prog} --help`")

    def refuse(self, unknown: str) -> NoReturn:
        """Say that there is no such option, and which one may have been meant."""
        if not unknown.startswith("-"):
            self.error(f"{unknown!r} is one argument too many, or an option separates it from the others")
        self.error(f"there is no option {unknown!r}{_meant(unknown, self._option_string_actions)}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            close = _meant(str(value), choices)
            if self.commands:
                self.error(f"there is no command {value!r}{close}")
            raise argparse.ArgumentError(action, f"cannot be {value!r}{close}; choose one of {', '.join(choices)}")


def add_document_options(parser: Parser) -> None:
    """Add the options of :class:`~telex.adapters.cli.options.DocumentOptions`."""
    option = parser.add_argument_group("documents").add_argument
    option(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a file, folder or archive, - for standard input, the address of a feed, or synthetic:n=..,seed=..",
    )
    add_format_options(option)


def add_format_options(option: Callable[..., Any]) -> None:
    """Add the options of every command that reads files of documents."""
    option("--format", metavar="F", help="name or name:key=value,.. as `telex formats` lists them (found by content)")
    option(
        "--order",
        choices=("time", "id", "file"),
        help="order of the stream (time where documents have one, id for lyrl, else the file's)",
    )
    option("--limit", type=at_least(1), metavar="N", help="stop after N documents (all)")
    add_budget_option(option)


def add_budget_option(option: Callable[..., Any]) -> None:
    """Add the option of every command whose documents may be too large."""
    option(
        "--budget",
        type=_budget,
        metavar="K=V,..",
        help="records with more become dead letters, such as labels=500,terms=none (see `telex formats`)",
    )


def _budget(text: str) -> str:
    from telex.stream.sources import RecordBudget  # noqa: PLC0415 - only where it is given

    return str(RecordBudget.of(text))


def add_kafka_options(parser: Parser) -> Callable[..., Any]:
    """Add the options of every command that talks to Kafka; return the function that adds more to their group.

    The section [kafka] of the settings becomes a dict.
    """
    help_text = "addresses of the cluster; the section [kafka] of --config has the other settings of the connection"
    option = parser.add_argument_group("Kafka").add_argument
    option("--brokers", metavar="HOST:PORT,..", help=help_text)
    parser.tables = ("kafka",)
    return option


def add_compression_option(option: Callable[..., Any]) -> None:
    """Add the option of every command that writes to topics."""
    option(
        "--compression",
        choices=("none", "gzip", "lz4", "snappy", "zstd"),
        help="how records that are written are compressed (none)",
    )


def add_follow_options(option: Callable[..., Any], who: str = "it") -> None:
    """Add the options of every command that may follow the checkpoints of a run."""
    option(
        "--follow-every", metavar="DURATION", help=f"how often {who} looks for a newer checkpoint (1s; at a URL 10s)"
    )
    option("--cache", metavar="DIR", help="where checkpoints at a URL are copied to (telex in the cache of this user)")


def add_result_options(parser: Parser) -> None:
    """Add the options of every command that has a result and can read its options from a file."""
    option = parser.add_argument_group("this command").add_argument
    option("--json", action="store_true", help="print the result as one JSON object")
    option("--config", metavar="FILE.toml", help="read options from a file; the command line wins")


def add_shown_options(option: Callable[..., Any]) -> None:
    """Add the options of :class:`~telex.adapters.cli.options.ShownOptions`."""
    option("--columns", metavar="LOSS,..", help="the figures that tables show, in this order, of `telex losses`")
    option("--headline", metavar="LOSS", help="the figure to look at first: in front, in the curve, in sentences")
    option("--sort-by", metavar="LOSS", help="put the best learner by this figure first (as they were given)")


def add_overwrite_option(option: Callable[..., Any]) -> None:
    """Add the option of every command that writes a file."""
    option("--overwrite", action="store_true", help="replace a file that is there already")


def add_features_option(option: Callable[..., Any]) -> None:
    """Add the options of every command that learns features."""
    add_scaling_option(option)
    option("--bias", action="store_true", help="give each document one more feature, of value 1")


def add_scaling_option(option: Callable[..., Any]) -> None:
    """Add the option that says how features are scaled."""
    option(
        "--features",
        choices=("unit", "standard", "maxabs", "none"),
        help="how features that the documents bring are scaled (unit if they are sparse, standard if dense; none for "
        "texts and lyrl-vectors)",
    )


def add_tree_options(option: Callable[..., Any]) -> None:
    """Add the options of every command whose labels may have a tree."""
    add_tree_option(option)
    option(
        "--ancestors",
        choices=("keep", "close"),
        help="keep true labels as they come, or close their sets: add the ancestors in the tree (keep)",
    )


def add_tree_option(option: Callable[..., Any]) -> None:
    """Add the option that names the tree."""
    option(
        "--tree",
        metavar="FILE|path:SEP|none",
        help="the tree of the labels: a file of parents and children, or path:/ where labels are paths such as "
        "economy/trade; adds losses along the tree, and learners such as hm3 use it (what the format knows)",
    )


def add_skip_records_option(option: Callable[..., Any], also: str = "") -> None:
    """Add the option of every command that can pass over records; ``also`` ends its help."""
    option(
        "--skip-records",
        action="append",
        metavar="PLACE[,PLACE..]",
        help="pass over records, named as in messages and dead letters (news.jsonl:7, news/0/12 of a topic)" + also,
    )


def error_sentence(message: str) -> str:
    """Return a message of argparse as the beginning of a sentence.

    >>> error_sentence("argument --limit: must be at least 1, not 0")
    '--limit must be at least 1, not 0'
    >>> error_sentence("argument --run: expected one argument")
    '--run needs a value'
    """
    found = re.sub(r"^argument (\S+): ", r"\1 ", message)
    for theirs, ours in _ARGPARSE.items():
        found = re.sub(theirs, ours, found)
    return found


def _meant(name: str, known: Any) -> str:
    from telex.learners import did_you_mean  # noqa: PLC0415 - only a mistake needs it

    return did_you_mean(name, known)


def at_least(least: int) -> Callable[[str], int]:
    """Return a function that reads a whole number no smaller than ``least``, of at most 15 digits.

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
    """Read a number, neither NaN nor infinite.

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

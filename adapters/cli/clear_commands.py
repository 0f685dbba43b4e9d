"""The whole commands to type where documents can be read in several ways."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from telex.learners.base import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import UnclearInputError
    from telex.stream.sources import Archive


def with_commands(error: UnclearInputError, argv: Sequence[str]) -> str:
    """Return an error with the commands to choose from, in the place of the formats alone.

    >>> from telex.learners.base import UnclearInputError
    >>> error = UnclearInputError("a.csv: it is unclear", ["csv:separator=comma", "csv:separator=none"])
    >>> with_commands(error, ["replay", "a.csv", "--format=csv"])
    'a.csv: it is unclear; type `telex replay a.csv --format csv:separator=comma` or `... --format csv:separator=none`'
    """
    if not error.formats:
        return str(error)
    first, *others = error.formats
    whole = shlex.join(["telex", *without_option(argv, "--format"), "--format", first])
    said = " or ".join([f"`{whole}`", *(f"`... --format {shlex.quote(one)}`" for one in others)])
    return f"{error.cause}; type {said}"


def without_option(argv: Sequence[str], option: str) -> list[str]:
    """Return a command line without an option that takes a value.

    >>> without_option(["consume", "--look", "20", "--topic=news"], "--look")
    ['consume', '--topic=news']
    """
    kept, skip = list[str](), False
    for word in argv:
        if skip:
            skip = False
        elif word == option:
            skip = True
        elif not word.startswith(f"{option}="):
            kept.append(word)
    return kept


def print_remarks(archive: Archive) -> None:
    """Print what was guessed about an archive, and what is odd about it, on standard error."""
    for remark in archive.remarks:
        print(f"telex: {one_line(remark)}", file=sys.stderr)

"""What the options of all commands have in common, as frozen dataclasses: a field for each option."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from json import dumps
from typing import TYPE_CHECKING, Any, Literal

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.learners.losses import Shown

_OF_THIS_CALL = frozenset({"command_line", "explain", "given_names", "look", "skip_records"})
_NO_FORMATS = (
    "paths",
    "format",
    "words",
    "features",
    "bias",
    "duplicates",
    "budget",
    "skip_records",
    "guess",
    "labelled",
    "readable",
)
"""Arguments of ``open_source`` that are not options of a format."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a command: a field for each, with its default.

    A field is named like its option, ``--label-delay`` as ``label_delay``; a keyword of Python has an underscore behind
    it (``from_``). ``command_line`` is how the command was called, ``given_names`` has the options set there or in the
    file of ``--config``; all others have their defaults.
    """

    json: bool = False
    config: str | None = None
    command_line: tuple[str, ...] = ()
    given_names: frozenset[str] = frozenset()

    def sum_without(self, names: frozenset[str]) -> str:
        """Return a checksum of the options that differ from their defaults, without those named.

        >>> Options(json=True).sum_without(frozenset({"json"})) == Options().sum_without(frozenset())
        True
        """
        usual = vars(type(self)())
        given = {
            name: one for name, one in vars(self).items() if name not in names | _OF_THIS_CALL and one != usual[name]
        }
        text = dumps(given, sort_keys=True, default=str)
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def plain(self) -> dict[str, Any]:
        """Return the options as run.json stores them, by their names on the command line.

        >>> Options(json=True).plain()
        {'json': True}
        """
        found = {name.rstrip("_"): value for name, value in vars(self).items() if name not in _OF_THIS_CALL}
        if self.config is None:
            del found["config"]
        return found


@dataclass(frozen=True, kw_only=True)
class ShownOptions(Options):
    """The options of a command that shows figures of learners."""

    columns: str | None = None
    headline: str | None = None
    sort_by: str | None = None

    @property
    def shown(self) -> Shown:
        """The figures to show, by their names; a name that no figure has is a UsageError.

        >>> ShownOptions(columns="avgp, micro_f1").shown.columns
        ('avgp', 'micro_f1')
        """
        from telex.learners import check_figures  # noqa: PLC0415 - for the commands that learn, not for --help
        from telex.learners.losses import Shown  # noqa: PLC0415

        columns = tuple(filter(None, (name.strip() for name in (self.columns or "").split(","))))
        return check_figures(Shown(columns, self.headline, self.sort_by))


@dataclass(frozen=True, kw_only=True)
class OutputOptions(Options):
    """The options of a command that writes a file."""

    overwrite: bool = False


@dataclass(frozen=True, kw_only=True)
class DocumentOptions(Options):
    """The options of a command that reads documents."""

    paths: tuple[str, ...] = ()
    format: str | None = None
    order: Literal["time", "id", "file"] | None = None
    limit: int | None = None
    budget: str | None = None

    def format_settings(self) -> tuple[str | None, dict[str, Any]]:
        """Return the format's name, None unless ``--format`` names one, and the format's own options.

        >>> DocumentOptions(format="csv:text=body", order="id").format_settings()
        ('csv', {'text': 'body', 'order': 'id'})
        """
        from telex.learners import key_values  # noqa: PLC0415 - for the commands that read, not for --help

        name, _, given = (self.format or "").partition(":")
        settings: dict[str, Any] = key_values(given, f"the format {name!r}")
        check_format_options(name, settings)
        if self.order:
            settings["order"] = self.order
        return name or None, settings


def check_format_options(name: str | None, settings: Iterable[str]) -> None:
    """Refuse an option that no format has, though what opens one takes an argument of that name."""
    wrong = next((option for option in settings if option in _NO_FORMATS), None)
    if wrong is not None:
        raise UsageError(f"format {name} has no option {wrong!r}; `telex formats` lists what it has")


def records_to_skip(given: Iterable[str]) -> list[str]:
    """Return the places of the records to pass over, as ``--skip-records`` names them.

    >>> records_to_skip(["a,b.jsonl:7,news/0/12"])
    ['a,b.jsonl:7', 'news/0/12']
    """
    return [place for some in given for place in re.split(r"(?<=\d),", some)]

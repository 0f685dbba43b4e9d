"""A command of the command line, as a module of ``commands/`` or another package declares it."""

from __future__ import annotations

import keyword
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from telex.adapters.cli.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from telex.adapters.cli.parser import Parser

Chosen = TypeVar("Chosen", bound=Options)


@dataclass(frozen=True, kw_only=True)
class Command(Generic[Chosen]):
    """Declares a command: its name, its options, and the function that runs it.

    ``help`` is its line in ``telex --help``, which lists commands by ``place``. Its own help shows ``description`` and
    ``epilog``, which ends with examples; an epilog that is a function is called when that help is shown. ``arguments``
    adds the arguments to the parser, and ``options`` is the dataclass that has a field for each of them. ``run`` is a
    function that takes them and returns the exit code, or the name of one, as ``"module:function"``.

    Import nothing heavy at the top of its module, which ``telex --help`` may import: import it inside ``run``, or give
    ``run`` as a name, whose module is imported when the command runs.
    """

    name: str
    help: str
    description: str
    epilog: str | Callable[[], str]
    options: type[Chosen]
    arguments: Callable[[Parser], None]
    run: Callable[[Chosen], int] | str
    usage: str | None = None
    place: int = 1000

    def __call__(self, arguments: Mapping[str, Any], command_line: Sequence[str] = ()) -> int:
        """Run with the arguments that were given; all other options have their defaults."""
        values: dict[str, Any] = {
            _field(name): tuple(value) if isinstance(value, list) else value for name, value in arguments.items()
        }
        values |= {"given_names": frozenset(arguments), "command_line": tuple(command_line)}
        run: Callable[[Chosen], int] = resolve_name(self.run) if isinstance(self.run, str) else self.run
        return run(self.options(**values))


def _field(name: str) -> str:
    """Return the field of an option.

    >>> _field("from"), _field("order_of")
    ('from_', 'order_of')
    """
    return f"{name}_" if keyword.iskeyword(name) else name

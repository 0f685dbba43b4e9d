"""``telex reproduce``: a paper's table, its numbers beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import OutputOptions
from telex.adapters.cli.parser import add_overwrite_option, add_result_options, at_least

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
names, with the settings that each takes:
{names}

DIR is the folder of the collections, with reuters21578 or rcv1 in it, or the collection itself. With `all` the page has
what can be made of the collections that are there, and ends with what did not reproduce; each table has those of the
settings that it takes.

examples:
  telex reproduce mpboost-table2 --data collections
  telex reproduce boosting-mh --data collections --rounds 100 -o boosting.html
  telex reproduce all --data collections -o reproductions.html"""


@dataclass(frozen=True, kw_only=True)
class ReproduceOptions(OutputOptions):
    """The options of ``telex reproduce``."""

    name: str | None = None
    data: str | None = None
    rounds: int | None = None
    terms: int | None = None
    folds: int | None = None
    epochs: int | None = None
    seed: int | None = None
    runs: int | None = None
    out: str | None = None
    picture: str | None = None

    def given(self) -> dict[str, int]:
        """Return the settings that were given.

        >>> ReproduceOptions(rounds=20).given()
        {'rounds': 20}
        """
        from telex.adapters.reproductions import SETTINGS

        return {name: value for name in SETTINGS if (value := getattr(self, name)) is not None}


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the table or figure, by its name below, or all")
    option = parser.add_argument_group("what is read, and what is drawn").add_argument
    option("--data", metavar="DIR", help="the folder of the collections")
    option("-o", "--out", metavar="FILE", help="write a page with tables and pictures (for all: reproductions.html)")
    option("--picture", metavar="FILE", help="draw the figure to an .svg, .png or .pdf too, where it has one")
    add_overwrite_option(option)
    option = parser.add_argument_group("settings of those that take them, by default as listed below").add_argument
    option("--rounds", type=at_least(1), metavar="N", help="rounds of boosting")
    option("--terms", type=at_least(1), metavar="N", help="features that are kept: of each label, or of all")
    option("--folds", type=at_least(2), metavar="K", help="folds of a cross-validation")
    option("--epochs", type=at_least(1), metavar="N", help="passes over the training documents")
    option("--seed", type=at_least(0), metavar="S", help="seed of folds, orders and learners")
    option("--runs", type=at_least(1), metavar="N", help="repetitions with other splits or orders")
    add_result_options(parser)


def epilog() -> str:
    """Return the names of all reproductions with their settings, and examples."""
    from telex.adapters.reproductions import known_settings, titles

    settings = known_settings()
    told = []
    for name, title in titles().items():
        told.append(f"  {name:16} {title}")
        if settings[name]:
            told.append(f"  {'':16} " + ", ".join(f"--{one} {value}" for one, value in settings[name].items()))
    return _EXAMPLE.format(names="\n".join(told))


LISTED = (90, "make a paper's table again, and show its numbers beside ours")
COMMAND = Command(
    name="reproduce",
    help=LISTED[1],
    description="Make a table or figure of a paper again, on the collection it is about; show its settings, our "
    "figures, the paper's beside them, and what holds.",
    epilog=epilog,
    place=LISTED[0],
    options=ReproduceOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.reproduce:reproduce",
)

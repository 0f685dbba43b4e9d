"""The ``telex`` command."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from telex.adapters.cli import (
    compare,
    completion,
    consume,
    crossval,
    demo,
    formats,
    inspect,
    learners,
    losses,
    predict,
    publish,
    replay,
    report,
    reproduce,
)
from telex.adapters.cli.options import Parser
from telex.adapters.cli.signals import Ended, leaving
from telex.learners.errors import TelexError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = (
    demo,
    replay,
    consume,
    publish,
    predict,
    compare,
    crossval,
    report,
    reproduce,
    inspect,
    learners,
    formats,
    losses,
    completion,
)
_ENDS = {
    Ended: ("ended by SIGTERM; what was not finished is put away", 0),
    KeyboardInterrupt: ("interrupted; begin again, or go on with --resume where a run is kept", 130),
}
_NEXT = {
    errno.ENOSPC: "make room, and go on with --resume where a run is kept, or begin again",
    errno.EDQUOT: "make room, and go on with --resume where a run is kept, or begin again",
    errno.EACCES: "choose a place that you may use, or have it opened to you",
    errno.EPERM: "choose a place that you may use, or have it opened to you",
    errno.EROFS: "choose a place that can be written to",
    errno.ENOENT: "check the path",
    errno.EMFILE: "allow more open files (ulimit -n)",
}
_EXAMPLE = """\
`telex COMMAND --help` says what a command does, with examples.

examples:
  telex demo
  telex replay news.jsonl --learner mmp --learner mlpp"""


def parser() -> Parser:
    """Return the parser of the whole command line; nothing heavy is loaded for it."""
    whole = Parser(
        prog="telex",
        description="Streaming online learning for labelling news: predict, be told, be scored, learn.",
        epilog=_EXAMPLE,
    )
    whole.add_argument("--version", action="store_true", help="show the version and stop")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", dest="command", parser_class=Parser)
    for command in _COMMANDS:
        command.add(commands)
    whole.commands = commands.choices
    return whole


def main(argv: Sequence[str] | None = None, *, passing: bool = False) -> int:
    """Run the command line: 0 is done, 1 could not go on, 2 is wrong use, 130 interrupted.

    A run whose folder will not stay is ``passing``: nobody is told how to go on with it.
    """
    try:
        with leaving():
            code = _run(argv, passing)
            sys.stdout.flush()
    except UsageError as error:
        return _complain(error, 2)
    except TelexError as error:
        return _complain(error, 1)
    except BrokenPipeError:
        # The reader of our output has left; what Python flushes at its end must not complain of it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Ended, KeyboardInterrupt) as end:
        return _complain(*_ENDS[type(end)])
    except (MemoryError, OSError) as error:
        return _complain(_too_little(error), 1)
    return code


def _too_little(error: MemoryError | OSError) -> str:
    if isinstance(error, MemoryError):
        return (
            "there is not enough memory; take fewer labels (mlpp keeps a weight for each pair of them and each term), "
            "or fewer terms (--text vocabulary=bounded,size=20000)"
        )
    where = f"{error.filename}: " if error.filename else ""
    next_thing = _NEXT.get(error.errno or 0, "mend that, and try again")
    return f"{where}{error.strerror or error}; {next_thing}"


def _run(argv: Sequence[str] | None, passing: bool) -> int:
    whole = parser()
    known, unknown = whole.parse_known_args(argv)
    arguments = vars(known)
    if arguments.pop("version", False):
        from telex.stream.folder import versions  # noqa: PLC0415

        print(f"telex {versions()['telex'] or '(not installed)'}")
        return 0
    command = arguments.pop("command", None)
    if unknown:
        whole.commands.get(command or "", whole).refuse(unknown[0])
    if command is None:
        raise UsageError("name a command; try `telex --help`")
    called = {"command_line": list(sys.argv[1:] if argv is None else argv), **({"passing": True} if passing else {})}
    return int(arguments.pop("run_command")({**arguments, **called}))


def _complain(what: object, code: int) -> int:
    print(f"telex: {what}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

"""The ``telex`` command."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

import telex
from telex.adapters.cli.command_table import parser_for
from telex.adapters.cli.signals import EndedBySignal, raise_at_sigterm
from telex.adapters.terminal import printable_streams
from telex.learners.base import TelexError, UsageError, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDS = {
    EndedBySignal: ("ended by SIGTERM; unfinished files are removed", 0),
    KeyboardInterrupt: ("interrupted; start again, or resume a run with --run and --resume", 130),
}
_NEXT = {
    errno.ENOSPC: "make room, and start again, or resume a run with --run and --resume",
    errno.EDQUOT: "make room, and start again, or resume a run with --run and --resume",
    errno.EACCES: "choose a place that you may use, or ask for access",
    errno.EPERM: "choose a place that you may use, or ask for access",
    errno.EROFS: "choose a writable place",
    errno.ENOENT: "check the path",
    errno.EMFILE: "allow more open files (ulimit -n)",
}
_MAY_BE_EMPTY = {"text", "title"}
"""Options that say something by an empty value: others would be taken as not given, and a run not be stored."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, and return 0 for done, 1 for could not continue, 2 for wrong use, 130 for interrupted."""
    with printable_streams():
        return _exit_code(list(sys.argv[1:] if argv is None else argv))


def _exit_code(argv: list[str]) -> int:
    try:
        with raise_at_sigterm():
            code = _run(argv)
            sys.stdout.flush()
    except UsageError as error:
        return _complain(error, 2)
    except TelexError as error:
        return _complain(error, 1)
    except BrokenPipeError:
        # Our output has no reader any more; Python's last flush must not complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (EndedBySignal, KeyboardInterrupt) as end:
        return _complain(*_ENDS[type(end)])
    except (MemoryError, OSError) as error:
        return _complain(_system_error(error), 1)
    except ImportError as error:  # the native core says so, when it is loaded, of a level that there is not
        if "TELEX_CPU" not in str(error):
            raise
        return _complain(error, 2)
    return code


def _run(argv: list[str]) -> int:
    whole, commands = parser_for(argv)
    known, unknown = whole.parse_known_args(argv)
    arguments = vars(known)
    if arguments.pop("version", False):
        print(f"telex {telex.__version__}")
        return 0
    name = arguments.pop("command", None)
    of_command = whole.commands.get(name or "", whole)
    if unknown:
        of_command.refuse(unknown[0])
    if name is None:
        raise UsageError("name a command; try `telex --help`")
    if "config" in arguments:
        from telex.adapters.cli.config_file import from_file  # noqa: PLC0415 - only where there is one

        arguments = {**from_file(arguments["config"], of_command), **arguments}
    empty = next((option for option, value in arguments.items() if value == "" and option not in _MAY_BE_EMPTY), None)
    if empty is not None:
        of_command.error(f"--{empty.replace('_', '-')} is empty: give it a value, or leave it out")
    return commands[name](arguments, argv)


def _system_error(error: MemoryError | OSError) -> str:
    if isinstance(error, MemoryError):
        return (
            "there is not enough memory; take fewer labels (mlpp keeps a weight for each pair of them and each term), "
            "or fewer terms (--text vocabulary=bounded,size=20000)"
        )
    where = f"{error.filename}: " if error.filename else ""
    next_thing = _NEXT.get(error.errno or 0, "fix that, and try again")
    return f"{where}{error.strerror or error}; {next_thing}"


def _complain(what: object, code: int) -> int:
    print(f"telex: {one_line(str(what))}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

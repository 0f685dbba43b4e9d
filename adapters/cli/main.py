"""The ``telex`` command."""

from __future__ import annotations

import errno
import sys
from typing import TYPE_CHECKING

import telex
from telex.adapters.cli.clear_commands import with_commands
from telex.adapters.cli.command_table import parser_for
from telex.adapters.cli.signals import EndedBySignal, raise_at_signals
from telex.adapters.cli.standard_streams import flush_output, prepare
from telex.adapters.terminal import printable_streams
from telex.learners.base import TelexError, UnclearInputError, UsageError, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDS = {
    EndedBySignal: ("ended by SIGTERM; unfinished files are removed", 0),
    KeyboardInterrupt: ("interrupted; start again, or resume a run with --run and --resume", 130),
}
_NO_MEMORY = (
    "there is not enough memory; take fewer labels (mlpp keeps a weight for each pair of them and each term), "
    "or fewer terms (--text vocabulary=bounded,size=20000)"
)
_NEXT = {
    errno.EPIPE: "start again with a reader that stays to the end",
    errno.ENOSPC: "make room, and start again, or resume a run with --run and --resume",
    errno.EDQUOT: "make room, and start again, or resume a run with --run and --resume",
    errno.EACCES: "choose a place that you may use, or ask for access",
    errno.EPERM: "choose a place that you may use, or ask for access",
    errno.EROFS: "choose a writable place",
    errno.ENOENT: "check the path",
    errno.EMFILE: "allow more open files (ulimit -n)",
}
_LONGEST = 4000
_MAY_BE_EMPTY = {"text", "title"}
"""Options that say something by an empty value: others would be taken as not given, and a run not be stored."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, and return 0 for done, 1 for could not continue, 2 for wrong use, 130 for interrupted."""
    prepare()
    with printable_streams():
        return _exit_code(list(sys.argv[1:] if argv is None else argv), for_good=argv is None)


def _exit_code(argv: list[str], *, for_good: bool) -> int:
    code, reason, of_system = _ended(argv, for_good=for_good)
    if (unwritten := flush_output()) is not None and (code == 0 or of_system):
        if isinstance(unwritten, BrokenPipeError):  # who read it has had enough
            return 0
        what = "closed" if unwritten.errno == errno.EBADF else f"cut short ({unwritten.strerror})"
        code, reason = 1, f"standard output is {what}; send it to a file or a pipe that takes it"
    if reason is not None:
        if len(reason) > _LONGEST:  # what was typed is in it
            reason = f"{reason[: _LONGEST // 2]} ... {reason[-_LONGEST // 2 :]}"
        print(f"telex: {one_line(reason)}", file=sys.stderr)
    return code


def _ended(argv: list[str], *, for_good: bool) -> tuple[int, str | None, bool]:
    """Run the command line; return the exit code, a sentence about it, and whether it is an error of the system.

    No exception leaves: it would keep alive what the command has open, such as threads that read ahead.
    """
    try:
        with raise_at_signals(for_good=for_good):
            return _run(argv), None, False
    except TelexError as error:
        said = with_commands(error, argv) if isinstance(error, UnclearInputError) else str(error)
        return 2 if isinstance(error, UsageError) else 1, said, False
    except (EndedBySignal, KeyboardInterrupt) as end:
        sentence, code = _ENDS[type(end)]
        return code, sentence, False
    except MemoryError:
        return 1, _NO_MEMORY, False
    except OSError as error:
        return 1, _system_error(error), True
    except SystemExit as end:  # after a help
        return int(end.code or 0), None, False


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
    try:
        return commands[name](arguments, argv)
    except ImportError as error:  # the native core says so, when it is loaded, of a level that there is not
        if "TELEX_CPU" not in str(error):
            raise
        raise UsageError(str(error)) from error


def _system_error(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    next_thing = _NEXT.get(error.errno or 0, "fix that, and try again")
    return f"{where}{error.strerror or error}; {next_thing}"


if __name__ == "__main__":
    sys.exit(main())

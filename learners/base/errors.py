"""The tree of exceptions: everything that Telex raises on purpose.

    TelexError
    ├── UsageError          a wrong option, specification, file or setting: mend it and start again (exit code 2)
    │   ├── InputError      features or labels that a learner cannot take (also a ValueError)
    │   │   └── LabelLimitError     more labels than a learner was to take: a limit that was set, and no failure
    │   └── UnclearInputError   documents that can be read in several ways, or in none: a setting must say how
    └── StoppedError        the run could not continue (exit code 1)
        └── BrokenRecordError   a record that cannot be read, in a run that tolerates none

A message is one sentence that says what is wrong and what to try next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class TelexError(Exception):
    """The root of the tree; catch it to catch everything that Telex raises on purpose."""


class UsageError(TelexError):
    """A wrong option, specification, file or setting."""


class InputError(UsageError, ValueError):
    """Features or labels that a learner cannot take."""


class LabelLimitError(InputError):
    """More labels than a learner was to take: a limit that was set, and no failure."""


class UnclearInputError(UsageError):
    """Documents that can be read in several ways, or in none: a setting must say how.

    ``cause`` says what is unclear; ``formats`` are the formats to choose from, with their settings.

    >>> print(UnclearInputError("the labels may be one or several", ["csv:separator=comma", "csv:separator=none"]))
    the labels may be one or several; give --format csv:separator=comma or --format csv:separator=none
    """

    def __init__(self, cause: str, formats: Sequence[str] = ()) -> None:
        self.cause, self.formats = cause, tuple(formats)
        given = " or ".join(f"--format {one}" for one in formats)
        super().__init__(f"{cause}; give {given}" if given else f"{cause}; try `telex look` to see what is in it")


class StoppedError(TelexError):
    """The run could not continue."""


class BrokenRecordError(StoppedError):
    """A record that cannot be read, in a run with ``strict``."""


def error_line(error: BaseException) -> str:
    """Return an error as one line of text, without the full stop.

    >>> error_line(ValueError("one class,  not two."))
    'ValueError: one class, not two'
    """
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300].rstrip('.')}"

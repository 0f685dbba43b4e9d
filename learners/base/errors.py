"""The tree of exceptions: everything that Telex raises on purpose.

    TelexError
    ├── UsageError          a wrong option, specification, file or setting: mend it and start again (exit code 2)
    │   └── InputError      features or labels that a learner cannot take (also a ValueError)
    │       └── LabelLimitError     more labels than a learner was to take: a limit that was set, and no failure
    └── StoppedError        the run could not continue (exit code 1)
        └── BrokenRecordError   a record that cannot be read, in a run that tolerates none

A message is one sentence that says what is wrong and what to try next.
"""


class TelexError(Exception):
    """The root of the tree; catch it to catch everything that Telex raises on purpose."""


class UsageError(TelexError):
    """A wrong option, specification, file or setting."""


class InputError(UsageError, ValueError):
    """Features or labels that a learner cannot take."""


class LabelLimitError(InputError):
    """More labels than a learner was to take: a limit that was set, and no failure."""


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

"""Everything Telex raises on purpose, in one tree.

    TelexError
    ├── UsageError          a wrong option, specification, file or setting: mend it and start again (exit code 2)
    │   └── InputError      features or labels handed to a learner that it cannot take (also a ValueError)
    └── StoppedError        the run could not go on (exit code 1)
        └── BrokenRecordError   a record that cannot be read, where none is tolerated

A message is one sentence that says what is wrong and what to try next.
"""


class TelexError(Exception):
    """The root of the tree: whoever catches it catches all that Telex raises on purpose."""


class UsageError(TelexError):
    """A wrong option, specification, file or setting."""


class InputError(UsageError, ValueError):
    """Features or labels that a learner cannot take."""


class StoppedError(TelexError):
    """The run could not go on."""


class BrokenRecordError(StoppedError):
    """A record that cannot be read, met under ``strict``."""

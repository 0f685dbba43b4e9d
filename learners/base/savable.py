"""States: what outlives a document, as plain data.

A state is a nested dict with texts as keys. Its leaves are numpy arrays, or what JSON has: texts, numbers, true, false,
None and lists of these. An object with a state has ``save()``, which copies what will change, and ``load(state)``,
which is called on a new object with the same settings. A state is data: loading it never runs code from it.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from telex.learners.base.errors import UsageError

State = dict[str, Any]


@runtime_checkable
class Savable(Protocol):
    """What a checkpoint can store; a learner without these two methods can only be in runs without checkpoints."""

    def save(self) -> State:
        """Return what was learnt as plain data, without the settings."""
        ...

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned; a broken state is an InputError."""
        ...


@runtime_checkable
class ChecksSaving(Protocol):
    """Something with ``save`` that must check each time whether its state is plain data."""

    def check_savable(self) -> None:
        """Raise a UsageError if ``save`` cannot store this as it is now."""
        ...


def as_savable(what: str, thing: object) -> Savable:
    """Return ``thing`` if it has ``save`` and ``load``; the error names it as ``what``."""
    if not isinstance(thing, Savable):
        raise UsageError(f"the {what} cannot be stored in a checkpoint: it has no save and load; give it both")
    return thing


def check_savable(what: str, thing: object) -> None:
    """Raise a UsageError, which names ``thing`` as ``what``, unless a checkpoint can store it as it is now."""
    savable = as_savable(what, thing)
    if isinstance(savable, ChecksSaving):
        savable.check_savable()


def is_savable(thing: object) -> bool:
    """Return whether a checkpoint can store ``thing`` as it is now.

    >>> from telex.learners import MMP
    >>> is_savable(MMP()), is_savable("a text")
    (True, False)
    """
    try:
        check_savable("thing", thing)
    except UsageError:
        return False
    return True

"""The losses of a run as Python gives them: by name, or made already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from telex.learners import did_you_mean, named_losses, registry
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.learners.losses import Loss
    from telex.learners.trees import Tree

USUAL = "usual"
"""The word in a list of losses that stands for all that a run measures where none are named."""


def given_losses(given: str | Iterable[str | Loss] | Mapping[str, Loss] | None, tree: Tree | None) -> list[Loss] | None:
    """Return the losses of a run; None for the usual ones.

    A text names losses to measure beside the usual ones, as ``--losses`` does. A list has all that is measured: losses
    of your own, names, and ``"usual"`` for the usual ones.

    >>> [loss.name for loss in given_losses(["iserr", "avgp"], None)]
    ['iserr', 'avgp']
    """
    if given is None:
        return None
    if isinstance(given, str):
        return list(registry.usual_losses([name.strip() for name in given.split(",")], tree).values())
    found: dict[str, Any] = {}
    for one in given.values() if isinstance(given, Mapping) else given:
        if not isinstance(one, str):
            if one.name in found and found[one.name] is not one:
                raise UsageError(f"two losses have the name {one.name!r}; give one another name")
            found[one.name] = one
        elif one == USUAL:
            found |= registry.usual_losses(tree=tree)
        else:
            known = {**named_losses(), **registry.usual_losses(tree=tree)}
            if one not in known:
                raise UsageError(f"there is no loss {one!r}{did_you_mean(one, known)}; `telex losses` lists them")
            found[one] = known[one]
    return list(found.values())

"""Losses by name: those that are installed, those along a tree, and the errors of coverings."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from telex.learners.base import UsageError
from telex.learners.registry.installed import did_you_mean, load_object

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from telex.learners.losses import Loss, Shown
    from telex.learners.trees import Tree

_COVER = "cover:"
_COVERS = ("cover_sets_", "cover_top_", "cover_wp_", "cover_wn_")
"""How the names of losses begin that are given as ``cover:COVERING``."""
_COVERING_LOSS = "telex.learners.boosting.coverings:CoveringLoss"


def known_losses() -> dict[str, Loss]:
    """Return all losses by name: Telex's own, then the classes or instances at the entry points ``telex.losses``."""
    from telex.learners.losses import LOSSES  # noqa: PLC0415

    found = dict(LOSSES)
    for point in entry_points(group="telex.losses"):
        loss = load_object(point.value)
        loss = loss() if isinstance(loss, type) else loss
        found[loss.name] = loss
    return found


def named_losses() -> dict[str, Loss]:
    """Return the losses of :func:`known_losses` and those along a tree, for their facts: the tree has no labels."""
    from telex.learners.trees import Tree, tree_losses  # noqa: PLC0415

    known = known_losses()
    return {**known, **tree_losses(Tree.of_paths("/")), **known}


def how_to_measure(name: str) -> str:
    """Return the options with which a run measures a loss, an empty text if there is no such loss.

    >>> how_to_measure("ndcg5"), how_to_measure("l_h"), how_to_measure("l_h_uniform"), how_to_measure("ndcg4")
    ('--losses ndcg5', '--tree FILE', '--tree FILE --losses l_h_uniform', '')
    """
    found = named_losses().get(name)
    if found is None:
        return ""
    along = name not in known_losses()
    return " ".join(["--tree FILE"] * along + [f"--losses {name}"] * (found.optional or not along))


def check_figures(shown: Shown, measured: Iterable[str] | None = None) -> Shown:
    """Return ``shown``, or raise a UsageError that says which of its names no figure has, or none that is measured.

    >>> from telex.learners.losses import Shown
    >>> check_figures(Shown(headline="avpg"))
    Traceback (most recent call last):
    telex.learners.base.errors.UsageError: there is no loss 'avpg' (did you mean 'avgp'?); `telex losses` lists them all
    """
    from telex.learners.losses import MEASURES  # noqa: PLC0415

    known = {*named_losses(), *MEASURES}
    there = known if measured is None else {*measured, *MEASURES}
    for name in shown.names:
        if measured is None and name.startswith(_COVERS):
            continue  # whether a run measures it is only known when it begins
        if name not in known and name not in there:
            raise UsageError(f"there is no loss {name!r}{did_you_mean(name, known)}; `telex losses` lists them all")
        if name not in there:
            raise UsageError(f"{name} is not measured here; begin a run with {how_to_measure(name)}, or show another")
    return shown


def covering_losses(named: Iterable[str]) -> list[Loss]:
    """Return the errors of those coverings that are ``named``, each as ``cover:COVERING``; other names are passed over.

    >>> [loss.name for loss in covering_losses(["prec1", "cover:wp:8"])]
    ['cover_wp_8']
    """
    return [load_object(_COVERING_LOSS)(name.removeprefix(_COVER)) for name in named if name.startswith(_COVER)]


def usual_losses(named: Collection[str] = (), tree: Tree | None = None) -> dict[str, Loss]:
    """Return the losses that runs measure, with those that are ``named`` beside them; ``all`` names all.

    With a ``tree`` they are also the losses along the tree. ``cover:COVERING`` names the error of any covering.

    >>> list(usual_losses(["prec1"]))[:6], "ndcg5" in usual_losses(["all"])
    (['iserr', 'errsetsize', 'ranking_loss', 'margin', 'avgp', 'oneerr'], True)
    """
    wanted = [name for name in named if not name.startswith(_COVER)]
    known = known_losses() | {loss.name: loss for loss in covering_losses(named)}
    if tree is not None:
        from telex.learners.trees import tree_losses  # noqa: PLC0415

        known = dict(sorted({**known, **tree_losses(tree)}.items(), key=lambda one: one[1].order))
    for name in wanted:
        if name != "all" and name not in known:
            choice = ", ".join(one for one, loss in known.items() if loss.optional)
            raise UsageError(f"there is no loss {name!r}{did_you_mean(name, known)}; choose all, or some of {choice}")
    return {name: loss for name, loss in known.items() if not loss.optional or name in wanted or "all" in wanted}

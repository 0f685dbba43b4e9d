"""What learners and losses are, as plain data."""

from __future__ import annotations

import inspect
import re
import types
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.learners.registry.installed import learner_class, learner_names
from telex.learners.registry.losses import known_losses, named_losses
from telex.learners.registry.parameter import Parameter, parameters
from telex.learners.registry.specification import parse_spec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.learners.losses import Loss


def describe_learners(names: Iterable[str] = ()) -> dict[str, dict[str, Any]]:
    """Return each learner's first sentence, class and parameters, as plain data.

    A family is listed as ``family:NAME``, without parameters. ``names`` selects learners: a member has its parameters,
    a family all its members. Of a learner that cannot be loaded the summary says why, unless it was asked for.
    """
    found: dict[str, dict[str, Any]] = {}
    places = learner_names()
    for name in names or places:
        try:
            thing = learner_class(name.partition(":")[0])
        except UsageError as error:
            if names:
                raise
            found[name] = {"summary": str(error), "class": places[name], "parameters": {}}
            continue
        cls = thing if isinstance(thing, type) else type(thing)
        known: dict[str, Parameter] = {}
        shown, more = name, {}
        if isinstance(thing, type):
            known = parameters(thing)
        elif ":" in name:
            known = parse_spec(name).parameters
        else:
            shown, more = f"{name}:NAME", {"members": thing.members()} if names else {}
        found[shown] = {
            "summary": first_sentence(cls),
            "class": f"{cls.__module__}.{cls.__qualname__}",
            "parameters": {
                key: {"default": _plain(p.default), "allowed": list(p.allowed), "expected": p.expected()}
                for key, p in known.items()
            },
            **more,
        }
    return found


def describe_losses(more: Iterable[Loss] = ()) -> dict[str, dict[str, Any]]:
    """Return the first sentence and the facts of each installed loss, of ``more``, and of each measure, as plain data.

    Their order is that of columns; :class:`~telex.learners.losses.Loss` explains the facts. A loss along a ``tree``
    needs one.

    >>> describe_losses()["margin"]["unit"], describe_losses()["micro_f1"]["best"]
    ('ranks', 1.0)
    """
    from telex.learners.losses import Loss, figures_of  # noqa: PLC0415

    given, installed = {loss.name: loss for loss in more}, known_losses()
    known = figures_of({**named_losses(), **given}.values())
    return {
        one.name: {
            "summary": first_sentence(type(one)) if isinstance(one, Loss) else one.summary,
            "best": one.best,
            "bounded": one.bounded,
            "binary": one.binary,
            "unit": one.unit,
            "optional": isinstance(one, Loss) and one.optional,
            "priority": one.priority,
            "same_as": one.same_as,
            "tree": isinstance(one, Loss) and one.name not in installed and one.name not in given,
        }
        for one in sorted(known, key=lambda one: one.order)
    }


def first_sentence(thing: object) -> str:
    """Return the first sentence of a docstring, without its footnote marks.

    >>> first_sentence(first_sentence)
    'Return the first sentence of a docstring, without its footnote marks.'
    """
    text = re.sub(r" *\[\^\d+\]", "", inspect.getdoc(thing) or "")
    return re.split(r"(?<=[.?!])\s|\n\n", text, maxsplit=1)[0].replace("\n", " ")


def _plain(default: Any) -> Any:
    return default if isinstance(default, (bool, int, float, str, types.NoneType)) else str(default)

"""The learners of a run as Python gives them: specifications, learners that are made already, or both."""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telex.learners import FollowsStream, Learner, learner_names, load_object, named_spec, registry
from telex.learners.base import UsageError
from telex.stream.run import describe

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class GivenLearners:
    """The learners by name, and how ``--learner`` would name each; None if it cannot name one.

    ``others`` has an untaught copy of each learner that no specification can make.
    """

    made: dict[str, Learner]
    specs: tuple[str, ...] | None
    seed: int
    others: dict[str, Learner]

    def fresh(self) -> dict[str, Learner]:
        """Return the same learners, new: such as have learnt nothing."""
        if self.specs is not None:
            made: dict[str, Learner] = registry.learners(self.specs, seed=self.seed, baselines=False)
            return made
        return {name: _untaught(learner) for name, learner in self.others.items()}


def given_learners(
    given: str | Iterable[str | Learner] | Mapping[str, str | Learner], seed: int, *, baselines: bool
) -> GivenLearners:
    """Make the learners: a list also gets the ``baselines``, a mapping has all that it names and no more.

    A learner without a name of its own goes by that of its class.

    >>> from telex.learners import MMP, NB
    >>> found = given_learners(["nb", MMP(averaged=True)], 0, baselines=True)
    >>> list(found.made), found.specs
    (['nb', 'mmp', 'prior', 'last'], ('nb', 'mmp=mmp:averaged=True', 'prior', 'last'))
    """
    made: dict[str, Any] = {}
    if not isinstance(given, Mapping):
        given = [given] if isinstance(given, str) else list(given)
    if isinstance(given, Mapping):
        for name, one in given.items():
            made[name] = registry.learner(one, seed) if isinstance(one, str) else one
    else:
        for one in given:
            found = registry.learners([one], seed=seed, baselines=False) if isinstance(one, str) else {_name(one): one}
            if twice := found.keys() & made.keys():
                name = min(twice)
                raise UsageError(
                    f"two learners have the name {name!r}; give them names, as in {{'first': .., 'second': ..}}"
                )
            made |= found
        if not made:
            made = registry.learners((), seed=seed, baselines=False)
        if baselines:
            made |= {name: registry.learner(name, seed) for name in registry.BASELINES if name not in made}
    for name, one in made.items():
        if not isinstance(one, FollowsStream):
            raise UsageError(
                f"{name} is of type {type(one).__name__}, which does not follow a stream; give a learner of Telex, or "
                "derive one from telex.PerDocument"
            )
        if isinstance(one, Learner) and len(one.labels):
            warnings.warn(
                f"{name} has learnt already, and goes on from there; to begin anew, give a new one, as with .clone()",
                stacklevel=3,
            )
    texts = _texts(given, made, seed)
    named = {name: name if name == text else f"{name}={text}" for name, text in texts.items()}
    if all(text is not None and named_spec(named[name]) == (name, text) for name, text in texts.items()):
        return GivenLearners(made, tuple(named.values()), seed, {})
    return GivenLearners(made, None, seed, {name: _untaught(one) for name, one in made.items()})


def _texts(given: Any, made: Mapping[str, Any], seed: int) -> dict[str, str | None]:
    """Return the specification of each learner: the one given, else one that makes the same learner, else None."""
    if isinstance(given, Mapping):
        told = {name: one for name, one in given.items() if isinstance(one, str)}
    else:
        told = dict(named_spec(one) for one in given or registry.DEFAULT_LEARNERS if isinstance(one, str))
    return {name: told.get(name) or _spec(one, seed) for name, one in made.items()}


def _spec(learner: Any, seed: int) -> str | None:
    """Return a specification by which the registry makes a learner like this one; None if there is none."""
    for name, place in learner_names().items():
        if place != f"{type(learner).__module__}:{type(learner).__name__}" and load_object(place) is not type(learner):
            continue
        settings = [
            f"{key}={getattr(learner, key)}"
            for key, parameter in inspect.signature(type(learner)).parameters.items()
            if getattr(learner, key, None) != parameter.default
        ]
        text = name + (":" + ",".join(settings) if settings else "")
        try:
            same = describe(registry.learner(text, seed)) == describe(learner)
        except UsageError:
            return None
        return text if same else None
    return None


def _name(learner: Any) -> str:
    return type(learner).__name__.lower()


def _untaught(learner: Any) -> Any:
    return learner.clone() if hasattr(learner, "clone") else copy.deepcopy(learner)

"""Learners by their specifications, as a command line or a settings file gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError, one_line
from telex.learners.learner import FollowsStream
from telex.learners.registry.installed import did_you_mean, learner_class
from telex.learners.registry.parameter import Parameter, key_values, parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

BASELINES = ("prior", "last")
_DECIDING = ("decide", "probabilities", "tree")
"""What the specification of any learner may have besides its own parameters."""
DEFAULT_LEARNERS = ("arow", "mlpp=mlpp:label_limit=128", "mmp", "br", "nb")
"""What runs where no learner is named: pairs of more labels would take gigabytes."""
FORMER_DEFAULTS = ("br", "mmp", "mlpp", "nb")
"""Those of a stored run that names no learner: runs store the names today."""


@dataclass(frozen=True, slots=True)
class LearnerSpec:
    """A specification taken apart: the learner that it names, and the text of its settings."""

    name: str
    learner_class: Any
    parameters: dict[str, Parameter]
    make: Callable[[Mapping[str, Any]], Any]
    settings: str


def parse_spec(spec: str) -> LearnerSpec:
    """Take ``name``, ``name:key=value,..``, ``family:NAME`` or ``family:NAME:key=value,..`` apart.

    >>> parse_spec("mmp:loss=avgp").settings
    'loss=avgp'
    """
    name, _, settings = spec.partition(":")
    found = learner_class(name)
    if isinstance(found, type):
        return LearnerSpec(name, found, parameters(found), lambda values: found(**values), settings)
    member, _, settings = settings.partition(":")
    if not member:
        raise UsageError(f"{spec!r} does not say which; try {name}:{found.example}, or `telex learners {name}`")
    family = found
    known = family.parameters(member)
    return LearnerSpec(f"{name}:{member}", family, known, lambda values: family.make(member, values), settings)


def learner(spec: str, seed: int | None = None) -> Any:
    """Make the learner, or batch learner, that a specification such as ``name:key=value,key=value`` describes.

    ``seed`` is the seed of learners whose specification gives none. A learner of another library is
    ``family:NAME:key=value``. If a parameter is itself a learner, write its parameters with a dot:
    ``refit:model=sklearn:LinearSVC,every=5000,model.C=3``. Any learner takes ``decide``, ``probabilities`` and
    ``tree``, the parameters of :class:`~telex.learners.thresholds.Thresholded`.

    >>> learner("mmp:loss=errsetsize,averaged=true", seed=7)
    MMP (
      loss="errsetsize"
      penalty="uniform"
      update="perceptron"
      r=1.
      init="zero"
      init_scale=0.05
      averaged=True
      seed=7
    )
    """
    return _make(spec, {}, seed)


def learners(
    specs: Iterable[str], *, seed: int | None = None, baselines: bool = True, windows: bool = False
) -> dict[str, Any]:
    """Make the learners of ``[ALIAS=]SPEC`` texts, by alias or else by the text itself.

    No text means ``DEFAULT_LEARNERS``; ``baselines`` adds ``prior`` and ``last`` if they are missing. Batch
    learners, which cannot follow a stream by themselves, are refused unless ``windows`` is true.

    >>> list(learners(["a=mmp", "mmp:loss=avgp"]))
    ['a', 'mmp:loss=avgp', 'prior', 'last']
    """
    made: dict[str, Any] = {}
    for text in list(specs) or DEFAULT_LEARNERS:
        name, spec = named_spec(text)
        if name in made:
            raise UsageError(f"two learners have the name {name!r}; give one another, as in other={spec}")
        if text.startswith("="):
            raise UsageError(f"the learner {text!r} has no name before '='; try name={spec}")
        if one_line(name) != name:
            raise UsageError(
                f"the name {one_line(name)!r} of a learner has characters that cannot be shown; give it another, "
                "as in name=SPEC"
            )
        made[name] = learner(spec, seed)
        if not (windows or isinstance(made[name], FollowsStream)):
            whole = parse_spec(spec).name
            raise UsageError(f"{whole} learns a window at once, not a stream; try refit:model={whole},every=5000")
    for name in BASELINES if baselines else ():
        if name not in made:
            made[name] = learner(name, seed)
    return made


def named_spec(text: str) -> tuple[str, str]:
    """Return the name and the specification of a learner given as ``[ALIAS=]SPEC``: without an alias both are the text.

    >>> named_spec("mmp:loss=avgp"), named_spec("a=mmp:loss=avgp")
    (('mmp:loss=avgp', 'mmp:loss=avgp'), ('a', 'mmp:loss=avgp'))
    """
    alias, equals, spec = text.partition("=")
    return (alias, spec) if equals and ":" not in alias else (text, text)


def _make(spec: str, more: dict[str, str], seed: int | None) -> Any:
    parsed = parse_spec(spec)
    name, known = parsed.name, parsed.parameters
    pairs = key_values(parsed.settings, f"the learner {spec!r}")
    if twice := pairs.keys() & more.keys():
        raise UsageError(f"{min(twice)!r} is given twice for the learner {spec!r}; leave one out")
    pairs |= more
    values = {}
    for parameter in (one for one in known.values() if one.is_model):
        inner = parameter.name
        own = {key: pairs.pop(key) for key in list(pairs) if key.startswith(f"{inner}.")}
        if inner not in pairs:
            raise UsageError(f"the learner {name} needs {inner}=NAME; try {name}:{inner}=mpboost")
        values[inner] = _make(pairs.pop(inner), {key.removeprefix(f"{inner}."): own[key] for key in own}, seed)
    deciding = {key: pairs.pop(key) for key in _DECIDING if key in pairs and key not in known}
    values |= {key: _value(name, key, text, known) for key, text in pairs.items()}
    if seed is not None and "seed" in known:
        values.setdefault("seed", seed)
    try:
        made = parsed.make(values)
        return _thresholded(made, deciding) if deciding else made
    except UsageError:
        raise
    except (TypeError, ValueError) as error:
        raise UsageError(f"the learner {spec!r} cannot be made: {error}; see `telex learners {name}`") from error


def _thresholded(made: Any, deciding: Mapping[str, Any]) -> Any:
    from telex.learners.thresholds import FittedThresholds, Thresholded  # noqa: PLC0415

    around = Thresholded if isinstance(made, FollowsStream) else FittedThresholds
    return around(made, deciding.get("decide", "sign"), deciding.get("probabilities"), deciding.get("tree"))


def _value(name: str, key: str, text: str, known: dict[str, Parameter]) -> Any:
    if key not in known:
        names = f"choose one of {', '.join(known)}" if known else "it has none"
        close = did_you_mean(key, [*known, *_DECIDING])
        raise UsageError(f"the learner {name} has no parameter {key!r}{close}; {names}")
    try:
        return known[key].read(text)
    except ValueError:
        wrong = f"{key} of the learner {name} cannot be {text!r}{did_you_mean(text, map(str, known[key].allowed))}"
        raise UsageError(f"{wrong}; give {known[key].expected()}") from None

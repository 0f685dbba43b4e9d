"""Learners and losses by name, as a command line or a settings file gives them."""

from __future__ import annotations

import inspect
import re
import types
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints, runtime_checkable

from telex.learners.base import UsageError, one_line
from telex.learners.batch_learner import BatchLearner
from telex.learners.learner import FollowsStream

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from telex.learners.losses import Loss, Shown
    from telex.learners.trees import Tree

_COVER = "cover:"
_COVERS = ("cover_sets_", "cover_top_", "cover_wp_", "cover_wn_")
"""How the names of losses begin that are given as ``cover:COVERING``."""
_COVERING_LOSS = "telex.learners.boosting.coverings:CoveringLoss"
BASELINES = ("prior", "last")
_DECIDING = ("decide", "probabilities", "tree")
"""What the specification of any learner may have besides its own parameters."""
DEFAULT_LEARNERS = ("arow", "mlpp=mlpp:label_limit=128", "mmp", "br", "nb")
"""What runs where no learner is named: pairs of more labels would take gigabytes."""
FORMER_DEFAULTS = ("br", "mmp", "mlpp", "nb")
"""Those of a stored run that names no learner: runs store the names today."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a learner's constructor; ``allowed`` lists its values if they are few.

    If ``BatchLearner`` is among ``types``, the value is itself a specification of a learner.
    """

    name: str
    default: Any
    types: tuple[type, ...]
    allowed: tuple[Any, ...] = ()

    @classmethod
    def from_default(cls, name: str, default: Any) -> Parameter:
        """Return a parameter with only a known default; its type, or else its look, decides how to read a text.

        >>> Parameter.from_default("gamma", "scale").read("0.5"), Parameter.from_default("depth", None).read("3")
        (0.5, 3)
        """
        kinds = {bool: (bool,), float: (float, types.NoneType), int: (int, float, types.NoneType)}
        any_kind = (int, float, types.NoneType, bool)
        return cls(name, default, (*kinds.get(type(default), any_kind), str))

    @property
    def is_model(self) -> bool:
        """Whether the value is a learner, with parameters of its own."""
        return BatchLearner in self.types

    def read(self, text: str) -> Any:
        """Return the value that ``text`` means, or raise a ValueError."""
        for value in self.allowed:
            if str(value) == text:
                return value
        for kind in self._open():
            try:
                return _READ[kind](text)
            except (KeyError, ValueError):
                continue
        raise ValueError(text)

    def expected(self) -> str:
        """Return the possible values, in words."""
        words = [_WORDS.get(kind, kind.__name__) for kind in self._open()]
        if not self.allowed:
            return " or ".join(words)
        of = ("one of " if len(self.allowed) > 1 else "") + ", ".join(map(str, self.allowed))
        return " or ".join([*words, of])

    def _open(self) -> tuple[type, ...]:
        """Return the types of values that are not listed: a text is, if any value is."""
        return tuple(kind for kind in self.types if not self.allowed or kind is not str)


@runtime_checkable
class Family(Protocol):
    """The learners of another library, by the library's names: ``sklearn:LinearSVC`` is a member of ``sklearn``.

    An instance at an entry point ``telex.learners`` is a family, a class is one learner.
    """

    example: str

    def members(self) -> list[str]:
        """Return the names of all members."""
        ...

    def parameters(self, name: str) -> dict[str, Parameter]:
        """Return the parameters of a member; an unknown member is a UsageError."""
        ...

    def make(self, name: str, values: Mapping[str, Any]) -> Any:
        """Make a member."""
        ...


def learner_names() -> dict[str, str]:
    """Return the place of each learner, as ``module:name``, by the learner's name: Telex's own first.

    All learners come from the entry points ``telex.learners`` of the installed packages, so this layer names no
    learner of the layers above it. Listing the names imports nothing. A package may replace a learner of Telex.
    """
    points = entry_points(group="telex.learners")
    return {point.name: point.value for point in sorted(points, key=lambda point: not point.value.startswith("telex."))}


def learner_class(name: str) -> type[Any] | Family:
    """Return the class or family of that name; the error for an unknown name lists the known ones."""
    names = learner_names()
    if name not in names:
        raise UsageError(f"there is no learner {name!r}{did_you_mean(name, names)}; choose one of {', '.join(names)}")
    found: type[Any] | Family = load_object(names[name])
    if not isinstance(found, (type, Family)):
        raise UsageError(
            f"{names[name]} is neither a class nor a family of learners; mend its package, or uninstall it"
        )
    return found


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


def parameters(cls: type[Any]) -> dict[str, Parameter]:
    """Return the parameters of a constructor, typed by their annotations or else by their defaults."""
    try:
        hints = get_type_hints(cls.__init__)
    except NameError:
        hints = {}
    found = {}
    for name, given in inspect.signature(cls).parameters.items():
        default = None if given.default is given.empty else given.default
        hint = hints.get(name, str if default is None else type(default))
        options = get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)
        allowed = tuple(value for option in options if get_origin(option) is Literal for value in get_args(option))
        kinds = tuple(option for option in options if isinstance(option, type) and get_origin(option) is None)
        found[name] = Parameter(name, default, kinds or (str,), allowed)
    return found


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


def _plain(default: Any) -> Any:
    return default if isinstance(default, (bool, int, float, str, types.NoneType)) else str(default)


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


def load_object(place: str) -> Any:
    """Return the object at ``module:name``; one of another package that cannot be imported is a UsageError."""
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (Exception, SystemExit) as error:  # what the package does when it is imported is its own
        if module.startswith("telex."):
            raise
        raise UsageError(
            f"{place} of an installed package cannot be loaded ({type(error).__name__}: {error}); mend that package, "
            "or uninstall it"
        ) from error


def key_values(text: str, what: str) -> dict[str, str]:
    """Read ``key=value,key=value`` given for ``what``.

    >>> key_values("loss=avgp,seed=3", "the learner 'mmp'")
    {'loss': 'avgp', 'seed': '3'}
    """
    pairs: dict[str, str] = {}
    for part in text.split(",") if text else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise UsageError(f"{part!r} given for {what} is no key=value; try key=value,key=value")
        if key in pairs:
            raise UsageError(f"{key!r} is given twice for {what}; leave one out")
        pairs[key] = value
    return pairs


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return `` (did you mean ...?)`` if a known name is spelt like ``given``, else an empty text.

    >>> did_you_mean("mpm", ["mmp", "nb"])
    " (did you mean 'mmp'?)"
    """
    close = get_close_matches(given, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


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


def _bool(text: str) -> bool:
    if text.lower() not in _BOOLS:
        raise ValueError(text)
    return _BOOLS[text.lower()]


def _none(text: str) -> None:
    if text.lower() != "none":
        raise ValueError(text)


_BOOLS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_READ: dict[type, Any] = {bool: _bool, int: int, float: float, str: str, types.NoneType: _none}
_WORDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    types.NoneType: "none",
    BatchLearner: "a learner with fit(batch), its own parameters as KEY.x=value",
}

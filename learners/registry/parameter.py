"""The parameters of learners, and how a text gives their values."""

from __future__ import annotations

import inspect
import types
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from telex.learners.base import UsageError
from telex.learners.batch_learner import BatchLearner


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

"""The settings of a champion, read from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners import did_you_mean, key_values
from telex.learners.base import UsageError
from telex.stream.monitor.champion import Champion, find_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from telex.learners.losses import Loss

_NUMBERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "window": (int, "a whole number"),
    "margin": (float, "a number"),
    "least": (int, "a whole number"),
}


def make_champion(
    settings: str, names: Iterable[str], losses: Mapping[str, Loss], eligible: Iterable[str] | None = None
) -> Champion:
    """Make the champion that ``loss=avgp,window=2000,margin=0.02,least=100`` or ``learner=NAME`` describes.

    ``losses`` are those of the run. If ``learner=`` comes last, the learner's name may have commas.

    >>> from telex.learners.losses import LOSSES
    >>> made = make_champion("loss=avgp,window=2000", ["mmp", "nb"], LOSSES)
    >>> made.loss.name, made.window, made.least, make_champion("learner=nb", ["mmp", "nb"], LOSSES).now
    ('avgp', 2000, 200, 'nb')
    """
    known = tuple(names)
    before, found, name = settings.rpartition("learner=")
    last = bool(found) and name in known and (not before or before.endswith(","))
    options = key_values(before.removesuffix(",") if last else settings, "the champion")
    if last and options.pop("learner", None) is not None:
        raise UsageError("'learner' is given twice for the champion; leave one out")
    pinned = name if last else options.pop("learner", None)
    chosen = find_named("loss", options.pop("loss", "iserr"), losses)
    numbers = {key: _number(key, text) for key, text in options.items()}
    return Champion(known, chosen, pinned=pinned, eligible=eligible, **numbers)


def _number(key: str, text: str) -> Any:
    keys = ["loss", *_NUMBERS, "learner"]
    if key not in _NUMBERS:
        raise UsageError(
            f"the champion has no setting {key!r}{did_you_mean(key, keys)}; choose one of {', '.join(keys)}"
        )
    convert, expected = _NUMBERS[key]
    try:
        return convert(text)
    except ValueError:
        raise UsageError(f"{key} of the champion cannot be {text!r}; give {expected}") from None

"""The budget of a record: how much one document or answer may hold, so that none can stall or spoil a run."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_LIMIT = "none"


def _limit(default: float, what: str) -> Any:
    return field(default=default, metadata={"what": what})


@dataclass(frozen=True, slots=True)
class RecordBudget:
    """The largest sizes of a record; one that exceeds any becomes a dead letter. Infinity means no limit.

    Labels are new when no document of the pass had them, and of an answer, when no answer had them. A text has as many
    terms as distinct words, before stop words and stems.

    >>> RecordBudget.of("labels=30,value=none").labels
    30
    >>> str(RecordBudget.of("terms=9"))
    'labels=500,new-labels=100,all-labels=50000,label-length=1000,terms=9,value=100000,length=4000000'
    """

    labels: float = _limit(500, "labels of a document or an answer")
    new_labels: float = _limit(100, "labels of a document that no document before it had")
    all_labels: float = _limit(50_000, "labels of all documents together")
    label_length: float = _limit(1_000, "characters of a label")
    terms: float = _limit(100_000, "features of a document, or distinct words of its text")
    value: float = _limit(100_000, "size of a feature's value")
    length: float = _limit(4_000_000, "characters of a title and text")

    def __str__(self) -> str:
        return ",".join(f"{name}={shown(limit)}" for name, limit in self.limits().items())

    def limits(self) -> dict[str, float]:
        """Return the limits by their names in ``--budget``."""
        return {one.name.replace("_", "-"): getattr(self, one.name) for one in fields(self)}

    @classmethod
    def of(cls, given: str | Mapping[str, Any] | RecordBudget) -> RecordBudget:
        """Read ``labels=N,..``, or a mapping of the same names; limits that it does not name have their defaults.

        ``none`` in place of a number removes a limit, and in place of all of them removes all.
        """
        if isinstance(given, RecordBudget):
            return given
        if given == NO_LIMIT:
            return UNLIMITED
        from telex.learners import did_you_mean, key_values  # noqa: PLC0415 - only where a budget is given

        named = key_values(given, "the budget") if isinstance(given, str) else given
        known = [one.name for one in fields(cls)]
        found = {}
        for key, value in named.items():
            name = str(key).replace("-", "_")
            if name not in known:
                names = [one.replace("_", "-") for one in known]
                close = did_you_mean(str(key), names)
                raise UsageError(f"the budget has no limit {key!r}{close}; choose of {', '.join(names)}")
            found[name] = _number(str(key), value, whole=name != "value")
        return cls(**found)


def _number(key: str, given: Any, *, whole: bool) -> float:
    if str(given) == NO_LIMIT:
        return math.inf
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if number == math.inf and not isinstance(given, str):
        return number
    if not 0 <= number < math.inf or (whole and number != int(number)):
        kind = "a whole number" if whole else "a number"
        raise UsageError(f"the budget {key}={given} is not {kind} from 0 up; give one, or {NO_LIMIT}")
    return int(number) if number == int(number) and number < 1e15 else number


def shown(limit: float) -> str:
    """Return a limit as in ``--budget``.

    >>> shown(1000), shown(0.5), shown(math.inf)
    ('1000', '0.5', 'none')
    """
    return NO_LIMIT if limit == math.inf else str(limit)


def limit_lines() -> dict[str, str]:
    """Return what each limit of ``--budget`` is about, with its default."""
    return {
        one.name.replace("_", "-"): f"{one.metadata['what']}, at most ({shown(one.default)})"  # type: ignore[arg-type]
        for one in fields(RecordBudget)
    }


DEFAULT_BUDGET = RecordBudget()
UNLIMITED = RecordBudget(**dict.fromkeys((one.name for one in fields(RecordBudget)), math.inf))

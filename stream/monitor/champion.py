"""The champion: the learner whose predictions are the run's, chosen by its loss over the last documents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from telex.learners import BASELINES, did_you_mean, how_to_measure, named_losses
from telex.learners.base import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base import Ids, Reals
    from telex.learners.losses import Loss

Known = TypeVar("Known")

_MOST = 10_000_000
"""The longest window; memory holds up to two numbers per document and learner."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A change of champion from ``old`` to ``new``, after ``asked`` asks and ``answered`` answers in all.

    ``figures`` holds each learner's mean loss over the window at that moment.
    """

    asked: int
    answered: int
    old: str
    new: str
    figures: Mapping[str, float]


class Champion:
    """Chooses the learner that has the best mean of a loss over the last ``window`` answered documents.

    After each answer the learner with the best mean (the first of equals) takes over if its mean is better than the
    champion's, by ``margin`` or more, and at least ``least`` documents have been answered since the last change or the
    start. The first champion is the first eligible learner. Eligible are the learners in ``eligible``; without it, all
    but the baselines, or the baselines if there are no others. ``pinned`` names the one learner that is always
    champion. A document whose loss is undefined for some learner counts for none, but still takes a place in the
    window. A loss whose ``best`` is above 0 is better when it is large.

    However asks and answers are cut into calls, the choice is the same to the bit, because the order of additions is
    fixed. Answers fall into blocks of ``window`` documents. The sum over the window is the sum of the block that has
    begun, added up from its start, plus the sum of those documents of the block before it that are still in the window,
    added up from that block's end.

    >>> champion = Champion(["mmp", "nb"], window=4, margin=0.25, least=2)
    >>> steps = np.array([0, ~0, 1, ~1, 2, ~2])
    >>> chosen, switches = champion.follow(steps, {"mmp": [1.0, 1.0, 0.0], "nb": [0.0, 1.0, 0.0]})
    >>> chosen.tolist(), champion.now
    ([0, 0, 1], 'nb')
    >>> switches
    [Switch(asked=2, answered=2, old='mmp', new='nb', figures={'mmp': 1.0, 'nb': 0.5})]
    """

    stored_name: ClassVar[str] = "champion"

    def __init__(
        self,
        names: Iterable[str],
        loss: str | Loss = "iserr",
        *,
        window: int = 1000,
        margin: float = 0.01,
        least: int | None = None,
        pinned: str | None = None,
        eligible: Iterable[str] | None = None,
    ) -> None:
        self.names = tuple(names)
        self.loss = find_named("loss", loss, named_losses()) if isinstance(loss, str) else loss
        if not 1 <= window <= _MOST:
            raise UsageError(f"the window of the champion is {window} documents; give 1 to {_MOST:,}")
        if not 0 <= margin < math.inf:
            raise UsageError(f"the margin of the champion is {margin}; give 0 or more")
        if least is not None and least < 1:
            raise UsageError(f"a champion cannot stay for least={least} documents; give 1 or more")
        self.window, self.margin = window, margin
        self.least = max(1, window // 10) if least is None else least
        columns = {name: column for column, name in enumerate(self.names)}
        if pinned is not None:
            eligible = [pinned]
        elif eligible is None:
            eligible = [name for name in self.names if name not in BASELINES] or self.names
        self._eligible = sorted({find_named("learner", name, columns) for name in eligible})
        if not self._eligible:
            raise UsageError("no learner may be champion; name at least one")
        self._sign = -1.0 if self.loss.best > 0 else 1.0
        self._champion = self._eligible[0]
        self._left_out: set[int] = set()
        self._asked = self._answered = self._changed = 0
        # One row per learner with its losses, 0 where a document counts for none, and a last row that counts documents.
        # An example with window=3, after the answers a, b, c (a full block) and d (which began the next block):
        #     _block = [d, -, -]    _block_sum = d    _tail_sums = [(c + b) + a, c + b, c, 0]
        # The window holds b, c and d. The sum of b and c, those left of the full block, is _tail_sums[1], so the sum
        # over the window is _block_sum + _tail_sums[1]; no sum ever has to be made smaller.
        rows = len(self.names) + 1
        self._block: Reals = np.empty((rows, window))  # the losses of the block that has begun
        self._block_sum = np.zeros((rows, 1))  # their sum
        self._tail_sums = np.zeros((rows, window + 1))  # of the block before: the sums from each document to the end

    @property
    def now(self) -> str:
        """The champion at this moment."""
        return self.names[self._champion]

    @property
    def answered(self) -> int:
        """How many answers it has taken."""
        return self._answered

    def follow(self, steps: Ids, values: Mapping[str, Any]) -> tuple[Ids, list[Switch]]:
        """Follow asks (steps from 0) and answers (steps below 0); return each ask's champion as an index of ``names``.

        ``values[name]`` holds a learner's loss for each document answered, in the order of the answers, NaN where
        undefined.
        """
        # There are two paths, because a replay brings thousands of answers a call and a live stream one: with arrays of
        # one column, numpy's cost a call would be most of the work. What makes them equal to the bit:
        # - Both add one document after the other: _running_sums accumulates, which never sums in pairs, and
        #   _follow_one adds to the same _block_sum. Neither ever sums the window as a whole.
        # - Both write the same _block and _block_sum, and _advance begins a new block for both, so they can take turns.
        # - _better makes the comparisons of _changes, on the same float64 sums, with the first of equals.
        # tests/stream/monitor/test_champion.py cuts streams at random and compares.
        asks = np.asarray(steps) >= 0
        answers = np.flatnonzero(~asks)
        if len(answers) == 1:
            return self._follow_one(int(answers[0]), len(asks) - 1, values)
        columns, switches, done = self._columns(values, len(answers)), [], 0
        champions = np.full(len(answers) + 1, self._champion, np.int32)  # champions[k]: after k of these answers
        while done < len(answers):
            stop = min(len(answers), done + self.window - self._answered % self.window)
            sums = self._summed(columns[:, done:stop])
            for at, old, new in self._changes(sums):
                champions[done + at + 1 :] = new
                asked = self._asked + int(answers[done + at]) - (done + at)  # steps before this answer, less answers
                means = self._means(sums[:, at])
                switches.append(Switch(asked, self._answered + at + 1, self.names[old], self.names[new], means))
            at = self._answered % self.window
            self._block[:, at : at + stop - done] = columns[:, done:stop]
            self._advance(stop - done)
            done = stop
        self._asked += len(asks) - len(answers)
        # The number of answers before each ask picks its champion: steps 0 ~0 1 2 ~1 pick champions[0, 1, 1].
        return champions[np.cumsum(~asks)[asks]], switches

    def leave_out(self, name: str) -> Switch | None:
        """Choose among the other learners from now on; return the switch if ``name`` was the champion.

        If no other one is eligible, all others are but the baselines, or the baselines if there are no others. Of a
        learner that is left out ``follow`` needs no losses.
        """
        if name not in self.names:
            return None
        self._left_out.add(self.names.index(name))
        left = [place for place in range(len(self.names)) if place not in self._left_out]
        others = [place for place in left if self.names[place] not in BASELINES]
        eligible = [place for place in self._eligible if place in left] or others or left
        if not eligible:
            return None  # nobody is left; the run ends
        self._eligible, old = eligible, self._champion
        if old in eligible:
            return None
        sums = (self._block_sum[:, 0] + self._tail_sums[:, self._answered % self.window]).tolist()
        self._champion = min(eligible, key=lambda place: self._sign * sums[place])
        self._changed = self._answered
        means = self._means(np.array(sums)) if sums[-1] else {}
        return Switch(self._asked, self._answered, name, self.now, means)

    def _means(self, sums: Reals) -> dict[str, float]:
        means = (sums[:-1] / sums[-1]).tolist()
        return {name: means[place] for place, name in enumerate(self.names) if place not in self._left_out}

    def save(self) -> dict[str, Any]:
        """Return the state, without the settings, as plain data."""
        return {
            "names": list(self.names),
            "champion": self.now,
            "asked": self._asked,
            "answered": self._answered,
            "changed": self._changed,
            "block": self._block[:, : self._answered % self.window].copy(),
            "rest": self._tail_sums.copy(),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; the settings must be the same."""
        try:
            names, champion = tuple(state["names"]), {name: i for i, name in enumerate(self.names)}[state["champion"]]
            asked, answered, changed = (int(state[key]) for key in ("asked", "answered", "changed"))
            block, rest = (np.array(state[key], np.float64) for key in ("block", "rest"))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise _misfit(error) from error
        rows = len(self.names) + 1
        if names != self.names or champion not in self._eligible:
            raise _misfit("its learners differ")
        if min(asked, changed) < 0 or changed > answered:
            raise _misfit("its counts are impossible")
        if block.shape != (rows, answered % self.window) or rest.shape != self._tail_sums.shape:
            raise _misfit("its window differs")
        self._champion, self._asked, self._answered, self._changed = champion, asked, answered, changed
        self._block[:, : block.shape[1]], self._tail_sums = block, rest
        self._block_sum = _running_sums(np.concatenate([np.zeros((rows, 1)), block], axis=1))[:, -1:]

    def _follow_one(self, place: int, asks: int, values: Mapping[str, Any]) -> tuple[Ids, list[Switch]]:
        """Do what ``follow`` does for one answer that comes after ``place`` of ``asks`` asks, in plain numbers.

        The result is the same to the bit: the same numbers are added in the same order.
        """
        column = []
        for row, name in enumerate(self.names):
            if row in self._left_out:
                column.append(0.0)
                continue
            losses = np.asarray(values.get(name, ()), np.float64)
            if losses.shape != (1,):
                raise _wrong_count(1, losses, name)
            column.append(float(losses[0]))
        column = [0.0] * (len(column) + 1) if any(map(math.isnan, column)) else [*column, 1.0]
        at = self._answered % self.window
        begun = [sum_ + one for sum_, one in zip(self._block_sum[:, 0].tolist(), column, strict=True)]
        sums = [sum_ + rest for sum_, rest in zip(begun, self._tail_sums[:, at + 1].tolist(), strict=True)]
        self._block_sum[:, 0], self._block[:, at] = begun, column
        old, switches = self._champion, []
        if self._answered + 1 - self._changed >= self.least and (new := self._better(sums)) is not None:
            self._champion, self._changed = new, self._answered + 1
            means = self._means(np.array(sums))
            asked = self._asked + place
            switches.append(Switch(asked, self._changed, self.names[old], self.names[new], means))
        self._advance(1)
        self._asked += asks
        chosen = np.full(asks, self._champion, np.int32)
        chosen[:place] = old
        return chosen, switches

    def _better(self, sums: list[float]) -> int | None:
        """Return the learner that takes over, given the sums over the window, or None; ``_changes`` for one answer."""
        costs = [self._sign * sums[place] for place in self._eligible]
        if any(map(math.isnan, costs)):
            return None
        lowest = min(costs)
        gap = self._sign * sums[self._champion] - lowest
        return self._eligible[costs.index(lowest)] if gap > 0 and gap >= self.margin * sums[-1] else None

    def _columns(self, values: Mapping[str, Any], count: int) -> Reals:
        columns = np.ones((len(self.names) + 1, count))
        for place, (row, name) in enumerate(zip(columns, self.names, strict=False)):
            if place in self._left_out:
                row[:] = 0
                continue
            losses = np.asarray(values.get(name, ()), np.float64)
            if losses.shape != (count,):
                raise _wrong_count(count, losses, name)
            row[:] = losses
        columns[:, np.isnan(columns).any(axis=0)] = 0
        return columns

    def _summed(self, columns: Reals) -> Reals:
        """Return the sums over the window that ends with each document, and add the documents to the block's sum."""
        begun = _running_sums(np.concatenate([self._block_sum, columns], axis=1))
        self._block_sum = begun[:, -1:].copy()
        first = self._answered % self.window + 1
        with np.errstate(invalid="ignore", over="ignore"):
            sums: Reals = begun[:, 1:] + self._tail_sums[:, first : first + columns.shape[1]]
        return sums

    def _changes(self, sums: Reals) -> list[tuple[int, int, int]]:
        """Return the changes of champion among these documents: (index of the document, old, new)."""
        costs = self._sign * sums[self._eligible]
        best, lowest, needed = costs.argmin(axis=0), costs.min(axis=0), self.margin * sums[-1]
        changes: list[tuple[int, int, int]] = []
        while (start := max(0, self._changed + self.least - self._answered - 1)) < sums.shape[1]:
            with np.errstate(invalid="ignore", over="ignore"):
                gap = self._sign * sums[self._champion, start:] - lowest[start:]
            better = (gap > 0) & (gap >= needed[start:])
            at = start + int(better.argmax())
            if not better[at - start]:
                break
            changes.append((at, self._champion, self._eligible[int(best[at])]))
            self._champion, self._changed = changes[-1][2], self._answered + at + 1
        return changes

    def _advance(self, count: int) -> None:
        """Count ``count`` more documents of the block; when it is full, sum it from its end and begin a new one."""
        self._answered += count
        if self._answered % self.window == 0:
            self._tail_sums[:, :-1] = _running_sums(self._block[:, ::-1])[:, ::-1]
            self._block_sum = np.zeros_like(self._block_sum)


def _running_sums(columns: Reals) -> Reals:
    """Return the running sums of each row; accumulate adds strictly in order, unlike sum, so that bits agree."""
    with np.errstate(invalid="ignore", over="ignore"):
        sums: Reals = np.add.accumulate(columns, axis=1)
    return sums


def _wrong_count(count: int, losses: Reals, name: str) -> InputError:
    return InputError(
        f"there are {count} answers, but the losses of {name!r} have the shape {losses.shape}; give one loss per answer"
    )


def _misfit(why: object) -> UsageError:
    return UsageError(f"this state does not fit these settings of the champion: {why}; load it with its own settings")


def find_named(what: str, name: str, known: Mapping[str, Known]) -> Known:
    """Return the loss or learner of that name, or raise an error that lists those there are."""
    if name not in known:
        choice = f"choose one of {', '.join(known)}" if known else "this run has none"
        if what == "loss" and (options := how_to_measure(name)):
            raise UsageError(f"this run does not measure {name}; do so, with {options}, or {choice}")
        raise UsageError(f"there is no {what} {name!r} for the champion{did_you_mean(name, known)}; {choice}")
    return known[name]

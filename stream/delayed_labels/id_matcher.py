"""Documents and answers matched by id."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import LabelSet, Names, load_label_sets, save_label_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from telex.learners.base import State
    from telex.stream.delayed_labels.settings import Lateness

COUNTS = (
    "expired",
    "replaced",
    "unclaimed",
    "corrections",
    "already_answered",
    "too_late",
    "withdrawn",
    "withdrawn_too_late",
    "withdrawn_unknown",
)
_ANSWERED, _EXPIRED, _SETTLED = 0, 1, 2
"""Why an id waits no longer: it was answered, never was, or was and can no longer be corrected."""


class _Early(NamedTuple):
    labels: LabelSet
    now: int


class _Correctable(NamedTuple):
    """The answer to a document, which may still be corrected."""

    place: int
    labels: LabelSet
    now: int
    clock: float


class IdMatcher:
    """Documents that wait for an answer or a correction, and answers that wait for their document.

    The matcher remembers the newest ids that no longer wait, as many as documents may wait in memory, so that it can
    count a further answer as too late or already given. An answer to any other id waits for its document.
    It calls ``release`` with the place of each document that no longer waits.
    """

    def __init__(self, lateness: Lateness, release: Callable[[int], None]) -> None:
        self.counts = dict.fromkeys(COUNTS, 0)
        self._expires, self._correct, self._remembered = lateness.expires, lateness.correct, lateness.limit
        self._release = release
        # Oldest first. Not plain dicts: to find the oldest entry of one, Python walks past all that were deleted.
        self._pending: OrderedDict[str, int] = OrderedDict()
        self._early: OrderedDict[str, _Early] = OrderedDict()
        self._correctable: OrderedDict[str, _Correctable] = OrderedDict()
        self._finished: OrderedDict[str, int] = OrderedDict()  # why each waits no longer

    def __len__(self) -> int:
        """How many documents wait for their first answer."""
        return len(self._pending)

    def take_early_answer(self, name: str) -> LabelSet | None:
        """Return the answer that came before its document, if there is one."""
        self._finished.pop(name, None)
        early = self._early.pop(name, None)
        return None if early is None else early.labels

    def add_pending(self, name: str, place: int) -> None:
        """Let the document at ``place`` wait; of two with the same id the newer waits."""
        if (same := self._pending.pop(name, None)) is not None:
            self._release(same)
            self.counts["replaced"] += 1
        self._pending[name] = place

    def record_answer(self, name: str, place: int, labels: LabelSet, now: int, clock: float) -> None:
        """Record a document's first answer; the document waits on for a correction if corrections are learnt."""
        if self._correct is None:
            self._end(name, place, _ANSWERED)
            return
        if (same := self._correctable.pop(name, None)) is not None:
            self._release(same.place)
        self._correctable[name] = _Correctable(place, labels, now, clock)

    def match_answer(self, name: str, labels: LabelSet, now: int) -> tuple[int, bool] | None:
        """Return the place of the document that an answer belongs to, and whether it is its first answer.

        Return None if no document learns from it now: it repeats an answer, is too late, or waits for its document.
        """
        if (place := self._pending.pop(name, None)) is not None:
            return place, True
        if (before := self._correctable.get(name)) is not None:
            if before.labels == labels:
                self.counts["already_answered"] += 1
                return None
            self._correctable[name] = before._replace(labels=labels)
            self.counts["corrections"] += 1
            return before.place, False
        if (late := self._finished.get(name)) is not None:
            self.counts["already_answered" if late == _ANSWERED else "too_late"] += 1
            return None
        self._early.pop(name, None)
        self._early[name] = _Early(labels, now)
        return None

    def withdraw(self, name: str) -> None:
        """Drop the answer that waits for this document; count it if it is learnt already, or never came."""
        if self._early.pop(name, None) is not None:
            self.counts["withdrawn"] += 1
        elif name in self._correctable or self._finished.get(name, _EXPIRED) != _EXPIRED:
            self.counts["withdrawn_too_late"] += 1
        else:
            self.counts["withdrawn_unknown"] += 1

    def expire(self, now: int, clock: float) -> None:
        """Drop the documents and answers that have waited for too long."""
        bound = now - self._expires
        if self._pending or self._early:
            self._drop_older(bound, bound)
        correct = self._correct
        while self._correctable and correct is not None:
            name, one = next(iter(self._correctable.items()))
            if correct.documents is not None:
                if now - one.now <= correct.documents:
                    return
            elif clock - one.clock <= (correct.seconds or 0.0):
                return
            del self._correctable[name]
            self._end(name, one.place, _SETTLED)

    def drop(self, *, answers: bool) -> None:
        """Drop the documents that wait, at the end of a section; with ``answers``, of a pass, drop those too."""
        while self._correctable:
            name, one = self._correctable.popitem(last=False)
            self._end(name, one.place, _SETTLED)
        self._drop_older(float("inf"), float("inf") if answers else -float("inf"))
        if answers:
            self._finished.clear()  # the next pass reads the stream from its beginning

    def _drop_older(self, documents: float, answers: float) -> None:
        while self._pending and (oldest := next(iter(self._pending.items())))[1] < documents:
            del self._pending[oldest[0]]
            self.counts["expired"] += 1
            self._end(*oldest, _EXPIRED)
        while self._early and next(iter(self._early.values())).now < answers:
            self._early.popitem(last=False)
            self.counts["unclaimed"] += 1

    def _end(self, name: str, place: int, why: int) -> None:
        self._release(place)
        self._finished.pop(name, None)
        self._finished[name] = why
        if len(self._finished) > self._remembered:
            self._finished.popitem(last=False)

    def save(self) -> State:
        """Return all that waits and the remembered ids, as plain data; the counts are saved by the queue."""
        answered = list(self._correctable.values())
        return {
            "waiting": {"ids": _texts(self._pending), "places": np.array(list(self._pending.values()), np.int64)},
            "early": {
                "ids": _texts(self._early),
                "labels": save_label_sets([one.labels for one in self._early.values()]),
                "now": np.array([one.now for one in self._early.values()], np.int64),
            },
            "answered": {
                "ids": _texts(self._correctable),
                "places": np.array([one.place for one in answered], np.int64),
                "labels": save_label_sets([one.labels for one in answered]),
                "now": np.array([one.now for one in answered], np.int64),
                "clocks": np.array([one.clock for one in answered]),
            },
            "over": {"ids": _texts(self._finished), "too_late": np.array(list(self._finished.values()), np.int8)},
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        waiting, early, answered, over = (state[name] for name in ("waiting", "early", "answered", "over"))
        self._pending = OrderedDict(zip(_ids(waiting), waiting["places"].tolist(), strict=True))
        entries = map(_Early, load_label_sets(early["labels"]), early["now"].tolist())
        self._early = OrderedDict(zip(_ids(early), entries, strict=True))
        columns = (answered["places"].tolist(), load_label_sets(answered["labels"]), answered["now"].tolist())
        answers = map(_Correctable, *columns, answered["clocks"].tolist())
        self._correctable = OrderedDict(zip(_ids(answered), answers, strict=True))
        ended = over["too_late"].astype(np.int8).tolist()  # an earlier Telex has no more than 0 and 1
        self._finished = OrderedDict(zip(_ids(over), ended, strict=True))


def _texts(names: Iterable[str]) -> State:
    return Names(names).save()


def _ids(state: State) -> list[str]:
    return [str(name) for name in Names.of(state["ids"])]

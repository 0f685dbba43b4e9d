"""What stands in a native learner in the place of its core: it hands all work to shards, and joins their replies."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from telex.learners import _core
from telex.learners.base import StoppedError, UsageError
from telex.learners.native_learner import NativeLearner
from telex.learners.shards.divisions import DIVISIONS, Asked
from telex.learners.shards.shard import ShardPlan
from telex.learners.shards.work import Documents, undelayed, work_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Ids, Reals, State
    from telex.learners.shards.crew import Crew
    from telex.learners.shards.work import Reply


@dataclass(slots=True)
class ShardFigures:
    """What a shard has done so far: its memory, its processor time, and how many documents it was asked."""

    bytes: int = 0
    seconds: float = 0.0
    documents: int = 0


class ShardedCore:
    """Does what ``_core.Core`` does, by shards; its state is that of the whole learner.

    A checkpoint therefore does not tell how many shards there were, or whether there were any.
    """

    def __init__(self, plan: ShardPlan, make_crew: Callable[[ShardPlan], Crew]) -> None:
        self._plan, self._division, self._make_crew = plan, DIVISIONS[plan.kernel], make_crew
        # A core of no documents: it refuses wrong options at once, and has the state with which all begins.
        self._none = _core.Core(plan.kernel, plan.options, plan.seed)
        self._crew: Crew | None = None
        self._begun: list[State] | None = None
        self.known = self.learnt = 0
        self.whole = True
        self._lock = threading.Lock()  # callers that only ask come at the same time
        self.figures = [ShardFigures() for _ in range(plan.parts)]

    @property
    def crew(self) -> Crew:
        """The shards, which are made at the first use."""
        if not self.whole:
            raise StoppedError(
                "a call of this sharded learner was ended in its midst, and its shards are not whole any more; load "
                "what was saved before, or begin again"
            )
        with self._lock:
            if self._crew is None:
                self._crew = self._make_crew(self._plan)
                weakref.finalize(self, self._crew.close)
            return self._crew

    @property
    def bytes(self) -> int:
        """The memory of the weights, over all shards."""
        return sum(one.bytes for one in self.figures)

    @property
    def restarts(self) -> int:
        """How often a shard was lost, and made again."""
        return 0 if self._crew is None else self._crew.restarts

    @property
    def finite(self) -> bool:
        """Whether no weight is NaN or infinite."""
        return self.crew.finite()

    def progress(self, batch: Documents, asks: Asked) -> None:
        """Ask each document, and learn it at once if it is labelled."""
        self._go(batch, undelayed(batch.labelled), asks)

    def follow(self, batch: Documents, steps: Ids, asks: Asked) -> None:
        """Predict the documents asked and learn those answered, in their order."""
        self._go(batch, steps, asks)

    def scores(self, batch: Documents, asks: Asked) -> None:
        """Ask each document."""
        self._go(batch, None, asks)

    def _go(self, documents: Documents, steps: Ids | None, asked: Asked) -> None:
        work, known = work_of(documents, steps, self.known)
        crew = self.crew
        if steps is not None:
            self.whole = False  # until all is told: a signal may end this anywhere
        replies = crew.follow(work)
        asked.known[:] = known
        asked.relevant[:] = 0
        self._division.fill(Asked(asked.scores, asked.relevant, known), replies)
        self._count(replies)
        if steps is not None:
            self.known += len(work.hashes)
            self.learnt += int(np.count_nonzero(steps < 0))
            self.whole = True

    def _count(self, replies: list[Reply]) -> None:
        with self._lock:
            for figures, reply in zip(self.figures, replies, strict=True):
                figures.bytes = reply.bytes
                figures.seconds += reply.seconds
                figures.documents += len(reply.scores)

    def pack(self, keep: bool = False) -> State:
        """Return the state of the whole learner."""
        del keep
        return self._division.merge(self.crew.save())

    def unpack(self, arrays: State) -> None:
        """Restore a state, after a core has looked through it."""
        self._none.unpack(dict(arrays))
        self.known, self.learnt = self._none.known, self._none.learnt
        self._none = _core.Core(self._plan.kernel, self._plan.options, self._plan.seed)
        self.whole = True
        self.crew.load(self._division.split(arrays, self._plan.parts))

    def save(self) -> State:
        """Return the state as tables."""
        return self._gathered().save()

    def reasons(self, batch: Documents, row: int) -> tuple[Reals, Reals]:
        """Return what speaks for and against each label; the state is gathered for it, which takes its time."""
        return self._gathered().reasons(_native(batch), row)

    def has_room(self) -> bool:
        """Return True: shards allocate what their states need."""
        return True

    def make_room(self, wanted: int) -> None:
        """Do nothing."""

    def end_each(self) -> None:
        """Do nothing."""

    def _gathered(self) -> _core.Core:
        core = _core.Core(self._plan.kernel, self._plan.options, self._plan.seed)
        core.unpack(self.pack())
        return core


class ShardedCores:
    """Makes sharded cores, and what their calls take: for :meth:`.NativeLearner.use_cores`."""

    Asks = Asked

    def __init__(self, parts: int, make_crew: Callable[[ShardPlan], Crew]) -> None:
        self._parts, self._make_crew = parts, make_crew

    def Core(self, kernel: str, options: dict[str, Any], seed: int) -> ShardedCore:  # noqa: N802 - as the core has it
        """Return a sharded core."""
        return ShardedCore(ShardPlan(kernel, options, seed, self._parts), self._make_crew)

    def Batch(self, *arrays: Any) -> Documents:  # noqa: N802 - as the core has it
        """Return the arrays, after the core has looked through them."""
        _native(documents := Documents(*arrays))
        return documents

    def Each(self, *_: Any) -> NoReturn:  # noqa: N802 - as the core has it
        """Refuse: shards take many documents a call."""
        raise UsageError("the shards of a learner take whole batches; call progress, or take a learner without shards")


def divide(name: str, learner: object, parts: int, make_crew: Callable[[ShardPlan], Crew]) -> None:
    """Have a learner that has learnt nothing be run by shards; one that cannot be divided is a UsageError."""
    native = _inner(learner)
    kernel = getattr(native, "kernel", None)
    if kernel not in DIVISIONS:
        raise UsageError(
            f"the learner {name} cannot be divided into shards, as its labels do not learn apart; leave it out, or "
            f"take some of {', '.join(DIVISIONS)}"
        )
    if kernel == "mlpp" and parts > 1 and getattr(native, "decode", "votes") != "votes":
        raise UsageError(
            f"the learner {name} sums margins, and shards would sum them in another order; take decode=votes, or leave "
            "out the shards"
        )
    if kernel == "mlpp" and native.storage != "float32":
        raise UsageError(
            f"the learner {name} has storage={native.storage}, and shards keep float32; take storage=float32, or leave "
            "out the shards"
        )
    native.use_cores(ShardedCores(parts, make_crew))


def shards_of(learner: object) -> ShardedCore | None:
    """Return what runs the shards of a learner, None if it has none."""
    native = _inner(learner)
    core = native.core if isinstance(native, NativeLearner) else None
    return core if isinstance(core, ShardedCore) else None


def _inner(learner: Any) -> Any:
    """Return the learner itself, or the one that it wraps to decide by thresholds."""
    return getattr(learner, "learner", learner)


def _native(documents: Documents) -> _core.Batch:
    d = documents
    return _core.Batch(
        d.indptr, d.features, d.values, d.label_indptr, d.labels, d.labelled, d.numbers, d.hashes, d.columns,
        d.forget_rows, d.forget_features, d.counts, d.parents, d.inner,
    )  # fmt: skip

"""The newest model of a run that another process continues."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from telex.learners.base import UsageError, error_line
from telex.stream.checkpoints import CHECKPOINTS, HEADER, Checkpoints, facts_of
from telex.stream.predict.model import Model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike

    from telex.learners import Learner

EVERY = 1.0
"""Seconds between looks for a newer checkpoint."""
_LONGEST = 30.0
"""The most seconds before a checkpoint that could not be loaded is tried again."""

_Mark = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class LoadedModel:
    """A model, the ``number`` of its checkpoint, and ``written``, when that was written, in epoch seconds.

    ``documents`` the run had read by then, and ``learnt`` the answers of so many. ``seconds`` is how long it took to
    load. ``mark`` tells the checkpoint from others of its number, as another run in the folder would write.
    """

    model: Model
    number: int
    documents: int
    learnt: int
    written: float
    seconds: float
    mark: tuple[int, int]


class FollowedModel:
    """The model at the newest whole checkpoint of the run in ``folder``: ``newest``, None as long as there is none.

    :meth:`look` loads a newer one beside the old and then puts it in its place, for all threads at once; whoever works
    with the old one may finish with it. A checkpoint that is damaged, incomplete or removed meanwhile never raises: the
    old model stays, ``failures`` counts, ``say`` gets a sentence, and the checkpoint is tried again. Loaded are what
    makes features and the learner that predicts: ``learner``, else that which the model chooses; and those that were
    asked for before (``wanted``), but nothing else of the run.

    ``make`` makes the learners of the run; a run of the command line does not need it. ``refresh`` is called before
    each look, to bring new checkpoints into the folder.

    >>> from tempfile import TemporaryDirectory
    >>> from telex.adapters.formats import open_source
    >>> from telex.learners import NB
    >>> from telex.stream import Run, RunFolder
    >>> folder = TemporaryDirectory()
    >>> followed = FollowedModel(folder.name, lambda: {"nb": NB()})
    >>> followed.look()
    False
    >>> sink = RunFolder(folder.name)
    >>> run = Run(open_source("synthetic:n=500,seed=1"), {"nb": NB()}, sinks=[sink], checkpoints=sink.checkpoints)
    >>> for _ in run:
    ...     pass
    >>> followed.look(), followed.newest.documents, followed.newest.model.learner, followed.look()
    (True, 500, 'nb', False)
    >>> folder.cleanup()
    """

    def __init__(
        self,
        folder: str | PathLike[str],
        make: Callable[[], Mapping[str, Learner]] | None = None,
        *,
        learner: str | None = None,
        refresh: Callable[[], object] | None = None,
        say: Callable[[str], object] | None = None,
        loaded: Callable[[LoadedModel], object] | None = None,
    ) -> None:
        self.folder, self.learner = Path(folder), learner
        self.newest: LoadedModel | None = None
        self.wanted: set[str] = set()
        self.failures = 0
        self.written: tuple[int, int] | None = None
        """The number of the newest checkpoint in the folder, and how many documents the run had read by then."""
        self._make, self._refresh, self._say, self._loaded = make, refresh, say, loaded
        self._checkpoints = Checkpoints(self.folder / CHECKPOINTS)
        self._lock = Lock()
        self._failed: dict[_Mark | None, tuple[int, float]] = {}
        self._said: tuple[_Mark | None, str] | None = None
        self._looked = -EVERY
        self._ended = Event()
        self._thread: Thread | None = None

    def look(self) -> bool:
        """Load the newest checkpoint that can be loaded, unless it is in use; tell whether there is a new model."""
        with self._lock:
            self._looked = time.monotonic()
            try:
                if self._refresh is not None and self._is_due(None):
                    self._refresh()
                    self._failed.pop(None, None)
            except Exception as error:  # the place of the checkpoints may be away, in many ways
                self._fail(None, "the run's checkpoints cannot be reached", error)
            try:
                return self._take_newest()
            except (OSError, UsageError) as error:
                self._fail(None, f"the checkpoints in {self.folder} cannot be listed", error)
                return False

    def look_if_due(self) -> LoadedModel | None:
        """Look, if no thread follows and the last look is a second ago; return the newest model."""
        if self._thread is None and time.monotonic() - self._looked >= EVERY:
            self.look()
        return self.newest

    def follow(self, every: float = EVERY) -> None:
        """Look now and then every so many seconds, in a thread of its own, until :meth:`close`."""

        def go_on() -> None:
            while not self._ended.is_set():
                self.look()
                self._ended.wait(every)

        self._thread = Thread(target=go_on, name="following the checkpoints", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread of :meth:`follow`."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def documents_behind(self) -> int:
        """How many documents the newest checkpoint in the folder has more than the model; more if it began anew."""
        behind = 0 if self.written is None else self.written[1]
        return behind if self.newest is None else max(0, behind - self.newest.documents)

    def _take_newest(self) -> bool:
        now = None if self.newest is None else self.newest.mark
        marks = {number: self._mark(number) for number in self._checkpoints.numbers() if number}
        self._failed = {mark: tries for mark, tries in self._failed.items() if mark is None or mark in marks.values()}
        found = None
        for number, mark in sorted(marks.items(), reverse=True):
            if mark == now:
                break
            if mark is not None and self._is_due(mark) and (found := self._load(number, mark)) is not None:
                break
        if marks:
            self._note_written(max(marks), found)
        if found is None:
            return False
        self.newest = found
        if self._loaded is not None:
            self._loaded(found)
        return True

    def _load(self, number: int, mark: _Mark) -> LoadedModel | None:
        begun = time.monotonic()
        try:
            model = Model.open(self.folder, checkpoint=number, learners=self._make and self._make())
            model.load(*{self.learner or model.learner, *self.wanted} & {*model.learners})
            facts, learnt = model.checkpoint.facts, model.checkpoint.tree.get("learnt")
            documents = int(facts["documents"])
            learnt = documents if learnt is None else int(learnt)
            seconds = time.monotonic() - begun
            return LoadedModel(model, number, documents, learnt, mark[1] / 1e9, seconds, mark)
        except Exception as error:  # a damaged checkpoint fails in many ways
            if self._mark(number) == mark:  # else the run has removed it meanwhile
                self._fail(mark, f"checkpoint {number} cannot be loaded", error)
            return None

    def _mark(self, number: int) -> _Mark | None:
        try:
            return number, (self._checkpoints.path(number) / HEADER).stat().st_mtime_ns
        except OSError:  # it is being removed, or comes
            return None

    def _note_written(self, number: int, found: LoadedModel | None) -> None:
        known = found or self.newest
        if known is not None and known.number == number:
            self.written = number, known.documents
        elif self.written is None or self.written[0] != number:
            try:
                self.written = number, int(facts_of(self._checkpoints.path(number))["documents"])
            except (UsageError, OSError, LookupError):  # what of it is damaged
                self.written = number, 0 if known is None else known.documents

    def _is_due(self, mark: _Mark | None) -> bool:
        return mark not in self._failed or time.monotonic() >= self._failed[mark][1]

    def _fail(self, mark: _Mark | None, what: str, error: BaseException) -> None:
        tries = self._failed.get(mark, (0, 0.0))[0] + 1
        self._failed[mark] = tries, time.monotonic() + min(_LONGEST, EVERY * 2**tries)
        self.failures += 1
        why = str(error) if isinstance(error, UsageError) else error_line(error)
        said = mark, why
        if self._say is not None and said != self._said:
            stays = "there is no model yet" if self.newest is None else f"checkpoint {self.newest.number} stays in use"
            self._say(f"{what} ({why}); {stays}, and Telex tries again")
        self._said = said

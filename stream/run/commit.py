"""The checkpoints of a run, from the moment one is due until it is on the disk."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from telex.stream.checkpoints import Preallocation
from telex.stream.run.from_checkpoint import begin_source
from telex.stream.run.run_state import check_savable, check_stored
from telex.stream.run.source_reader import wire_place
from telex.stream.run.summary import summary
from telex.stream.sources import Features

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from telex.stream.checkpoints import CheckpointPolicy, Checkpoints
    from telex.stream.run.run_state import RunState
    from telex.stream.run.sink import Sink
    from telex.stream.run.source_reader import SourceReader
    from telex.stream.sources import Source


class Commit:
    """Commits what a run has done to its checkpoints: when ``policy`` says so, and at the end.

    One commit is under way at a time. It begins between two steps, continues when the position of the source comes, and
    ends in the thread that writes; :meth:`_commit` has its steps in their order.
    """

    def __init__(
        self,
        checkpoints: Checkpoints,
        policy: CheckpointPolicy,
        state: RunState,
        reader: SourceReader,
        *,
        source: Source,
        sinks: Sequence[Sink],
    ) -> None:
        self.checkpoints, self._policy = checkpoints, policy
        self._state, self._reader, self._source, self._sinks = state, reader, source, sinks
        self._preallocation = Preallocation(state.settings.learners.values())
        self._under_way: Iterator[None] | None = None
        self._resumed = False
        check_savable(state.settings.learners)
        check_stored(sinks)

    def resume(self, *, strict: bool = False) -> None:
        """Resume the run from its newest checkpoint; if that is damaged, from the one before, unless it is strict."""
        path, tree = self.checkpoints.newest(strict=strict)
        self._resumed = True
        self._state.load(tree, self._reader, self._sinks)
        if "begun_from" in tree and isinstance(self._source, Features):
            begin_source(self._state, self._source, tree["begun_from"])
        self._policy.resumed(self._state.progress.documents, self._state.progress.records)
        for sink in self._sinks:
            sink.resumed(int(path.name), wire_place(tree["reading"]))

    def first(self) -> None:
        """Write checkpoint 0, unless the run resumes: from here on a run that is killed, at any instant, can resume.

        It has no place of the source, which has not been read, so no sink can commit one to anything else.
        """
        if not self._resumed:
            self._store([], first=0)
            self._state.begun_from = None
            self.wait()

    def after_step(self) -> None:
        """Begin a commit if one is due; call it after each step, and when nothing comes for now."""
        self.checkpoints.check()
        full = self._under_way is None and any(sink.full for sink in self._sinks)
        if full:
            self.checkpoints.wait()  # the sink must not collect more meanwhile
        progress = self._state.progress
        if self._under_way is not None or not (full or self._policy.due(progress.documents, progress.records)):
            return
        ready = not self.checkpoints.busy and self._preallocation.ready()
        if ready or self._policy.overdue(progress.documents):
            self._under_way = self._commit()
            next(self._under_way, None)

    def at_position(self) -> None:
        """Continue the commit that waits for the position of the source, which has come."""
        if self._under_way is not None:
            next(self._under_way, None)

    def last(self) -> None:
        """Commit the run as it is, if the position of its source is known, and wait until that is done."""
        if self._state.finished or self._reader.at_position:
            for _ in self._commit(ask=False):
                pass
        self.wait()

    def wait(self) -> None:
        """Wait until nothing is being written."""
        self.checkpoints.wait()

    def close(self, *, at_once: bool) -> None:
        """Wait until nothing is being written, or end ``at_once``: the run then resumes from the checkpoint before."""
        if at_once:
            self.checkpoints.give_up()
        else:
            self.wait()

    def _commit(self, *, ask: bool = True) -> Iterator[None]:
        if ask:
            # 1. Ask the source for its position. It comes among the documents, behind those that are read ahead.
            self._reader.ask_position()
            # 2. Learn the documents up to there. A source without positions is read again: any will do.
            if self._reader.positions:
                yield
        # The stream may be faster than the disk. It then waits here for the checkpoint before.
        self.checkpoints.wait()
        self._preallocation.wait()
        # 3. Copy the state, between two documents: the learners', the monitors', the source's and the sinks'.
        self._under_way = None
        self._policy.saved(self._state.progress.documents, self._state.progress.records)
        self._store(self._sinks)

    def _store(self, told: Iterable[Sink], *, first: int = 1) -> None:
        state, progress = self._state, self._state.progress
        tree = state.save(self._reader, self._sinks)
        facts: dict[str, Any] = {
            "documents": progress.documents,
            "part": state.section.name,
            "epoch": state.section.epoch,
            "finished": state.finished,
            "time": state.section.time,
            "summary": summary(state, self._source),
        }
        place = wire_place(tree["reading"])
        self.checkpoints.begin(
            facts,
            tree,
            # 4. From here on a thread works beside the run. What was read must be what is there, for a run that resumes
            #    reads it again. The sinks put on the disk what the state counts on.
            [self._reader.check_unchanged, *(sink.sync for sink in self._sinks)],
            # 5. The thread writes the files into a new folder, which gets its name once the last byte is on the disk.
            # 6. Then the sinks may do what must come after: commit offsets, end a transaction.
            [partial(sink.checkpointed, place=place) for sink in told],
            first=first,
        )

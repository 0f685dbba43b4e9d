"""The view of a run that sinks get."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from telex.stream.curves import label_table
from telex.stream.run.set_aside import failures
from telex.stream.run.summary import duplicates, summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners import Learner
    from telex.learners.base import Offsets, Reals
    from telex.learners.losses import Loss
    from telex.stream.checkpoints import Checkpoints
    from telex.stream.compare import Comparison, PairStanding
    from telex.stream.monitor import Champion, DriftSettings
    from telex.stream.run.progress import Progress
    from telex.stream.run.run_state import RunState
    from telex.stream.run.section import Section
    from telex.stream.run.set_aside import Failure
    from telex.stream.run.settings import RunSettings
    from telex.stream.sources import Source, SourceInfo, Wire


class RunView:
    """A run as its sinks see it, at any moment: all is there to read, nothing to change.

    ``checkpoints`` is None if the run writes none.
    """

    def __init__(self, state: RunState, source: Source, checkpoints: Checkpoints | None) -> None:
        self._state, self._source = state, source
        self.checkpoints = checkpoints
        self.learners: Mapping[str, Learner] = MappingProxyType(state.settings.learners)

    @property
    def set_aside(self) -> dict[str, Failure]:
        """The learners that failed, and why; :attr:`learners` has their labels only."""
        return failures(self.learners)

    @property
    def weights_not_finite(self) -> Sequence[str]:
        """The learners that have a weight that is NaN or infinite, as the newest checkpoint or the end found."""
        return tuple(self._state.weights_not_finite)

    @property
    def settings(self) -> RunSettings:
        """The settings: window, points, epochs and so on."""
        return self._state.settings

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses, in their order."""
        return tuple(self.settings.losses)

    @property
    def decisive(self) -> dict[str, Any]:
        """All that decides the results beside the source, as JSON has it."""
        return self.settings.decisive(self._state.monitors)

    # -- how far it is

    @property
    def progress(self) -> Progress:
        """The counts of documents, answers and dead letters."""
        return self._state.progress

    @property
    def seconds(self) -> float:
        """The seconds that the run has taken, those before it was resumed included."""
        return self._state.seconds

    @property
    def stopping(self) -> bool:
        """Whether the run ends before its next document."""
        return self._state.stopping

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end; a stopped one has not."""
        return self._state.finished

    @property
    def section(self) -> Section:
        """The section that the run is in, with its curves."""
        return self._state.section

    @property
    def sections(self) -> Sequence[Section]:
        """All sections, the first training pass first."""
        return self._state.sections

    # -- what it has found

    @property
    def curves(self) -> dict[str, dict[str, Reals | Offsets]]:
        """Each learner's curve over the first training pass: columns of plain arrays, NaN where undefined."""
        return {name: curve.table() for name, curve in self.sections[0].curves.items()}

    def labels(self, name: str) -> dict[str, Any]:
        """Return a learner's counts per label over the first training pass, as columns."""
        return label_table(self.sections[0], self.sections[0].curves[name])

    def summary(self) -> dict[str, Any]:
        """Return the counts and cumulative figures so far: plain numbers, None where undefined."""
        found = summary(self._state, self._source)
        if self.checkpoints is not None and (damaged := self.checkpoints.damaged):
            found["checkpoints_damaged"] = damaged
        return found

    @property
    def duplicates(self) -> int:
        """How many documents of the first pass repeat the text of an earlier one."""
        return duplicates(self._state, self._source)

    @property
    def pending(self) -> int:
        """How many documents wait for their answers."""
        return self._state.delay_queue.pending if self._state.delay_queue else 0

    @property
    def late_counts(self) -> dict[str, int]:
        """The counts of answers that come late (:attr:`~telex.stream.delayed_labels.DelayQueue.counts`), or none."""
        return self._state.delay_queue.counts if self._state.delay_queue else {}

    # -- its monitors

    @property
    def drift(self) -> DriftSettings | None:
        """The settings of drift detection; None without it."""
        drift = self._state.monitors.drift
        return None if drift is None else drift.settings

    @property
    def champion(self) -> Champion | None:
        """The champion; None if the run chooses none."""
        return self._state.monitors.champion

    @property
    def comparison(self) -> Comparison | None:
        """The comparison of the learners by :attr:`comparison_loss`; None if there is none."""
        return self._state.monitors.comparison

    @property
    def standings(self) -> list[PairStanding]:
        """The state of each pair that is compared, without the learners that were set aside."""
        pairs = [] if self.comparison is None else self.comparison.standings()
        return [one for one in pairs if self.set_aside.keys().isdisjoint({one.a, one.b})]

    @property
    def comparison_loss(self) -> Loss | None:
        """The loss by which learners are compared."""
        return self._state.monitors.comparison_loss

    # -- its source

    @property
    def source(self) -> SourceInfo:
        """The title of the source, and whether it is live."""
        return self._source.info

    @property
    def wire(self) -> Wire | None:
        """The topics behind the source, if there are any."""
        return self._source.wire

    @property
    def share_read(self) -> float | None:
        """How much of this pass is read, from 0 to 1; None if unknown."""
        return self._source.share_read

    def title_of(self, number: int) -> str:
        """Return the title of a recent document by its stream number, else an empty text; any thread may ask."""
        return self._source.title_of(number)

"""The result of a contest: its figures, its ratios beside the goals, as a table or for machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clock import Measured
    from contests import Contest, Contestant


@dataclass(frozen=True, slots=True)
class Result:
    """A contest held: the best measurement of each contestant, None where it is not installed."""

    contest: Contest
    best: dict[str, Measured | None]
    missing: dict[str, str]

    def rate(self, contestant: Contestant) -> float | None:
        """Return documents a second."""
        found = self.best[contestant.name]
        return found.documents / found.seconds if found else None

    def ratio(self, group: str) -> float | None:
        """Return how many times as fast ours is as the fastest of ``group``, None if the group is empty."""
        ours = self.rate(self.contest.ours)
        rates = [self.rate(peer) for peer in self.contest.peers if peer.group == group]
        known = [rate for rate in rates if rate]
        return ours / max(known) if ours and known else None

    def verdicts(self) -> list[tuple[str, float | None, float | None, bool | None]]:
        """Return (against what, ratio, goal, whether it is met) for each group of peers, and for seconds."""
        least = {goal.group: goal.least for goal in self.contest.goals}
        rows: list[tuple[str, float | None, float | None, bool | None]] = []
        for group in dict.fromkeys(peer.group for peer in self.contest.peers):
            ratio, goal = self.ratio(group), least.get(group)
            rows.append((group, ratio, goal, None if ratio is None or goal is None else ratio >= goal))
        return rows

    def shares(self) -> list[tuple[str, float, float, bool]]:
        """Return (bound, share of it that ours reaches, goal, whether it is met) for each bound that was measured."""
        rows = []
        for bound in self.contest.bounds:
            ours, rate = self.rate(bound.of or self.contest.ours), self.rate(bound.contestant)
            if ours and rate:
                rows.append((bound.contestant.name, ours / rate, bound.share, ours / rate >= bound.share))
        return rows

    def seconds(self) -> float | None:
        """Return ours in seconds, for a contest of seconds."""
        found = self.best[self.contest.ours.name]
        return found.seconds if found else None

    def text(self) -> str:
        """Return the table for people."""
        contest = self.contest
        lines = [f"{contest.name}: {contest.title}"]
        for contestant in contest.contestants():
            found = self.best[contestant.name]
            if found is None:
                lines.append(f"  {contestant.name:<38}{'-':>14}          {self.missing[contestant.name]}")
                continue
            seconds = contest.unit == "s"
            figure = f"{found.seconds:,.3f}" if seconds else f"{found.documents / found.seconds:,.0f}"
            notes = ", ".join(f"{k} {v:,.3g}" for k, v in found.notes.items() if k in SHOWN and v is not None)
            lines.append(f"  {contestant.name:<38}{figure:>14} {contest.unit:<8} {notes}".rstrip())
        if contest.unit == "s":
            seconds, most = self.seconds(), contest.most_seconds
            if seconds is not None and most is not None:
                lines.append(f"  -> {seconds:.3f} s, goal at most {most:g} s: {said(seconds <= most)}")
            return "\n".join(lines)
        for name, share, goal, met in self.shares():
            lines.append(f'  -> {share:.0%} of the bound "{name}", goal {goal:.0%}: {said(met)}')
        for group, ratio, goal, met in self.verdicts():
            if ratio is None:
                continue
            tail = "" if goal is None else f", goal {goal:,g}: {said(met)}"
            lines.append(f"  -> {ratio:,.2f} x {group}{tail}")
        return "\n".join(lines)

    def plain(self) -> dict[str, Any]:
        """Return the same for machines."""
        return {
            "title": self.contest.title,
            "unit": self.contest.unit,
            "measured": {
                name: None if m is None else {"documents": m.documents, "seconds": m.seconds, **m.notes}
                for name, m in self.best.items()
            },
            "missing": self.missing,
            "ratios": {
                group: {"ratio": ratio, "goal": goal, "met": met} for group, ratio, goal, met in self.verdicts()
            },
            "shares": {name: {"share": share, "goal": goal, "met": met} for name, share, goal, met in self.shares()},
            "seconds": self.seconds() if self.contest.unit == "s" else None,
            "most_seconds": self.contest.most_seconds,
        }


SHOWN = (
    "iserr",
    "hamming",
    "GB/s",
    "MB/s",
    "moved",
    *(f"us to {part}" for part in ("parse", "read", "count", "learn")),
)


def said(met: bool | None) -> str:
    """Return the verdict as a word."""
    return "met" if met else "MISSED"

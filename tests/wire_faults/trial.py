"""A run of topics that is disturbed, and compared with an undisturbed one."""

from __future__ import annotations

import json
import signal
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from faults.harness import DisturbedError, Ended, Result, differences, result
from wire_faults.topics import ids_of, ids_up_to, put_back

from telex.stream.checkpoints import Checkpoints

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from wire_faults.ground import Command, Ground
    from wire_faults.topics import Stream

LEARNERS = ("--learner", "mmp", "--learner", "nb", "--window", "50")
BUSY = {"piece": 7, "pace": 0.004}
"""How a run is slowed down, so that there are instants at which it can be disturbed."""


class Trial:
    """A stream that is consumed up to its end, and how often that was disturbed.

    With ``limit`` the wire is a live one, which ends with that many documents, and is compared with a run that takes
    the records in the same order. With ``back`` predictions and dead letters are written to topics, with ``once``
    exactly once.
    """

    def __init__(
        self,
        ground: Ground,
        stream: Stream,
        *options: str,
        address: str = "",
        every: str = "150",
        limit: int | None = None,
        back: bool = False,
        once: bool = False,
    ) -> None:
        self.ground, self.stream = ground, stream
        self.kills = self.resumes = self.runs = self.again_put = 0
        self._address = address or ground.broker.address
        self._options, self._every, self._limit = (options or LEARNERS), every, limit
        self._back, self._once = back or once, once
        self._topics: dict[Path, tuple[str, str]] = {}
        self._expected: dict[str, tuple[Result, Path]] = {}
        self.seconds = 3.0

    def argv(self, run: Path) -> list[str]:
        """Return the command line that begins a run, and resumes it after whatever ended it."""
        ends = ["--until-end"] if self._limit is None else ["--limit", str(self._limit)]
        kept = ["--run", str(run), "--predictions", str(run.with_suffix(".predictions")), "--top", "3", "--overwrite"]
        if self._back:
            if run not in self._topics:
                self._topics[run] = self.ground.wire.topic(2, "out"), self.ground.wire.topic(1, "dead")
            out, dead = self._topics[run]
            kept += ["--out-topic", out, "--dead-letter-topic", dead, *(["--exactly-once"] if self._once else [])]
        brokers = ["--brokers", self._address, *self.stream.argv, *ends]
        return ["consume", *brokers, *self._options, *kept, "--checkpoint-every", self._every, "--resume"]

    def new(self) -> Path:
        """Name a folder."""
        return self.ground.path("run")

    def next(self, run: Path) -> list[str]:
        """Return how to begin the run or to resume it, as supervisors do: by one command line."""
        self.resumes += bool(Checkpoints(run / "checkpoints").numbers())
        return self.argv(run)

    def start(self, run: Path, **disturbed: Any) -> Command:
        """Begin a run, or resume it."""
        return self.ground.start(*self.next(run), **{**BUSY, **disturbed})

    def measure(self) -> None:
        """See how long a run takes, and that it is what it should be."""
        run = self.new()
        ended = self.ground.done(*self.argv(run), **BUSY)
        self.seconds = ended.seconds
        self.check(run, "nothing but checkpoint after checkpoint")

    def killed(self, draw: random.Random, number: int = signal.SIGKILL, most: int = 8, **disturbed: Any) -> None:
        """Kill a run again and again, at most so often, until it has come to its end; hold what came of it."""
        run, kills = self.new(), 0
        while True:
            late = draw.uniform(0.45 if draw.randrange(4) else 0.0, 1.0 + 0.05 * kills) * self.seconds
            ended = self.ground.killed(late if kills < most else 60.0, *self.next(run), number=number,
                                       **{**BUSY, **disturbed})  # fmt: skip
            if ended.code == -number or (number != signal.SIGKILL and not finished(run)):
                self._told_to_stop(ended, number)
                kills += 1
                self.kills += 1
            elif ended.code == 0 or (ended.code == 130 and number == signal.SIGINT):
                break
            else:
                raise DisturbedError(f"{run}, after {kills} kills: it ended {ended.code}, and said {ended.err[-3000:]}")
        self.check(run, f"{kills} signals {number}")

    def _told_to_stop(self, ended: Ended, number: int) -> None:
        # Before Python has come so far, a signal simply ends it.
        usual = {signal.SIGTERM: 0, signal.SIGINT: 130}
        if ended.code not in {-number, usual.get(number, -number)} or "Traceback" in ended.err:
            raise DisturbedError(f"told to stop by {number}, it ended {ended.code}, and said {ended.err[-3000:]}")

    def finish(self, run: Path, what: str, *more: str, **disturbed: Any) -> Ended:
        """Have a run continue to its end, and compare the results."""
        ended = self.ground.done(*self.next(run), *more, **disturbed)
        self.check(run, what)
        return ended

    def check(self, run: Path, what: str) -> None:
        """Hold a run that has come to its end against the undisturbed one up to the same ends, or of the same order."""
        self.runs += 1
        found = outcome(run, live=self._limit is not None)
        expected, other = self._followed(run) if self._limit is not None else self._up_to(ends_of(found))
        wrong = differences(expected, found)
        if wrong:
            raise DisturbedError(f"{run} after {what}: another {', '.join(wrong)} than {other}")
        if self._back:
            self._put_back(run, other)
        self.ground.forget(run)

    def _up_to(self, ends: dict[str, Any]) -> tuple[Result, Path]:
        """Return what an undisturbed run comes to."""
        key = json.dumps(ends, sort_keys=True)
        if key not in self._expected:
            other = self.new()
            self.ground.done(*self._undisturbed(other), ends=ends)
            self._expected[key] = outcome(other), other
            self._whole(other, ends)
            self.ground.forget(other)
        return self._expected[key]

    def _followed(self, run: Path) -> tuple[Result, Path]:
        """Return what an undisturbed run comes to that takes the records in the order of another."""
        other = self.new()
        self.ground.done(*self._undisturbed(other), "--order-of", str(run))
        self._whole(other, None)
        found = outcome(other, live=True)
        self.ground.forget(other)
        return found, other

    def _undisturbed(self, run: Path) -> list[str]:
        argv = self.argv(run)
        argv[argv.index("--checkpoint-every") + 1] = "5m"
        argv[argv.index("--brokers") + 1] = self.ground.broker.address
        return argv

    def _whole(self, run: Path, ends: dict[str, dict[str, int]] | None) -> None:
        """Hold a run against what was put: each document once for each learner, each broken record a letter."""
        stream = self.stream
        put = stream.ids
        if put is None:
            if ends is None:
                return
            put = ids_up_to(self.ground.wire, stream.documents, ends[stream.documents])
        if self._limit is not None and len(put) != self._limit:
            raise DisturbedError(f"{len(put)} documents were put, and {self._limit} read")
        lines = run.with_suffix(".predictions").read_text().splitlines()
        letters = len((run / "dead-letters.jsonl").read_text().splitlines())
        for learner, ids in ids_of(lines).items():
            lost, twice = set(put) - set(ids), [name for name, times in Counter(ids).items() if times > 1]
            if lost or twice or len(ids) != len(put):
                raise DisturbedError(f"{run}: of {learner} {sorted(lost)[:5]} are lost, {twice[:5]} come twice")
        if not lines or (letters != stream.broken and self._limit is None):
            raise DisturbedError(f"{run}: {letters} letters of {stream.broken} broken records")

    def _put_back(self, run: Path, other: Path) -> None:
        """Hold the topics of two runs against each other."""
        for one, its in zip(self._topics[run], self._topics[other], strict=True):
            found, expected = (put_back(self.ground.wire, topic) for topic in (one, its))
            unlike = [key for key in {**found, **expected} if set(found.get(key, ())) != set(expected.get(key, ()))]
            if unlike:
                key = unlike[0]
                raise DisturbedError(f"{run}: in {one} {key} is {found.get(key)}, in {its} {expected.get(key)}")
            if twice := [key for key, told in expected.items() if len(told) > 1]:
                raise DisturbedError(f"{other}, undisturbed: in {its} {twice[0]} is there more than once")
            extra = sum(len(told) - 1 for told in found.values())
            self.again_put += extra
            if extra and self._once:
                raise DisturbedError(f"{run}: in {one} {extra} messages are there more than once")


def outcome(run: Path, *, live: bool = False) -> Result:
    """Read what a run has left, and its position."""
    found = result(run)
    _, state = Checkpoints(run / "checkpoints").newest()
    if not live:  # the positions of partitions behind their last record differ when an order is followed
        found.state["place"] = place = state["reading"]["source"]["place"]
        for topic, some in place["partitions"].items():  # what appears later has no records in this run
            place["partitions"][topic] = {number: at for number, at in some.items() if at[2]}
            known = place["last_read"].get(topic, {})
            place["last_read"][topic] = {number: known[number] for number in place["partitions"][topic]}
    found.files["order.bin"] = (run / "order.bin").read_bytes()
    for part in found.state["parts"]:
        part["first_seen"] = np.trim_zeros(part["first_seen"], "b")  # it grows by steps, as documents come
    return found


def ends_of(found: Result) -> dict[str, dict[str, int]]:
    """Return the ends that a run saw first."""
    partitions = found.state["place"]["partitions"]
    return {topic: {number: at[2] for number, at in some.items()} for topic, some in partitions.items()}


def finished(run: Path) -> bool:
    """Return whether a run has come to its end."""
    try:
        return json.loads((run / "run.json").read_text())["finished"] is True
    except (OSError, ValueError, KeyError):
        return False

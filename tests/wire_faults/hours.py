"""Hours of a live wire with faults at random, and no hand on it: then nothing is lost, and nothing comes twice."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

from broker.jars import NoBrokerError
from faults.harness import DisturbedError
from wire_faults.field import QUICK
from wire_faults.independent_reader import IndependentReader
from wire_faults.steady_writer import SteadyWriter
from wire_faults.supervisor import Supervisor

from telex.stream.checkpoints import Checkpoints

if TYPE_CHECKING:
    from collections.abc import Callable

    from wire_faults.ground import Ground

LEARNERS = ("mmp", "nb")
CALM = 300.0
"""Seconds without a fault after which everything must have come."""
FAULTS: dict[str, Callable[[Hours], None]] = {}


def fault(function: Callable[[Hours], None]) -> Callable[[Hours], None]:
    """Enter it in the table under its name."""
    FAULTS[function.__name__.replace("_", "-")] = function
    return function


class Hours:
    """A run under a supervisor, topics that are written to all the time, and what goes wrong with them.

    Predictions and dead letters go to topics exactly once. ``count`` has how often each fault came.
    """

    def __init__(self, ground: Ground, seed: int, rate: float) -> None:
        self.ground, self.draw, self.count = ground, random.Random(f"{seed} hours"), Counter[str]()
        wire = ground.wire
        self.topic, answers = wire.topic(3, "news"), wire.topic(2, "answers")
        out, dead = wire.topic(2, "out"), wire.topic(1, "dead")
        self.run = ground.path("run")
        learners = [part for name in LEARNERS for part in ("--learner", name)]
        argv = ["consume", "--brokers", ground.proxy.address, "--topic", self.topic, "--labels-topic", answers,
                "--out-topic", out, "--dead-letter-topic", dead, "--exactly-once", *learners, "--no-baselines",
                "--run", str(self.run), "--checkpoint-every", "2s", "--on-gap", "skip", "--wait-for-broker", "forever",
                "--resume"]  # fmt: skip
        disturbed = {"limit": 1e6, "silent": 5.0, "patience": 30.0, "consumer": QUICK}
        self.supervisor = Supervisor(ground, argv, disturbed)
        self.writer = SteadyWriter(ground.broker.address, (self.topic, answers), seed, rate)
        self.reader = IndependentReader(ground.broker.address, out, dead)

    def go(self, seconds: float) -> None:
        """Disturb the run for so long, and then hold what came of it against what was written."""
        deadline, left = time.monotonic() + seconds, list[str]()
        self.writer.start()
        self.supervisor.rest(8.0)
        while time.monotonic() < deadline:
            left = left or self.draw.sample(sorted(FAULTS), len(FAULTS))
            name = left.pop()
            self.count[name] += 1
            print(f"{seconds - deadline + time.monotonic():7.1f} s  {name}", flush=True)
            FAULTS[name](self)
            self.supervisor.rest(self.draw.uniform(1.0, 8.0))
        self.writer.end()
        with self.writer:
            self.calm()
        self._learnt()

    def calm(self) -> None:
        """Wait until a prediction of each document, and a letter of each broken record, has come; none comes twice."""
        deadline = time.monotonic() + CALM
        while (missing := self._missing()) and time.monotonic() < deadline:
            self.supervisor.rest(1.0)
            self.reader.read()
        twice = [key for found in (self.reader.predictions, self.reader.letters) for key, n in found.items() if n > 1]
        if missing or twice:
            raise DisturbedError(f"after {CALM:.0f} s without a fault: {missing or 'all is there'}; twice: {twice[:5]}")

    def _missing(self) -> str:
        predictions, letters = self.reader.predictions, len(self.reader.letters)
        if len(predictions) >= len(LEARNERS) * len(self.writer.ids) and letters >= self.writer.broken:
            return ""
        lost = [(name, one) for name in self.writer.ids for one in LEARNERS if (name, one) not in predictions]
        return f"{len(lost)} predictions are missing, such as {lost[:3]}, and {self.writer.broken - letters} letters"

    def _learnt(self) -> None:
        """Hold the newest checkpoint against what was written: documents, answers, broken records, answers learnt."""
        answers, deadline = len(self.writer.answered), time.monotonic() + CALM
        wanted = [len(self.writer.ids), answers, self.writer.broken, answers]
        while True:
            self.supervisor.stop()
            _, state = Checkpoints(self.run / "checkpoints").newest()
            found = [*state["reading"]["counts"], state["learnt"]]
            if found == wanted:
                return
            if time.monotonic() > deadline:
                raise DisturbedError(f"documents, answers, broken records, answers learnt: {found}; written: {wanted}")
            self.supervisor.rest(10.0)


def _broker_comes_back(at: Hours) -> None:
    """Start the broker; a machine that is busy with other things may need more than one attempt."""
    for _ in range(2):
        try:
            at.ground.broker.start()
        except NoBrokerError:
            at.supervisor.rest(5.0)
        else:
            return
    at.ground.broker.start()


@fault
def killed(at: Hours) -> None:
    """SIGKILL of the run."""
    at.supervisor.signal(signal.SIGKILL)


@fault
def told_to_stop(at: Hours) -> None:
    """SIGTERM of the run, as when a pod is moved."""
    at.supervisor.signal(signal.SIGTERM)


@fault
def held_still(at: Hours) -> None:
    """The run stands still, as on a machine that swaps."""
    at.supervisor.signal(signal.SIGSTOP)
    at.supervisor.rest(at.draw.choice([1.0, 4.0, 12.0]))
    at.supervisor.signal(signal.SIGCONT)


@fault
def fetcher_killed(at: Hours) -> None:
    """SIGKILL of the process that fetches."""
    at.supervisor.signal_fetcher(signal.SIGKILL)


@fault
def fetcher_hangs(at: Hours) -> None:
    """The process that fetches stands still for good, and must be replaced."""
    at.supervisor.signal_fetcher(signal.SIGSTOP)
    at.supervisor.rest(8.0)


@fault
def broker_killed(at: Hours) -> None:
    """SIGKILL of the broker, which comes back; meanwhile the proxy takes connections and closes them."""
    at.ground.broker.kill()
    at.supervisor.rest(at.draw.choice([0.0, 3.0, 20.0]))
    _broker_comes_back(at)


@fault
def broker_away(at: Hours) -> None:
    """The broker ends in order and stays away for longer than a run's patience; the run is killed meanwhile, or not."""
    at.ground.broker.stop()
    if at.draw.randrange(2):
        at.supervisor.signal(signal.SIGKILL)
    at.supervisor.rest(at.draw.choice([10.0, 40.0]))
    _broker_comes_back(at)


@fault
def broker_still(at: Hours) -> None:
    """The broker stands still."""
    at.ground.broker.pause()
    at.supervisor.rest(at.draw.uniform(1.0, 12.0))
    at.ground.broker.go_on()


@fault
def connections_cut(at: Hours) -> None:
    """All connections are broken, again and again."""
    for _ in range(at.draw.randrange(1, 10)):
        at.ground.proxy.cut()
        at.supervisor.rest(at.draw.uniform(0.05, 0.5))


@fault
def network_frozen(at: Hours) -> None:
    """Connections stay, and nothing moves."""
    at.ground.proxy.freeze()
    at.supervisor.rest(at.draw.uniform(1.0, 12.0))
    at.ground.proxy.go_on()


@fault
def network_slow(at: Hours) -> None:
    """Little bandwidth, and late."""
    at.ground.proxy.rate, at.ground.proxy.delay = 50_000, 0.1
    at.supervisor.rest(at.draw.uniform(2.0, 8.0))
    at.ground.proxy.go_on()


@fault
def labels_late(at: Hours) -> None:
    """Answers come half a minute after their documents from now on, or at once again."""
    at.writer.delay = 30.0 if at.writer.delay < 10.0 else 2.0


@fault
def checkpoint_damaged(at: Hours) -> None:
    """Killed, and the newest checkpoint is cut short."""
    at.supervisor.kill()
    checkpoints = Checkpoints(at.run / "checkpoints")
    if len(checkpoints.numbers()) > 1:
        os.truncate(checkpoints.path(checkpoints.numbers()[-1]) / "state.npz", 1000)


@fault
def topic_made_again(at: Hours) -> None:
    """All has come; then the topic is deleted and made again, while the run is there or killed."""
    with at.writer:
        at.calm()
        if at.draw.randrange(2):
            at.supervisor.signal(signal.SIGKILL)
        at.ground.wire.make_again(at.topic, 3)
        at.reader.generation += 1
    # Without them a damaged checkpoint would take the run back into a topic that is no more.
    before = Checkpoints(at.run / "checkpoints").numbers()
    deadline = time.monotonic() + CALM
    while len(set(Checkpoints(at.run / "checkpoints").numbers()) - set(before)) < len(before):
        at.supervisor.rest(0.5)
        if time.monotonic() > deadline:
            raise DisturbedError("no checkpoints came after a topic had been made again")

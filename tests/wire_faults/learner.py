"""What can happen to the learner: it is killed, stopped, driven away, and the clock jumps under it."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

from faults.harness import DisturbedError
from wire_faults.field import FEW, QUICK, Field, killed, loaded, said, scenario
from wire_faults.topics import Stream, made, put
from wire_faults.trial import LEARNERS, Trial

from telex.stream import Checkpoints

if TYPE_CHECKING:
    from wire_faults.ground import Command


@scenario
def kills(at: Field) -> None:
    """SIGKILL at random instants, before and under a publisher at work, resumed until done."""
    wire, seed = at.ground.wire, at.draw.randrange(1000)
    stream = Stream(wire.name("news"), wire.name("answers"), ids=None)
    published = ["publish", f"synthetic:n=1000000,seed={seed}", "--brokers", wire.address, "--topic", stream.documents,
                 "--labels-topic", stream.answers, "--label-delay", "40"]  # fmt: skip
    at.ground.done(*published, "--create-topics", "3", "--limit", at.count)
    trial = Trial(at.ground, stream)
    trial.measure()
    publisher = at.ground.start(*published, "--resume", "--rate", "60", limit=600)
    for _ in range(at.times):
        trial.killed(at.draw, **FEW)
    if not publisher.running:
        raise DisturbedError(f"the publisher ended: {publisher.err}")
    publisher.signal(signal.SIGTERM)
    if (ended := publisher.ended()).code:
        raise DisturbedError(f"the publisher ended {ended.code}: {ended.err}")
    at.tell(trial, ended.err.splitlines()[-1])


@scenario
def live_kills(at: Field) -> None:
    """A live wire, with a publisher at work, and killed; compared with a run of the same order."""
    trial = Trial(at.ground, None, limit=at.count)
    kills = 0
    for _ in range(at.times):
        publisher = _published(at, trial)
        trial.killed(at.draw, **FEW, piece=7)
        if (ended := publisher.ended()).code:
            raise DisturbedError(f"the publisher ended {ended.code}: {ended.err}")
        kills = trial.kills
    at.tell(trial)
    if not kills:
        raise DisturbedError("nothing was killed")


def _published(at: Field, trial: Trial) -> Command:
    wire = at.ground.wire
    trial.stream = Stream(wire.topic(3, "news", retention_ms=-1), wire.topic(2, "answers", retention_ms=-1), ids=None)
    trial.seconds = max(3.0, at.count / 300)
    return at.ground.start(
        "publish", f"synthetic:n={at.count},seed={at.draw.randrange(1000)}", "--brokers", wire.address,
        *("--topic", trial.stream.documents, "--labels-topic", trial.stream.answers, "--label-delay", "exp:40"),
        *("--rate", "300"), limit=300,
    )  # fmt: skip


@scenario
def signals(at: Field) -> None:
    """SIGTERM and Ctrl-C at random instants: a checkpoint, exit code 0 and 130, resumed until done."""
    trial = Trial(at.ground, loaded(at))
    trial.measure()
    for number in (signal.SIGTERM, signal.SIGINT) * at.times:
        trial.killed(at.draw, number, most=4)
    at.tell(trial)


@scenario
def fetcher(at: Field) -> None:
    """SIGKILL of the process that fetches: one sentence, exit code 1, resumed until done."""
    trial = Trial(at.ground, loaded(at))
    trial.measure()
    for _ in range(at.times):
        run = trial.new()
        command = trial.start(run, **FEW)
        command.until(command.fetcher, "the fetching process")
        time.sleep(at.draw.uniform(0.0, 0.8 * trial.seconds))
        if (pid := command.fetcher()) is not None:
            os.kill(pid, signal.SIGKILL)
            trial.kills += 1
        ended = command.ended()
        if pid is not None and ended.code:
            said(ended, 1, "the fetching process ended (exit code -9)")
            trial.finish(run, "its fetching process was killed")
        else:
            trial.check(run, "its fetching process was killed at the end")
    at.tell(trial)


@scenario
def fetcher_hangs(at: Field) -> None:
    """SIGSTOP of the process that fetches: another one takes its place, and nothing is lost or learnt twice."""
    trial = Trial(at.ground, loaded(at))
    trial.measure()
    for _ in range(at.times):
        run = trial.new()
        command = trial.start(run, **FEW, pace=0.012, silent=3.0, consumer=QUICK)
        command.until(command.fetcher, "the fetching process")
        time.sleep(at.draw.uniform(0.5, 0.8 * trial.seconds))
        if (pid := command.fetcher()) is not None:
            os.kill(pid, signal.SIGSTOP)
        ended = command.ended()
        if ended.code or "Traceback" in ended.err:
            raise DisturbedError(f"its fetching process hung; it ended {ended.code}: {ended.err}")
        at.told.append("replaced" if "another one takes its place" in ended.err else "all had come")
        trial.check(run, "its fetching process hung")
    at.tell(trial)


@scenario
def second_learner(at: Field) -> None:
    """Another process of the same run: in the same folder refused; in another of the same name it continues alone."""
    trial = Trial(at.ground, loaded(at))
    trial.measure()
    for _ in range(at.times):
        run = trial.new() / "one"
        other = trial.new() / "one"
        for one in (run, other):
            one.parent.mkdir()
        first = trial.start(run, **FEW, pace=0.05, consumer=QUICK)
        first.until_kept(run, 1)  # it has learnt something
        said(at.ground.run(*trial.argv(run)), 2, "another run is at work in")
        anew = [one for one in trial.argv(run) if one != "--resume"]
        said(at.ground.run(*anew), 2, "is not empty")
        second = trial.start(other, pace=0.01, consumer=QUICK)
        ended = first.ended()
        said(ended, 1, "another process has joined group one as one", "a run is one learner")
        if (end := second.ended()).code:
            raise DisturbedError(f"the second learner ended {end.code}: {end.err}")
        trial.check(other, "it drove away another")
        trial.finish(run, "another had driven it away")
    at.tell(trial, f"{at.times} fenced")


@scenario
def clock(at: Field) -> None:
    """The clock of the machine jumps to and fro by hours, and killed; then it falls back once and stays there."""
    stream = loaded(at)
    killed(at, stream, every="1s", disturbed={"clock": at.draw.randrange(1000)})
    stream = made(at.ground.wire)
    put(at.ground.wire, stream, at.count // 2)
    trial = Trial(at.ground, stream, "--max-idle", "1s", *LEARNERS, limit=at.count, every="1s")
    run, moment = trial.new(), time.monotonic() + 5.0
    command = trial.start(run, fell=moment, limit=45)
    command.until_kept(run)
    time.sleep(max(0.0, moment - time.monotonic()))
    # For these it must see that nothing comes of the other partitions.
    put(at.ground.wire, stream, at.count - at.count // 2, partitions=1, prefix="new")
    if (ended := command.ended()).code:
        raise DisturbedError(f"the clock fell back; it ended {ended.code}: {ended.err}")
    trial.check(run, "the clock had fallen back by hours")
    at.tell(trial)


@scenario
def put_back_again(at: Field) -> None:
    """Predictions and dead letters put into topics, at least once, and killed."""
    killed(at, loaded(at, poison=40), back=True)


@scenario
def put_back_once(at: Field) -> None:
    """Predictions and dead letters written to topics, exactly once, and killed; and stopped."""
    stream = loaded(at, poison=40)
    killed(at, stream, once=True, every="60")
    trial = Trial(at.ground, stream, once=True, every="60")
    trial.seconds = 4.0
    trial.killed(at.draw, signal.SIGTERM, most=4, **FEW)
    at.tell(trial)


@scenario
def checkpoint_damaged(at: Field) -> None:
    """Killed, and the newest checkpoint cut short; what was written to topics once is not written again."""
    trial = Trial(at.ground, loaded(at, poison=40), once=True, every="60")
    run = trial.new()
    for _ in range(at.times):
        command = trial.start(run, **FEW)
        command.until_kept(run, 1 + max(Checkpoints(run / "checkpoints").numbers(), default=1))
        command.signal(signal.SIGKILL)
        command.ended()
        checkpoints = Checkpoints(run / "checkpoints")
        os.truncate(checkpoints.path(checkpoints.numbers()[-1]) / "state.npz", 1000)
        trial.kills += 1
    ended = trial.finish(run, "its newest checkpoint was damaged")
    if "it is now damaged-0" not in ended.err or "and the run goes on from" not in ended.err:
        raise DisturbedError(f"it should have passed over a damaged checkpoint, and said {ended.err}")
    at.tell(trial)

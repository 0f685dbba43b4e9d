"""What can happen to the broker: it is killed, stays away, and is slow."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from faults.harness import DisturbedError
from wire_faults.field import FEW, QUICK, Field, loaded, said, scenario
from wire_faults.trial import Trial

if TYPE_CHECKING:
    from wire_faults.proxy import Proxy


@scenario
def broker_killed(at: Field) -> None:
    """SIGKILL of the broker in mid-run, which begins again after a while; and Ctrl-C of a learner meanwhile."""
    trial = Trial(at.ground, loaded(at))
    trial.measure()
    broker = at.ground.broker
    for turn in range(at.times):
        run = trial.new()
        command = trial.start(run, **FEW, pace=0.012)
        command.until_kept(run)
        time.sleep(at.draw.uniform(0.0, 1.0))
        broker.kill()
        try:
            if turn % 3 == 2:
                time.sleep(at.draw.uniform(0.0, 1.0))
                command.signal(signal.SIGINT)
                ended = command.ended()
                if ended.code != 130 or "Traceback" in ended.err:
                    raise DisturbedError(f"without a broker, told to stop, it ended {ended.code}: {ended.err}")
            else:
                time.sleep(at.draw.uniform(0.0, 3.0))
        finally:
            broker.start()
        if turn % 3 == 2:
            trial.finish(run, "its broker was killed and it was told to stop")
            continue
        ended = command.ended()
        if ended.code:
            raise DisturbedError(f"its broker was killed and began again; it ended {ended.code}: {ended.err}")
        trial.check(run, "its broker was killed")
    at.tell(trial, f"{at.times} kills of the broker")


@scenario
def broker_gone(at: Field) -> None:
    """SIGKILL of the broker, which stays away: one sentence, exit code 1; resumed when it is back."""
    trial = Trial(at.ground, loaded(at))
    trial.measure()
    run = trial.new()
    command = trial.start(run, **FEW, pace=0.012, patience=4.0)
    command.until_kept(run)
    at.ground.broker.kill()
    try:
        ended = command.ended()
        said(ended, 1, "no broker at", "has answered for")
        refused = at.ground.run(*trial.argv(run), patience=2.0)
        said(refused, 1, "no broker at", "has answered for 2 s")
    finally:
        at.ground.broker.start()
    trial.finish(run, "its broker was away")
    at.tell(trial, f"{ended.seconds:.0f} s until it said so")


@scenario
def told_twice(at: Field) -> None:
    """Ctrl-C while no broker takes the results, and a second one: the learner ends at once; resumed."""
    stream = loaded(at)
    for once in (False, True) * at.times:
        trial = Trial(at.ground, stream, every="60", back=True, once=once)
        run = trial.new()
        command = trial.start(run, **FEW, pace=0.012)
        command.until_kept(run, 1)
        at.ground.broker.kill()
        try:
            time.sleep(at.draw.uniform(0.0, 1.0))
            command.signal(signal.SIGINT)
            time.sleep(at.draw.uniform(1.0, 3.0))
            asked = time.monotonic()
            command.signal(signal.SIGINT)
            ended, seconds = command.ended(), time.monotonic() - asked
            if ended.code != 130 or "Traceback" in ended.err or seconds > 30.0:
                raise DisturbedError(f"told to stop twice, it ended {ended.code} after {seconds:.0f} s: {ended.err}")
        finally:
            at.ground.broker.start()
        trial.finish(run, "it was told to stop twice", "--wait-for-broker", "80s")
        at.told.append(f"{seconds:.1f} s")


@scenario
def broker_slow(at: Field) -> None:
    """A broker with little bandwidth, with delays, held still for longer than a session, cut off again and again."""
    proxy = at.ground.proxy
    trial = Trial(at.ground, loaded(at), address=proxy.address)
    trial.measure()
    done = []
    for what in ("narrow", "late", "still", "cut", "stopped") * -(-at.times // 5):
        run = trial.new()
        command = trial.start(run, **FEW, consumer=QUICK)
        command.until((run / "curves.csv").is_file, "the begin")
        done.append(what)
        try:
            _slowed(at, proxy, what)
            ended = command.ended() if what in {"narrow", "late"} else None
        finally:
            proxy.go_on()
        ended = ended or command.ended()
        if ended.code:
            raise DisturbedError(f"its broker was {what}; it ended {ended.code}: {ended.err}")
        trial.check(run, f"its broker was {what}")
    at.tell(trial, "broker " + ", ".join(done))


def _slowed(at: Field, proxy: Proxy, what: str) -> None:
    match what:
        case "narrow":
            proxy.rate = 30_000
        case "late":
            proxy.delay = 0.15
        case "still":
            proxy.freeze()
            time.sleep(9.0)
        case "cut":
            for _ in range(8):
                time.sleep(at.draw.uniform(0.05, 0.3))
                proxy.cut()
        case "stopped":
            at.ground.broker.pause()
            time.sleep(8.0)
            at.ground.broker.go_on()


@scenario
def transactions_cut(at: Field) -> None:
    """The broker killed while predictions are put exactly once, and begun again; the learner killed too, or not."""
    trial = Trial(at.ground, loaded(at, poison=40), once=True, every="60")
    trial.measure()
    broker, down = at.ground.broker, 0
    for turn in range(at.times):
        run = trial.new()
        command = trial.start(run, **FEW, pace=0.012)
        command.until_kept(run)
        for _ in range(2):
            time.sleep(at.draw.uniform(0.0, 1.0))
            broker.kill()
            down += 1
            try:
                time.sleep(at.draw.uniform(0.0, 2.0))
                if turn % 2 and command.running:
                    command.signal(signal.SIGKILL)
                    command.ended()
                    trial.kills += 1
            finally:
                broker.start()
            if not command.running:
                if turn % 2:
                    command = trial.start(run, **FEW, pace=0.012)
                    time.sleep(at.draw.uniform(0.5, 3.0))
                else:
                    break
        if (ended := command.ended()).code:
            raise DisturbedError(f"its broker was killed and began again; it ended {ended.code}: {ended.err}")
        trial.check(run, "its broker was killed")
    at.tell(trial, f"{down} kills of the broker")

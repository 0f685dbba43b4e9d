"""What can be in topics, and what can become of them."""

from __future__ import annotations

import re
import signal
import time
from typing import Any

from faults.harness import DisturbedError
from wire_faults.field import FEW, QUICK, Field, killed, loaded, said, said_nothing, scenario
from wire_faults.topics import Stream, ids_of, made, put
from wire_faults.trial import Trial, finished


@scenario
def labels_ahead(at: Field) -> None:
    """Answers long before their documents, and killed."""
    stream = loaded(at, delay=lambda draw: -draw.choice([1, 50, 400]) * 3600)
    killed(at, stream)


@scenario
def labels_behind(at: Field) -> None:
    """Answers long after their documents, most of them behind the last document, and killed."""
    stream = loaded(at, delay=lambda draw: draw.choice([1, 300, 5000]) * 3600)
    killed(at, stream, "--learner", "mmp", "--pending-limit", "50", "--expire-after", "700")


@scenario
def poison(at: Field) -> None:
    """A record that cannot be read after every hundred, and killed."""
    killed(at, loaded(at, poison=100))


@scenario
def poison_thick(at: Field) -> None:
    """A record that cannot be read after every seventh, and killed."""
    killed(at, loaded(at, poison=7))


@scenario
def timestamps_backwards(at: Field) -> None:
    """Records whose timestamps go backwards, or are all over the place, and killed."""
    killed(at, loaded(at, stamp=lambda seconds, _: 10**10 - 1000 * seconds))
    killed(at, loaded(at, stamp=lambda _, draw: draw.randrange(10**9)))


@scenario
def large(at: Field) -> None:
    """Records of 10 MB, sound ones and broken ones, and killed."""
    stream = made(at.ground.wire, max_message_bytes=16 << 20)
    words = " ".join(at.draw.choice(["gold", "wheat", "cup", "bank"]) for _ in range(200_000))
    sound = (words * 11)[: 10 << 20].encode()
    values = {
        300: b'{"id": "large1", "text": "' + sound + b'"}',
        500: b'{"id": "large2", "text": "' + sound,
        700: b"\xff" * (10 << 20),
    }
    put(at.ground.wire, stream, at.count, large=values.get, delay=lambda _: -1)
    killed(at, _with(at, stream), disturbed={"limit": 150})


def _with(at: Field, stream: Stream) -> Stream:
    """Count what is large in a stream: an answer may have had its turn, and then all of it is broken."""
    for one in at.ground.wire.read(stream.documents):
        if one.key == b"large" and b"large1" in one.value[:20]:
            stream.ids.append("large1")
        elif one.key == b"large":
            stream.broken += 1
    stream.broken += sum(one.key == b"large" for one in at.ground.wire.read(stream.answers))
    return stream


@scenario
def retention(at: Field) -> None:
    """The topic removes the next records while Telex is away, and while it is behind: an error, or a skip."""
    wire = at.ground.wire
    for turn in range(at.times):
        stream = loaded(at)
        trial = Trial(at.ground, stream)
        run, there = trial.new(), turn % 2  # while it is there, or away
        command = trial.start(run, **FEW, pace=0.05, consumer=QUICK)
        command.until_kept(run, 1)
        if not there:
            command.signal(signal.SIGTERM)
            said_nothing(command.ended(), 0)
        last = max(one.offset for one in wire.read(stream.documents) if one.partition == 1)
        wire.forget(stream.documents, 1, last - 20)
        ended = command.ended() if there else at.ground.run(*trial.argv(run))
        said(ended, 1, f"of {stream.documents} 1 is no longer there: the log begins at {last - 20}", "--on-gap skip")
        ended = at.ground.run(*trial.argv(run))
        said(ended, 1, "is no longer there", "--on-gap skip")
        ended = at.ground.done(*trial.argv(run), "--on-gap", "skip")
        told = re.search(
            r"offset (\d+) of \S+ 1 is no longer there: the log begins at (\d+), so up to (\d+) rec", ended.err
        )
        if told is None or "continuing at" not in ended.err:
            raise DisturbedError(f"the gap was not told: {ended.err}")
        ids = ids_of(run.with_suffix(".predictions").read_text().splitlines())["mmp"]
        lost = [name for name in stream.ids if name not in ids]
        if len(ids) != len(set(ids)) or len(lost) != int(told[3]) or not finished(run):
            raise DisturbedError(f"{run}: {len(ids)} documents, {len(lost)} are missing, and it told of {told[3]}")
        at.told.append(f"{len(lost)} lost {'while it was there' if there else 'while it was away'}")
        trial.runs += 1


@scenario
def made_again(at: Field) -> None:
    """The topic is deleted and made again with more records, while Telex is away and while it is there."""
    wire = at.ground.wire
    for turn in range(at.times):
        stream = loaded(at)
        trial, there = Trial(at.ground, stream), turn % 2
        run = trial.new()
        command = trial.start(run, **FEW, pace=0.05, consumer=QUICK)
        command.until_kept(run, 1)
        if not there:
            command.signal(signal.SIGTERM)
            said_nothing(command.ended(), 0)
        wire.make_again(stream.documents, 3)
        again = Stream(stream.documents, stream.answers)
        put(wire, again, 2 * at.count, prefix="again", seed=at.draw.randrange(1000))
        ended = command.ended() if there else at.ground.run(*trial.argv(run))
        said(ended, 1, f"{stream.documents} was deleted and created again", "--on-gap skip")
        ended = at.ground.done(*trial.argv(run), "--on-gap", "skip", limit=120)
        ids = ids_of(run.with_suffix(".predictions").read_text().splitlines())["mmp"]
        lost = [name for name in again.ids if name not in ids]
        if len(ids) != len(set(ids)) or lost or not finished(run):
            raise DisturbedError(f"{run}: {len(ids)} documents; of the topic that was made again {lost[:5]} are lost")
        at.told.append(f"{len(ids)} documents, {'there' if there else 'away'}")
        trial.runs += 1


@scenario
def partition_added(at: Field) -> None:
    """A topic gets another partition while a live run reads it, which takes it up; killed or not."""
    _another_partition(at, at.count // 2, at.count - at.count // 2, limit=at.count)


@scenario
def partition_left_out(at: Field) -> None:
    """A topic gets another partition while a run reads to where the topic ended: the partition is none of its."""
    _another_partition(at, at.count, 50, **FEW, pace=0.01)


def _another_partition(at: Field, before: int, there: int, *, limit: int | None = None, **disturbed: Any) -> None:
    """Put documents into two partitions, then into a third; a run that ends with the first has those of it alone."""
    wire = at.ground.wire
    for turn in range(at.times):
        stream = made(wire, 2)
        put(wire, stream, before, partitions=2, seed=at.draw.randrange(1000))
        trial = Trial(at.ground, stream, limit=limit)
        run = trial.new()
        command = trial.start(run, **disturbed, consumer=QUICK)
        command.until_kept(run)
        wire.more_partitions(stream.documents, 3)
        time.sleep(at.draw.uniform(0.0, 0.5))
        new = stream if limit else Stream(stream.documents, stream.answers)
        put(wire, new, there, first=2, partitions=1, prefix="new", seed=at.draw.randrange(1000))
        if turn % 2:
            time.sleep(at.draw.uniform(0.0, 1.5))
            command.signal(signal.SIGKILL)
            command.ended()
            trial.kills += 1
            command = trial.start(run, consumer=QUICK)
        if (ended := command.ended()).code:
            raise DisturbedError(f"a partition was added; it ended {ended.code}: {ended.err}")
        trial.check(run, "a partition was added")
        at.tell(trial)

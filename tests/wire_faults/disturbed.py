"""telex in a process that is held up, whose clock jumps, and that ends by itself: ``python disturbed.py consume ...``.

The environment variable TELEX_DISTURBED is a JSON object with any of: ``limit``, the seconds after which the process
prints each thread's stack and ends; ``piece``, how many documents a source gives out at a time; ``pace``, by how
many seconds each of those pieces takes longer; ``ahead``, ``fetch`` and ``patience``, how many bytes are fetched ahead
and at a time, and how long a broker may be silent; ``consumer``, options of kafka-python's; ``ends``, the ends that the
broker names first, by topic and partition; ``silent``, the seconds after which a fetching process that says
nothing is replaced; ``clock``, a seed by which the clock jumps; ``fell``, the monotonic time at
which it falls back by hours, once. The fetching process imports this file too: what is done here, and not in main, is
done there as well.
"""

import ctypes
import faulthandler
import json
import os
import random
import signal
import sys
import time

TOLD = json.loads(os.environ.get("TELEX_DISTURBED", "{}"))
EVERY, HOURS = 0.3, 7
_KILL_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def jumping(seed):
    """Have the time of day jump to and fro by hours; all processes with the same seed jump together."""
    real = time.time

    def shifted():
        draw = random.Random(f"{seed} {int(time.monotonic() / EVERY)}")
        return real() + draw.choice([0.0, 1.0]) * draw.uniform(-HOURS, HOURS) * 3600

    time.time = shifted
    time.time_ns = lambda: int(shifted() * 1e9)


def fallen(moment):
    """Have the time of day fall back by hours at a moment."""
    real = time.time
    time.time = lambda: real() - (HOURS * 3600 if time.monotonic() >= moment else 0.0)
    time.time_ns = lambda: int(time.time() * 1e9)


def begin():
    """Do what both processes do."""
    if "limit" in TOLD:
        faulthandler.dump_traceback_later(TOLD["limit"], exit=True)
    faulthandler.register(signal.SIGUSR1)
    if "clock" in TOLD:
        jumping(TOLD["clock"])
    if "fell" in TOLD:
        fallen(TOLD["fell"])
    if "silent" in TOLD:
        from telex.adapters.kafka.fetch import fetch_loop, fetcher  # noqa: PLC0415 - slow to import

        fetcher.SILENT, fetch_loop.REPORTING = TOLD["silent"], TOLD["silent"] / 5


def held_up():
    """Change what TELEX_DISTURBED names; after the libraries are there."""
    from dataclasses import replace  # noqa: PLC0415 - the fetching process needs none of it

    from telex.adapters.kafka.consume import open_topics as opening  # noqa: PLC0415
    from telex.adapters.kafka.consume import topic_source as wire  # noqa: PLC0415
    from telex.adapters.kafka.consume.merge import TimestampMerge  # noqa: PLC0415
    from telex.stream.sources.stages import featurizer, limit  # noqa: PLC0415

    real, assign = opening.ProcessFetcher, TimestampMerge.assign

    def fetching(brokers, wanted):
        fetch = TOLD.get("fetch")
        few = (
            {"max_partition_fetch_bytes": fetch, "fetch_max_bytes": 4 * fetch, "max_poll_records": 50} if fetch else {}
        )
        known = {name: TOLD[name] for name in ("ahead", "patience") if name in TOLD}
        return real(brokers, replace(wanted, **known, consumer={**wanted.consumer, **few, **TOLD.get("consumer", {})}))

    def assigned(self, state):
        if self._begun:
            return assign(self, state)
        for row, (topic, number) in enumerate(state.partitions):
            state.ends[row] = TOLD["ends"].get(topic, {}).get(str(number), state.positions[row])
        return assign(self, state)

    opening.ProcessFetcher = fetching
    if "ends" in TOLD:
        TimestampMerge.assign = assigned
    limit.PIECE = wire._AT_ONCE = TOLD.get("piece", limit.PIECE)
    if "pace" in TOLD:
        featurizer.Featurizer.__call__ = slowed(featurizer.Featurizer.__call__, TOLD["pace"])


def slowed(read, seconds):
    """Return a reading that takes this much longer for each item."""

    def slowly(self, items):
        for item in read(self, items):
            time.sleep(seconds)
            yield item

    return slowly


def main():
    """Be the command line."""
    if sys.platform == "linux":  # our parent may be killed, and then nothing waits for us
        ctypes.CDLL(None).prctl(_KILL_WITH_PARENT, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from telex.adapters.cli.main import main as telex  # noqa: PLC0415

    if sys.argv[1:2] == ["consume"]:
        held_up()
    return telex(sys.argv[1:])


begin()
if __name__ == "__main__":
    sys.exit(main())

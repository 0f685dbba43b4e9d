"""A run that follows topics of a real broker, as a process may."""

from __future__ import annotations

from pathlib import Path

from telex.adapters.kafka import Brokers
from telex.adapters.kafka.consume import Order, OrderFile, TopicWire
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.fetch import FetchSettings
from telex.adapters.kafka.fetch.fetcher import ProcessFetcher
from telex.learners import MMP
from telex.stream import Run, Sink
from telex.stream.checkpoints import Checkpoints
from telex.stream.sources import Features


class Closing(Sink):
    """Closes the wire behind the last checkpoint."""

    def __init__(self, wire):
        self.wire = wire

    def close(self):
        self.wire.close()


def run(address, topic, folder, *, limit=None, resume=False, order_of=None):
    """Return a run that keeps its order in ``folder``, and its checkpoints."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    session = {"session_timeout_ms": 6000, "heartbeat_interval_ms": 300}
    wanted = FetchSettings((topic,), f"{folder.name}-{topic}", "learner", consumer=session)
    order = OrderFile(folder / "order.bin", (topic,))
    again = None if order_of is None else Order(order_of)
    wire = TopicWire(ProcessFetcher(Brokers.of(address), wanted), RecordDecoder(), order=order, order_of=again)
    made = Run(
        Features(wire, ahead=True),
        {"mmp": MMP()},
        limit=limit,
        sinks=[order, Closing(wire)],
        points=5,
        checkpoints=Checkpoints(folder / "checkpoints"),
        checkpoint_every=15,
    )
    if resume:
        made.resume()
    return made

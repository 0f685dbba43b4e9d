"""What the shards of divided learners report; the process of the run exports it for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.prometheus.families import counter, gauge
from telex.learners.shards import shards_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.stream.run import RunView


def shards(run: RunView) -> Iterator[Metric]:
    """Yield the figures of each shard, by its number; as long as no learner is divided, families without samples."""
    divided = {name: core for name, learner in run.learners.items() if (core := shards_of(learner))}
    each = [((name, str(part)), one) for name, core in divided.items() for part, one in enumerate(core.figures)]
    names = ("learner", "shard")
    yield gauge(
        "telex_shard_memory_bytes", "Memory of a shard's weights.", [(key, one.bytes) for key, one in each], names
    )
    yield counter(
        "telex_shard_work_seconds_total",
        "Processor time in which a shard has predicted and learnt.",
        [(key, one.seconds) for key, one in each],
        names,
    )
    yield counter(
        "telex_shard_documents_total",
        "Documents that a shard was asked to predict.",
        [(key, one.documents) for key, one in each],
        names,
    )
    yield counter(
        "telex_shard_restarts_total",
        "How often a shard of a learner was lost, and made again.",
        [((name,), core.restarts) for name, core in divided.items()],
        ("learner",),
    )

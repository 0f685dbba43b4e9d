"""A run that has everything that can be exported, and what a scrape of it says."""

import time
from types import SimpleNamespace

from batch_models.models import Centroids
from oracles.streams import zipf

from telex.adapters.kafka.consume import PartitionFigures, TopicFigures
from telex.adapters.kafka.fetch.poll_intervals import PollIntervals
from telex.adapters.kafka.produce import DeliveryFigures, TransactionFigures
from telex.adapters.prometheus import DeliveryCollector, MetricsSink, ReaderMetrics
from telex.adapters.report.live.predicting_server import ServedFigures
from telex.learners import MMP, NB, BatchBuilder, Prior
from telex.learners.base import span
from telex.learners.shards import LocalCrew, divide
from telex.stream import Checkpoints, DeadLetter, Refit, Run
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Source, Wire
from telex.stream.sources.source import SourceInfo

SWAP = {"CCAT": "war", "war": "CCAT", "GCAT": "M14", "M14": "GCAT"}


class Kafka(Wire):
    """A wire with given figures, whose records are ``age`` seconds old."""

    def __init__(self, age=30.0):
        self.now, self.age = TopicFigures(), age

    def __iter__(self):
        return iter(())

    def drop_places_before(self, records):
        pass

    def place(self, records):
        return {}

    def seek(self, place):
        pass

    def figures(self):
        return self.now

    def record_times(self, batch):
        return [time.time() - self.age] * len(batch) if len(batch) == 1 else time.time() - self.age + 0 * batch.times


class Live(Source):
    """A source whose documents come now."""

    info = SourceInfo("a wire", live=True)

    def __init__(self, batches, age=30.0):
        self.batches, self.wire = batches, Kafka(age)

    def __iter__(self):
        return iter(self.batches)


class Results:
    """A sink of results with given figures."""

    now = DeliveryFigures(3, 900, 70, TransactionFigures(2, 0.5, 1, 4.0))

    def delivery_figures(self):
        return self.now


def changing(documents=900):
    """A stream whose labels are exchanged in the middle."""
    stream = zipf(5, documents=documents, features=30, labels=6, unlabelled=0.1)
    half = documents // 2
    return stream[:half] + [(x, y and [SWAP.get(label, label) for label in y]) for x, y in stream[half:]]


def batches(stream, size=50):
    builder = BatchBuilder()
    for i, (x, y) in enumerate(stream):
        builder.add(x, y, id=f"d{i}", time=60.0 * i)
    whole = builder.take()
    return [whole.rows(i, min(i + size, len(whole))) for i in range(0, len(whole), size)]


def everything(folder, **settings):
    """A run of all that has figures, not begun, and its metrics."""
    metrics = MetricsSink(**settings)
    metrics.registry.register(DeliveryCollector(Results()))
    metrics.registry.register(ServedFigures(SimpleNamespace(news=[], replaced=0)))
    polls = PollIntervals()
    for moment in (5.0, 5.2):
        polls.observe(moment)
    assigned = [PartitionFigures("news", 0, 7, 10), PartitionFigures("news", 1, 5, 5)]
    now = TopicFigures(assigned, rebalances=1, polls=polls.counts())
    letters = [DeadLetter(b"?", "news", i, i, "decode", f"line {i} is no JSON") for i in range(3)]
    source = Live([*letters, *batches(changing())])
    source.wire.now = now
    learners = {"mmp": MMP(), "nb": NB(), "model": Refit(Centroids(), every=200, window=300), "prior": Prior()}
    divide("nb", learners["nb"], 2, LocalCrew)
    run = Run(
        source,
        learners,
        sinks=[metrics],
        window=100,
        drift="PageHinkley:threshold=8,min_instances=20,loss=hamming",
        champion="window=40,margin=0.05,least=10",
        checkpoints=Checkpoints(folder),
        checkpoint_every=300,
        lateness=Lateness(after=span("labels-after", "20")),
    )
    return run, metrics


def reader():
    """The metrics of a reader that has everything."""
    figures = TopicFigures([PartitionFigures("news", 0, 7, 10)], rebalances=1)
    metrics = ReaderMetrics()
    metrics.figures = lambda: figures
    now = SimpleNamespace(number=7, documents=70, learnt=60, written=5.0, seconds=0.2)
    metrics.followed = SimpleNamespace(newest=now, written=(8, 80), documents_behind=10, failures=1)
    metrics.answered("/predict", 200, 0.01)
    return metrics


def scraped(registry):
    """Return the value of each series, {(name, ((label, value), ..)): value}."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in registry.collect()
        for sample in family.samples
    }


def of(series, metric, /, **labels):
    """Return the one series of that name that has these labels."""
    found = [value for (n, have), value in series.items() if n == metric and labels.items() <= dict(have).items()]
    assert len(found) == 1, (metric, labels, found)
    return found[0]


def summed(series, metric, /, **labels):
    """Return the sum of all series of that name that have these labels."""
    return sum(value for (n, have), value in series.items() if n == metric and labels.items() <= dict(have).items())

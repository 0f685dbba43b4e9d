"""Families of samples, built for each scrape.

They are values, not instruments: nothing is registered, and they have no ``_created`` series, which
``prometheus_client`` adds to instruments only. So there is no need to change that library's process-wide switch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)

from telex.adapters.prometheus.histogram import Histogram
from telex.stream.text_files import encoded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Rows: TypeAlias = "Iterable[tuple[Sequence[str], float | None]]"
"""The values of the labels, and the value of the sample; None is left out."""


def counter(name: str, what: str, rows: Rows | float, labels: Sequence[str] = ()) -> Metric:
    """Return a counter, whose name ends with ``_total``; a bare number makes one without labels.

    >>> counter("telex_things_total", "Things.", 3).samples[0][:3]
    ('telex_things_total', {}, 3)
    """
    return _filled(CounterMetricFamily(name, what, labels=labels), rows)


def gauge(name: str, what: str, rows: Rows | float | None, labels: Sequence[str] = ()) -> Metric:
    """Return a gauge; a bare number makes one without labels."""
    return _filled(GaugeMetricFamily(name, what, labels=labels), rows)


def histogram(name: str, what: str, found: Mapping[str, Histogram] | Histogram, label: str = "learner") -> Metric:
    """Return a histogram, or one for each value of a label."""
    if isinstance(found, Histogram):
        return HistogramMetricFamily(name, what, buckets=found.buckets(), sum_value=found.sum)
    family = HistogramMetricFamily(name, what, labels=[label])
    for value, one in found.items():
        family.add_metric([_utf8(value)], one.buckets(), one.sum)
    return family


def info(name: str, what: str, facts: Iterable[Mapping[str, str]]) -> Metric:
    """Return an info metric, whose facts are all in its labels; ``_info`` is added to the name."""
    family = InfoMetricFamily(name, what)
    for fact in facts:
        family.add_metric([], {name: _utf8(value) for name, value in fact.items()})
    return family


def _filled(family: CounterMetricFamily | GaugeMetricFamily, rows: Rows | float | None) -> Metric:
    for labels, value in [((), rows)] if rows is None or isinstance(rows, (int, float)) else rows:
        if value is not None:
            family.add_metric(list(map(_utf8, labels)), value)
    return family


def _utf8(label: str) -> str:
    return encoded(label).decode()  # one that cannot be encoded would break the whole page

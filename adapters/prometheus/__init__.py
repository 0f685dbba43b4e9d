"""The metrics of a run for Prometheus.

Read `sink` first, the sink that collects them, and `families`, which makes them. Each other module has the metrics
of one subject: `document_metrics`, `dead_letter_metrics`, `learner_metrics`, `comparison_metrics`, `label_metrics`,
`event_metrics`, `checkpoint_metrics`, `kafka_metrics`. `reader_metrics` has those of a process
that only predicts. `histogram` counts durations, `endpoints` serves everything.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

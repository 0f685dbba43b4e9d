"""Topics as a source: fetched by another process, merged into one order, decoded.

Read `topic_source` first, the source, and `settings`. In the other process `process` runs a `consumer`, which is made
by `client`, polls as `poll_intervals` says, and unpacks batches itself (`batch_unpacking`); `frames` go over a `pipe`
to the `fetcher` on our side. There `merge` puts the records of all partitions into one order, which `order_file`
writes down and `recorded_order` follows on resume. `records` and `decoder` make documents of them, `positions` and
`record_origins` remember where each stood. `open_topics` opens all of it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Topics as a source: fetched records merged into one order, and decoded.

Read `topic_source` first. It puts the records of all partitions into one order: `merge` by their timestamps, from a
`partition_queue` each, or `recorded_merge` as another run recorded it in its `order_file`, with a `recorded_partition`
each. `held_records` and `decoder` make documents of them, as a `record_format` says, which `detected_format` finds by a
sample; `record_reader` reads what is out of the ordinary; `positions` and `record_origins` remember the place of each
record, and `figures` reports the progress. `open_topics` opens all of it, and `looked_topics` only looks.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

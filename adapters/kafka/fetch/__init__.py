"""Fetches records from brokers in a process of its own, which stays a member of the consumer group.

Read `settings` first, `events`, the reports of every poll, and `fetcher`, our end of the other process. There `process`
runs the `fetch_loop`, made of `membership` (which partitions are ours, and where they begin), `log_bounds` (where their
logs begin and end), `flow_control`, `offset_commit`, `broker_watch` and `poll_intervals`. `client` makes the consumer
of kafka-python, and `record_batches` has it return each `record_set` as columns. `pipe` passes the events between the
processes.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

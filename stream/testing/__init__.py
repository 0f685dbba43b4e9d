"""Tools for tests of a sink, a source or a run: public as ``telex.testing``, for other packages too.

Read `list_archive` first, a source made of a list; then `recording_sink`, which records every call of a run, and
`crash_at`, which has the n-th write, fsync or rename fail. ``telex.testing`` also has `FakeFetcher`, which stands in
for Kafka and lives with it, in ``telex.adapters.kafka``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

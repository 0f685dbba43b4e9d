"""A small web server beside a run, for metrics and pages, and for predictions from its checkpoints.

Read `server` first: it accepts connections, and `connections` ends the oldest one where there are too many. `exchange`
reads a request and sends the answer, within the `limits` of one client; `host_names` says under which names it answers,
`password` who may ask. `pages` declares what is served, and a `page_maker` makes the pages of one path. `run_snapshots`
lets another thread look at a run between two documents. `predict_page` answers documents that are sent, by the
`predict_endpoint`. A `server_process` serves beside the run, which makes its pages over a `relay`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

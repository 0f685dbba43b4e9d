"""Learners that are fitted on a window of the newest documents, again and again, while the stream continues.

Read `refit` first, the learner; `controller` decides by the `schedule` when a fit is due, and `worker` fits in another
process. `window` holds the documents (in an `array_queue`), `current_model` answers until a newer one is ready,
`provenance` remembers on which documents a model was fitted, and `event_clock` keeps event time over several passes.
`status` and `outcome` are reported. `sliding_boosting` is the learner that renews a committee from window to window.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

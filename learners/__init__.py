"""The learners: they predict and learn batches of documents, and know nothing of files, brokers, clocks or screens.

A learner of streams meets the protocol in `learner`, one that is fitted on a window the protocol in `batch_learner`.
Read `base` first, which has the data that everything is made of; then `river_estimator` and `native_learner`, on which
the learners of the papers stand: `br`, `mmp`, `mlpp`, `nb`, those with margins (`arow`, `pa`, `logistic`, `uneven`),
`chain`, `plt` and the baselines `prior` and `last`. Rooms of their own have `losses`, `boosting`, `selection` of
features, `thresholds`, which decide predicted sets, and `trees` of labels. `registry` finds learners and losses by
name. A learner of your own begins with `per_document`, which asks for two methods.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

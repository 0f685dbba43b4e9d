"""Learning curves: losses summed over all documents and over the last window, exact however the stream was cut.

Read `exact_means` first, the sums, then `curve`, which has one for each loss of a learner, and `point`, the figures of
all learners at one document. `label_table` shows the counts per label.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

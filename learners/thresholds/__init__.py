"""Which labels are predicted, and how probable they are: decided after a learner has scored them.

Read `thresholded` first, the learner around another learner; `fitted_thresholds` is the same around a batch learner.
Both use a `decider`: `score_bins` has what is learnt of scores, and `set_sizes` what is learnt of how many labels a
document has; with `tree=project` the sets then go through `Projection` of `telex.learners.trees`. `asked_answers` asks
a learner just before each answer.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

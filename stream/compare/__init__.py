"""Which learner is better, by how much, and since when. docs/compare.md says exactly how.

Read `comparison` first, the comparison of learners while documents come; it builds on `confidence_sequence` (bounds
that hold at all times) and `running_sums`, and `pair_leads` what it finds. `live_comparison` makes the one of a run.
`holm`, `wald` and `wilcoxon` are the tests for a run that is over, `resampled_t` is one over folds, and `friedman` one
over collections.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

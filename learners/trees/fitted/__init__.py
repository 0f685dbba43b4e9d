"""Batch learners along a tree of labels, fitted on a window of documents.

Read `tree_window` first, the documents as they are fitted, and `tree_model`, what all models have in common. `svm` and
`hrls` stand on `node_classifiers`. `hm3` is a maximum margin Markov network: `margin_solver` solves its problem,
`hm3_forms` has weights or a kernel, and `marginals` is where the next fit begins.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

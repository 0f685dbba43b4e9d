"""Trees of labels: a topic has a parent, and a document of a topic is one of its ancestors too.

Read `tree` first, the labels and their parents. `best_labelling` finds the best set of labels that the tree allows,
and `node_weights` what a mistake at each node counts. The losses `l_h`, `l_htilde`, `hierarchical_f1` and `invalid`
compare predictions along the tree; `mistakes` is what they share.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

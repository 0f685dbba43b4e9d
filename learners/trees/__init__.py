"""Trees of labels: a topic has a parent, and a document of a topic is one of its ancestors too.

Read `tree` first, the labels and their parents; `node_weights` says what a mistake at each node counts. Losses along
the tree are in `hierarchical_loss`, `hierarchical_f1` and `invalid`, by way of `marked_nodes`, and `tree_losses` lists
them. Learners are `hm3`, and on `node_classifiers` `svm` and `hrls`; `tree_window` has documents as they are fitted.
`hrls_online` learns a stream, whose label sets `closed_labels` closes. `projection` makes the sets of any learner
closed. `uses_tree` hands the tree of a run to its learners, and `closed_sets` closes the label sets of batches.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

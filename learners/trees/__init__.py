"""Trees of labels: a topic has a parent, and a document of a topic is one of its ancestors too.

Read `tree` first, the labels and their parents; `node_weights` says what a mistake at each node counts. Losses along
the tree are in `hierarchical_loss`, `hierarchical_f1` and `invalid`, by way of `marked_nodes`, and `tree_losses` lists
them. `closed_sets` closes the label sets of batches, `projection` the predicted sets of any learner. `hrls_online`
learns a stream, whose label sets `closed_labels` closes; batch learners are in `fitted`. `uses_tree` hands the tree of
a run to its learners.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""The data types of every layer: batches of documents, predictions, names, states and errors.

Read `batch` first: documents as flat arrays, the only form in which learners get them. `predictions` has what learners
return, `tie_order` the order of equal scores, `contributions` what speaks for a score. `names` numbers features and
labels, `strings` stores texts in arrays, `label_sets` saves sets of labels, and `recycled_ids` follows feature ids that
go to other terms, as does `feature_keys`, which names the features of learners in Python. `savable` defines what a
checkpoint can store, `plain_attributes` stores any object of plain ones, `errors` what Telex raises, `array_types` the
types of arrays. `span` reads "5000" or "2h", `plain_file` refuses pipes, `background` runs work beside the stream, a
process of Telex's own ends by `end_with_parent`, and `terminal_text` makes any text harmless on a terminal. Nothing in
here imports another room.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""What everything is made of: batches of documents, predictions, names, states and errors.

Read `batch` first: documents as flat arrays, the only form in which learners meet them. `predictions` is what learners
answer, `tie_order` the order of equal scores, `contributions` what speaks for
a score. `names` and `strings` number texts, `label_sets` keeps sets of labels; `recycled_ids` follows the features
whose ids are given to other terms. `savable` says what a checkpoint can keep, `errors` what Telex raises,
`arrays` the types of arrays, `span` reads "5000" or "2h", `background` runs work behind the stream. Nothing in here
imports another room.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

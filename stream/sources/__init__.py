"""Where documents and their answers come from: archives, and sources, which make batches of them.

Read `stories` (texts), `arrivals` (answers among documents) and `source` (what an archive and a source are) first.
`archive_source` makes a source of an archive; what its documents pass on the way is a list of `stages`. `iterated`
makes a source of batches at hand. `cutting` cuts the texts of a stream into the words that are stored of them, and
`cut_stories` are stories that came so. A broken record is a `dead_letter`, and a `position` is a place in a source from
which it can resume. `record_budget` says how much a record may hold, and `record_check` checks it. `train_test` finds
the first document that only tests, and `tree_labels` looks at labels beside a tree. `frozen_features` makes the
features of other documents as of a checkpoint.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

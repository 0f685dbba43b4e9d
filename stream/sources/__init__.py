"""Where documents and their answers come from, and what happens to them before a learner sees them.

Read `stories` (texts), `arrivals` (answers among documents) and `source` (what a source is) first, then `pipeline`,
the stages on the way from an archive to batches, in order, and `stage`, what each of them is. They are
`duplicate_ids`, `tokenised`, `repeated_texts`, `limit`, `featurizer` with `feature_products` and `label_encoder`, and
`read_ahead`, a thread for what is before it; a broken record becomes a `dead_letter`. `features` makes a source of an
archive and its pipeline, `iterated` of batches at hand. A file is read as `raw_lines`, and `order_keys` with
`scratch_file` brings its records into order of time. `position` says where a source stands, and `skip_ahead` reads up
to there again. `train_test` finds the first document that only tests. `renumber` and `frozen_features` serve models
that were learnt on other tables.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

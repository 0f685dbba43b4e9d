"""The stages that documents pass on the way from an archive to the batches that learners see.

Read `stage` first, what each of them is, then `pipeline`, which lists them in order: `check_records` (against the
budget), `read_ahead` (a thread for the stages before it), `duplicate_ids`, `skip_ahead` (on resume), `tokenised`,
`limit`, `revised_ids`, `repeated_texts`, `featurizer` with `label_encoder`, `scale` with `scaler`, `feature_products`
and `bias`.
`renumber` brings batches into the tables of a run that another begins from.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

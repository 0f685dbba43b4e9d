"""The way a document takes: source, words, features, test-then-train, losses, curves, sinks.

Read the rooms in this order. `raw_records` puts the records of files in order, `sources` makes batches of documents
and answers, and `words` makes features of texts. `run` asks each learner for a prediction, judges it, and lets the
learner learn; `curves` sums the losses. `delayed_labels` lets documents wait for answers that come later, `monitor`
watches losses for drift and for a champion, `refit` fits models of windows in another process. `checkpoints` and
`run_folder` stay on disk, and `predict` predicts from them. `compare` shows which learner is better, `crossval`
cross-validates, `newswire` makes documents up, and `river_codec` stores objects of river without pickle. `text_files`
reads and writes the text and the JSON of all.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

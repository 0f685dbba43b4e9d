"""One learner made of shards, each of which has some of the labels, or of the pairs of labels, in a process of its own.

Read :mod:`.divisions` (what each kind of learner can be divided by), :mod:`.work` (what all shards get of a call),
:mod:`.shard` (one of them) and :mod:`.sharded_core` (what stands in the learner in the place of its core). Who runs the
shards is a :class:`~telex.learners.shards.crew.Crew`; that of Ray is in ``adapters/ray``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

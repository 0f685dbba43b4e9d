"""Scale-out over Ray (extra ``ray``): shards of learners as actors, fits and folds as tasks.

Read :mod:`.cluster`, which joins a cluster that is there; :mod:`.shard_crew`, the actors of one learner and how a lost
one comes back; :mod:`.task_fitter`, fits on other machines; and :mod:`.engine`, which ``--engine ray`` is.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

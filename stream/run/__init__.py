"""The loop: predict, judge, learn; for several learners side by side, until the stream ends or the run is stopped.

Read `run` first, then `step`, the inner loop, and `sink`, what hears of it. `source_reader` takes documents from the
source, `section` counts a training or test section, `point_schedule` says where curves have points, `summary` closes.
`run_state` keeps a run and takes it up again, and `branch` begins one with the learners of another. `explain` shows
people the stages of a run.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

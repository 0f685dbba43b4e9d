"""The loop: predict, judge, learn; for several learners side by side, until the stream ends or the run is stopped.

Read `loop` first, which takes a run through its source, then `stepper`, what happens at each step, and `step_result`
and `sink`, who hears of it. `run` is what others make and iterate; sinks see it as a `view`. `settings` decides a run,
`run_state` is what of it changes, with its `progress` and its `section`s. `source_reader` reads the source, `commit`
makes checkpoints, `point_schedule` says where curves have points. `summary` and `explain` are for people, and `branch`
begins a run with the learners of another.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

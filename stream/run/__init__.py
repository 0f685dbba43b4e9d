"""The loop: predict, judge, learn; for several learners side by side, until the stream ends or the run is stopped.

Read `loop` first, which takes a run through its source. `stepper` does one step, and `step_result` is what each `sink`
gets of it. `run` is the class that callers make and iterate; sinks see it as a `view`. `settings` are fixed from the
start; `run_state` is what changes, with its `progress` and its `section`s. `source_reader` reads the source, `commit`
writes checkpoints, `point_schedule` says where curves have points. `summary` and `pipeline_lines` are for people, and
`from_checkpoint` begins a run with the learners of another. `earlier` knows what learners were before they got a
parameter.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

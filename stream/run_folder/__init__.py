"""The files that a run leaves behind, and what can be read from them.

Read `run_folder` first, the sink that writes them; `file_sink` has most files, and `label_history_csv`, `losses_bin`
and `predictions_jsonl` one each. `losses_reader` reads the losses of documents back, from which `pairs` and
`comparisons` say which learner was better.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

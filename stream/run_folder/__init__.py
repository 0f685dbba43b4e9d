"""The files that a run leaves behind: their writers, their readers, and comparisons of learners by them.

Read `run_folder` first, the sink that writes them all. Each file has a module of its name, with the names of the file
and its columns, the writer and the reader: `curves_csv`, `epochs_csv`, `labels_csv`, `label_history_csv`, `speed_csv`,
`events_jsonl`, `dead_letters_jsonl`, `losses_bin`, `run_json` (with `tree_fact`), and `predictions_jsonl`, which may
lie anywhere. `file_sink` is what writers share, `file_reader` what readers share. `output_file` is how every command
writes a file that a user names: whole, never over another, and alone. `pair_tests` and `all_comparisons` compare
learners by the losses.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

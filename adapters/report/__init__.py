"""The results of a run as a page: a file, or live during the run.

Read `report` first, then `run_data`, which brings together what the page shows: `curve_data` (with `thinned_points`),
`label_data`, `tree_data`, `comparison_data`, `crossval_data`, `speed_data`, `word_data` and `dead_letter_data`. `page`
puts data and script into one file. `live` serves the same page during a run. `shown_run` is what one glance at a run
takes in; a notebook shows that by `html_view`, and a whole report by `report_page`. `reproductions_page` has the
papers' tables and figures, and no script.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

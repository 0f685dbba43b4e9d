"""What a run leaves behind, as a page to look at: a file that stands alone, or live beside the run.

Read `report` first, then `run_data`, which brings together what the page shows: `curve_data` (with `thinned_points`),
`label_data`, `comparison_data`, `crossval_data`, `speed_data`, `word_data` and `dead_letter_data`. `page` puts data and
script into one file. `live` serves the same page while a run goes on.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

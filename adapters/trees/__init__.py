"""Trees of labels from files.

`tree_file` reads one, in any of four forms, and `tree_setting` is what ``--tree`` says: a file, or how labels are paths.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

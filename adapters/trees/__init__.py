"""Trees of labels from files.

`tree_file` reads one, in any of four forms.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Pictures by matplotlib, for papers: learning curves (`curves`), cross-validations (`crossval`), passes (`passes`).

Those of `curves` and `passes` are one file each, which `picture_file` writes.

matplotlib is the extra ``plots``, and is imported only where a picture is drawn.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

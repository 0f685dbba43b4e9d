"""Pictures by matplotlib, for papers.

`curves` draws learning curves, `crossval` cross-validations, `passes` passes of a fit, `panels` bars and lines.
Those of `curves`, `passes` and `panels` are one file each, which `picture_file` writes.

matplotlib is the extra ``plots``, and is imported only where a picture is drawn.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Coverings of labels for AdaBoost.LC: which labels count as right or wrong together.

Read `coverings` first, the table of coverings by name. `from_files` reads them from label sets or a tree of topics,
`cover_sets` and `set_groups` compute losses, errors and weights for one covering and for many sets at once.
`covering_loss` is the error of any covering for curves and tables.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

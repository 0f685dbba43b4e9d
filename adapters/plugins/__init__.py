"""Makes the tables of formats and reproductions, for which each module declares its own line.

`module_constants` reads those lines without importing the modules, so that listing them stays quick.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

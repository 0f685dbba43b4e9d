"""ARFF files, as MEKA and Clus write them.

Read `arff` first, the format; `header` reads the attributes, `rows` the documents.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

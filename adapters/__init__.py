"""The outside world, both ways.

Documents come from `formats` (files) and `kafka`; `publish` plays an archive into topics or files. A run is shown by
`terminal`, `prometheus` (with the server in `http`), `report` (a page) and `plots`. Learners of other libraries come
in by `river` and `sklearn`. `reproductions` makes the tables of the papers again, `cli` is the command line,
`front_door` is what ``import telex`` gives, and `plugins` reads what the modules of a folder declare of themselves.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

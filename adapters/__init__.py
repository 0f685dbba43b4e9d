"""What connects Telex with the outside world.

Documents come from `formats` (files) and `kafka`; `publish` plays an archive into topics or files. `terminal`,
`prometheus` (with the server in `http`), `report` (a page) and `plots` show a run. `river` and `sklearn` make learners
of the classifiers of other libraries. `reproductions` makes the tables of the papers again, `cli` is the command line,
`front_door` is what ``import telex`` gives, and `plugins` reads what the modules of a folder declare about themselves.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

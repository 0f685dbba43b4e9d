"""A newswire without news: documents made up from a seed, as many as wanted.

Read `settings` first, then `newswire`, which writes the documents. `world` makes their topics, `language` their words,
`clock` their times.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

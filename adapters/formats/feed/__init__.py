"""RSS and Atom, from files or from an address that is polled.

Read `rss` first, the format; `entries` turns a feed into documents, `polled_url` fetches it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

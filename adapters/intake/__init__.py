"""What a run is fed: files that come one after the other, and that a run learns as one stream.

Read `intake` first, the list of the files, which is on the disk before any of them is read. `fed_content` says what of
a file is new, `fed_files` makes a wire of the list, and `watched_folder` waits for files.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

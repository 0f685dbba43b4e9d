"""Checkpoints: what a run stores so that it can resume after any kill.

Read `writer` first: the files, their checksums, and the order of writes that makes a checkpoint whole or absent; then
`reader`, and `store`, the folder that holds the newest few; `damaged` renames those that a run passes over. `policy`
says when a run writes one. `version_1` reads the checkpoints of older runs. `preallocation` allocates memory for the
copy of the state. `snapshot` opens a checkpoint read-only, without the run; `inspect` and `decisive_terms` show what is
in it. `remote_run` copies those at a URL.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

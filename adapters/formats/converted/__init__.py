"""Documents as plain arrays: what ``telex convert`` writes, and the format that reads it.

Read `layout` first, what is where in a file; docs/definitions.md ("Converted documents") has it in words. Then
`converted_file`, which writes one, and `mapped_file` and `converted`, which read it. `sound_documents` are what is
written.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

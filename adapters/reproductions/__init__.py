"""Makes the tables and figures of the papers again: each module returns plain data, and lines that show them.

A reproduction is one module of this folder, and named like it (with - for _). ``TITLE``, in one line, says what it is
and on which collection; ``reproduce(data, progress)`` takes the folder of the collections, calls ``progress`` with a
sentence at each step, and returns plain data; ``lines(found)`` shows them, and ``picture(found, path)``, where there
is one, draws them. ``TAKES``, in one line, lists the SETTINGS that ``reproduce`` also takes by name, with their
defaults; ``misses(found)`` says what does not agree with the paper, and what was tried. One of another package is a
module too, named by an entry point of the group ``telex.reproductions``.

`catalogue` finds them, and `everything` makes several, for the page of all.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Makes the tables and figures of the papers again: each module returns plain data, and lines that show them.

A reproduction is one module here or in the room of its paper, and has their names: ``hm3/table1.py`` is hm3-table1.
``TITLE``, in one line, says what it is and on which collection; ``reproduce(data, progress)`` takes the folder of the
collections, calls ``progress`` with a sentence at each step, and returns plain data; ``lines(found)`` shows them, and
``picture(found, path)``, where there is one, draws them. ``TAKES``, in one line, lists the SETTINGS that ``reproduce``
also takes by name, with their defaults; ``misses(found)`` says what does not agree with the paper, and what was tried.
One of another package is a module too, named by an entry point of the group ``telex.reproductions``.

`catalogue` finds them, `made` makes one, and `side_by_side` several at once, for the page of all. Papers with more
than one have rooms: `hm3` (H-M3), `lc` (AdaBoost.LC), `mlpp` (MLPP) and `mpboost` (MP-Boost). `modapte` and `lyrl2004`
split Reuters-21578 and RCV1 as the papers do.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

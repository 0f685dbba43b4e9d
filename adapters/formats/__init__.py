"""File formats, found by name or by content.

A format is a subclass of :class:`telex.stream.sources.Archive`. Its constructor takes a list of paths and keyword
options. The class has ``summary`` (one line), ``options`` (name to one line) and the class method ``recognises(head,
path)``; a format whose collection is divided into a training and a test part also has ``splits`` (see
:func:`open_split`).

A module of this folder declares its formats in one line, ``FORMATS = {"csv": ("Delimited", 110)}``: the name, the
class and its place. Files are recognised by content in the order of the places. Other packages add formats through the
entry point group ``telex.formats``; theirs come last.

Read `open` first, then `chosen_format`, which finds a format among the `known_formats`; then `svmlight`, the shortest
for features, and `newsml`, one for texts. The rest are a module each, or a room where they need more: `jsonl`, `arff`
and `feed`. `fold_file` reads the folds of a cross-validation, `tree_file` a tree of labels. What
formats share is in `reading`, and for tables in `tables`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

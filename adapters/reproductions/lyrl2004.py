"""RCV1's vectors in the LYRL2004 split, or a split like it of whatever part of them there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.formats import open_archive
from telex.adapters.reproductions.catalogue import collection
from telex.adapters.reproductions.modapte import Parts
from telex.learners.base import UsageError
from telex.stream.crossval import Corpus

if TYPE_CHECKING:
    import os

_VECTORS = "lyrl2004_vectors*.dat*"


def lyrl2004(data: str | os.PathLike[str]) -> Parts:
    """Read RCV1's vectors, in order of id: the documents of ``lyrl2004_vectors_train.dat`` train, all others test.

    Where that file is not there, the first three in five train.
    """
    folder = collection(data, "rcv1", _VECTORS)
    paths = sorted(folder.glob(_VECTORS))
    whole = Corpus.read(open_archive(paths)).batch
    training = [path for path in paths if "_train." in path.name]
    train = len(Corpus.read(open_archive(training))) if training else len(whole) * 3 // 5
    if not 0 < train < len(whole):
        raise UsageError(f"{folder} lacks documents that train, or that test; give some of each, with their qrels")
    return Parts(whole.rows(0, train), whole.rows(train, len(whole)))

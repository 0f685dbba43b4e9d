"""RCV1 as MLPP's paper has it: tokens in order of time, tf-idf of the training part, the newest third to test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.adapters.formats import LyrlTokens
from telex.adapters.reproductions.catalogue import collection
from telex.adapters.reproductions.mlpp.learners import SCALE
from telex.learners.base import UsageError
from telex.stream.crossval import Corpus

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from telex.learners.base import Batch

TRAIN, ALL = 535_987, 804_414
"""The documents that train in the paper, and all of them: also the share that trains where there are fewer."""
_TOKENS = "lyrl2004_tokens*.dat*"
_WEIGHT = "ntc"


class Newest(NamedTuple):
    """Documents in the order in which they came: the first train, the newest test."""

    train: Batch
    test: Batch

    def settings(self, **chosen: int) -> dict[str, Any]:
        """Return what is said of a reproduction: its documents, and the settings that were ``chosen``."""
        return {
            "collection": "RCV1", "train": len(self.train), "test": len(self.test), "of the paper's": ALL,
            "labels": len(self.train.label_names), "features": f"{_WEIGHT}, {len(self.train.feature_names)} terms",
            "weights": f"random in [-{SCALE}, {SCALE})", **chosen,
        }  # fmt: skip


def read_newest(data: str | os.PathLike[str], terms: int, progress: Callable[[str], None]) -> Newest:
    """Read all token files of RCV1 in ``data``, in order of id, which is that of time in the whole collection.

    The ``terms`` of highest document frequency in the training part, and their idf there, make the features.
    """
    progress("reading RCV1")
    files = sorted(collection(data, "rcv1", _TOKENS).glob(_TOKENS))
    documents = Corpus.read(LyrlTokens(files), text={"weight": _WEIGHT, "terms": str(terms)})
    train = round(len(documents) * TRAIN / ALL)
    if not 0 < train < len(documents):
        raise UsageError(
            f"RCV1 in {data} has {len(documents)} documents with topics, too few to train and test; it needs three, "
            "and a qrels file that names them"
        )
    whole = documents.features(np.arange(train, dtype=np.int32))
    return Newest(whole.rows(0, train), whole.rows(train, len(whole)))


def smaller(found: dict[str, Any]) -> list[str]:
    """Say that the documents are not all of RCV1, where they are not; figures are then others than the paper's."""
    settings = found["settings"]
    here = settings["train"] + settings["test"]
    if here == ALL:
        return []
    return [
        f"These are {here:,} of the paper's {ALL:,} documents: learners have seen {settings['train']:,} where the "
        f"paper's have seen {TRAIN:,}, so that errors are larger, those of rare labels most. The order of ids stands "
        "for that of time. The same command takes the whole collection."
    ]

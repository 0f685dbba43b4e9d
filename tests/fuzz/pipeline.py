"""The whole way from bytes to batches: a format found by content, words as features, repeated stories left out."""

from __future__ import annotations

from checks import drained
from formats import FOLDER

from telex.adapters.formats import open_archive
from telex.learners.base import TelexError
from telex.stream.sources import Features

TEXTS = (
    "",
    "vocabulary=bounded,size=3,halflife=2,idf=decayed",
    "vocabulary=hashed,size=7,weight=Lou,tokens=alnum",
    "products=true,tokens=blanks,stop=none,idf=windowed,window=2",
)
SEVERAL = [(text, duplicates) for text in TEXTS for duplicates in ("keep", "skip")]


def pipeline(data: bytes) -> None:
    """Read what is found by content; the length of the data says how."""
    path = FOLDER / "pipeline"
    path.write_bytes(data)
    text, duplicates = SEVERAL[len(data) % len(SEVERAL)]
    try:
        drained(Features(open_archive([path]), text, duplicates, unique_ids=True))
    except TelexError as error:
        assert str(error)  # noqa: PT017

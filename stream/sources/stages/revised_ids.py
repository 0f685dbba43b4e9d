"""Documents that come again under the same id with another text: newer versions of news."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Names, Strings, UsageError
from telex.stream._versions import Versions, hashes
from telex.stream.sources.arrivals import RecordPlace, Revisions, without_rows
from telex.stream.sources.dead_letter import REVISED
from telex.stream.sources.stages.duplicate_ids import duplicate_letter
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telex.learners.base import Ids, Keys, State
    from telex.stream.sources.dead_letter import DeadLetter
    from telex.stream.sources.source import DocumentRecords, Wire
    from telex.stream.sources.stages.tokenised import Tokenised

REVISIONS = ("replace", "predict", "skip")
"""What becomes of a newer version, the usual one first."""
_SAME, _REVISED = 1, 2  # as in versions.cpp, where a new id is 0


class RevisedIds(Stage):
    """Tells the stories of a wire whose id came before among the last ``window`` ids.

    One with the title, text and labels of the newest version is a duplicate, a dead letter. Any other is a newer
    version, and the wire's ``revisions`` say what becomes of it: ``replace`` and ``predict`` let it pass with the place
    of the version before it, ``predict`` without its labels; ``skip`` makes it a dead letter of a stage of its own,
    with its record. Ids and contents are compared by 64 bits of hash; memory holds at most 48 bytes for each id of the
    window, and positions 28.
    """

    name, takes, gives = "revisions", "Tokenised", "Tokenised"

    def __init__(self, wire: Wire, window: int = 1_000_000) -> None:
        if wire.revisions not in REVISIONS:
            raise UsageError(f"revised={wire.revisions}: give one of {', '.join(REVISIONS)}")
        self._policy, self._title = wire.revisions, wire.title
        self.summary = f"an id that came before: a duplicate is a dead letter, a newer version: {self._policy}"
        self._versions = Versions(window)
        self._records = wire.follow_records(whole=self._policy == "skip")
        self._partitions = Names()

    def each(self, item: Any) -> Iterator[Any]:
        """Yield documents in stretches, and letters between them."""
        if not len(item):
            yield item
            return
        found = self._records.columns(list(item.ids))
        partitions = self._numbered(found)
        ids = (item.ids.data, np.ascontiguousarray(item.ids.offsets))
        kinds, older, offsets = self._versions.take(ids, _contents(item.documents), partitions, found.offsets)
        revised = np.flatnonzero(kinds == _REVISED)
        out = kinds == _SAME
        if self._policy == "skip":
            out |= kinds == _REVISED
        elif len(revised):
            places = [self._place(one, at) for one, at in zip(older[revised], offsets[revised], strict=True)]
            learnt = self._policy == "replace"
            item = replace(item, revised=Revisions(revised.astype(np.int32), places, learnt))
            if not learnt:
                item = replace(item, documents=_unlabelled(item.documents, set(revised.tolist())))
        for piece in without_rows(item, np.flatnonzero(out).tolist()):
            if not isinstance(piece, int):
                yield piece
            elif kinds[piece] == _SAME:
                yield duplicate_letter(item.ids[piece], self._title)
            else:
                yield self._skipped(found, piece, item.ids[piece], self._place(older[piece], offsets[piece]))

    def _numbered(self, found: DocumentRecords) -> Ids:
        """Return the number of each document's partition in a table of our own."""
        keys, which = np.unique(np.stack([found.places, found.partitions]), axis=1, return_inverse=True)
        known = [self._partitions.id(f"{found.topics[topic]}/{number}") for topic, number in keys.T.tolist()]
        return np.array(known, np.int32)[which.ravel()]

    def _place(self, partition: Any, offset: Any) -> RecordPlace:
        topic, _, number = str(self._partitions[int(partition)]).rpartition("/")
        return RecordPlace(topic, int(number), int(offset))

    @staticmethod
    def _skipped(found: DocumentRecords, row: int, name: str, older: RecordPlace) -> DeadLetter:
        shown = json.dumps(name, ensure_ascii=False)
        return found.letter(row, REVISED, f"a newer version of document {shown}, which was at {older.text}")

    def save(self) -> State:
        """Return the hashes of ids and contents, and the places of the records."""
        columns = zip(("ids", "contents", "partitions", "offsets"), self._versions.save(), strict=True)
        return {"versions": {**dict(columns), "named": self._partitions.save()}}

    def load(self, state: State) -> State:
        """Restore them; a run of an earlier Telex has hashes of ids alone, whose documents count as duplicates."""
        saved = state.get("versions")
        ids = np.ascontiguousarray(state["ids"] if saved is None else saved["ids"], np.uint64)
        columns: list[Any] = [np.zeros(len(ids), kind) for kind in (np.uint64, np.int32, np.int64)]
        if saved is not None:
            columns = [saved[name] for name in ("contents", "partitions", "offsets")]
            self._partitions = Names.of(saved["named"])
        self._versions.load(ids, *map(np.ascontiguousarray, columns))
        return state


def _contents(documents: Tokenised) -> Keys:
    """Return a hash of the title, the text and the labels of each story."""
    stories: Any = documents.stories
    labels = ["\n" if one is None else "\0".join(sorted(one)) for one in stories.labels]
    columns = (stories.titles, stories.texts, labels)
    as_strings = [column if isinstance(column, Strings) else Strings.of(column) for column in columns]
    return hashes([(one.data, np.ascontiguousarray(one.offsets)) for one in as_strings])


def _unlabelled(documents: Tokenised, rows: set[int]) -> Tokenised:
    stories: Any = documents.stories
    labels: Sequence[Any] = [None if row in rows else one for row, one in enumerate(stories.labels)]
    return replace(documents, stories=replace(stories, labels=labels))

"""Cuts the texts of a whole stream into numbered words, to be stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import Names, Strings
from telex.stream.sources.cut_stories import CutStories, Terms, tokens_of
from telex.stream.sources.stages import LabelEncoder

if TYPE_CHECKING:
    from telex.learners.base import Ids
    from telex.stream.sources.stories import Stories
    from telex.stream.words import Tokens, Words


class Cutting:
    """Turns stories, in the order of the stream, into :class:`CutStories` over tables that grow.

    ``names`` are the words so far, in the order in which they came first. The stories have an empty table of terms in
    its place: whoever stores them stores the names.
    """

    def __init__(self, words: Words) -> None:
        self._words, self._labels = words, LabelEncoder()
        self.names, self._terms = Names(), Terms(Strings.of(()))
        self._last: Tokens | None = None
        self._numbers: Ids = np.zeros(0, np.int32)  # of the terms by which the last tokens are numbered

    def __call__(self, stories: Stories | CutStories) -> CutStories:
        """Return stories, whose texts are yet to be cut or were cut by another, over the tables here."""
        tokens = tokens_of(self._words, stories)
        label_indptr, label_ids, labelled = self._labels.rows(stories.labels)
        return CutStories(
            ids=stories.ids,
            times=stories.times,
            titles=stories.titles if isinstance(stories, CutStories) else Strings.of(stories.titles),
            words=self._numbered(tokens),
            bounds=tokens.bounds,
            fingerprints=tokens.fingerprints,
            label_indptr=label_indptr,
            label_ids=label_ids,
            labelled=labelled,
            label_names=self._labels.names,
            terms=self._terms,
        )

    def _numbered(self, tokens: Tokens) -> Ids:
        # Words forget tokens now and then, and number their terms anew.
        known = self._numbers if self._last is not None and tokens.continues(self._last) else self._numbers[:0]
        new = [self.names.id(name) for name in tokens.names(len(known))]
        self._last, self._numbers = tokens, np.concatenate([known, np.array(new, np.int32)])
        numbered: Ids = np.append(self._numbers, np.int32(-1))[tokens.terms]  # -1 stays -1
        return numbered

"""All documents of an archive in memory, with features made from the words of any part of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.stream.crossval.gathered_documents import GatheredDocuments
from telex.stream.sources import Arrivals, CutStories, Stories, TreeLabels, check_ancestors, text_settings
from telex.stream.sources.stages import Bias, FeatureProducts, Scaler
from telex.stream.words import make_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base import Batch, Ids
    from telex.learners.trees import Tree
    from telex.stream.sources import DeadLetter


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """The answered documents of one or more archives, in their order, in memory.

    ``batch`` has their answers, ids and times, and their features if they came as features; ``titles`` and ``texts``
    are those of stories, else empty; stories that were ``cut`` before have no texts. ``ends`` says after how many
    documents each archive ended. ``unlabelled`` counts documents without an answer, ``duplicates`` documents that
    repeat an earlier one under another id; ``letters`` are the records that could not be read. None of these are among
    the documents, except duplicates if these are not skipped.
    """

    batch: Batch
    titles: list[str]
    texts: list[str]
    ends: tuple[int, ...]
    settings: dict[str, Any]
    scaling: str
    dense: bool
    bias: bool
    unlabelled: int
    duplicates: int
    letters: tuple[DeadLetter, ...]
    cut: CutStories | None = None
    along: Mapping[str, Any] = field(default_factory=dict)
    """What :meth:`~telex.stream.sources.TreeLabels.figures` returns; empty without a tree."""

    def __len__(self) -> int:
        return len(self.batch)

    @classmethod
    def read(
        cls,
        *archives: Iterable[Any],
        text: str | Mapping[str, Any] = "",
        features: str = "auto",
        bias: bool = False,
        duplicates: str = "keep",
        limit: int | None = None,
        strict: bool = False,
        unique_ids: bool = False,
    ) -> Corpus:
        """Read ``archives`` to their ends, or to the first ``limit`` documents of each.

        With ``unique_ids`` an id that comes again is a dead letter.

        ``features`` and ``bias`` are those of :class:`~telex.stream.Features`. ``text`` holds settings of
        :class:`~telex.stream.words.Words`. ``fit`` is refused, as words are fitted on each training part, and so is a
        bounded vocabulary, as nothing is forgotten here.

        >>> from telex.stream.sources import Story, StoryBuilder
        >>> stories = StoryBuilder()
        >>> for name, text, labels in [("1", "Gold falls", ["metals"]), ("2", "Cup", None), ("3", "Wheat", ["grain"])]:
        ...     stories.add(Story(name, text, labels=labels))
        >>> documents = Corpus.read([stories.take()], text="weight=tf")
        >>> list(documents.batch.ids), documents.unlabelled
        (['1', '3'], 1)
        >>> list(documents.features(np.array([0])).feature_names)
        ['fall', 'gold']
        """
        gathered = GatheredDocuments(text_settings(text), duplicates, limit, strict, unique_ids)
        for archive in archives:
            gathered.read(archive)
        batch, cut = gathered.batch(), [one for one in gathered.stories if isinstance(one, CutStories)]
        return cls(
            replace(batch, numbers=np.arange(len(batch), dtype=np.int64)),
            [title for one in gathered.stories for title in one.titles],
            [text for one in gathered.stories if isinstance(one, Stories) for text in one.texts],
            tuple(gathered.ends),
            gathered.settings,
            gathered.scaling if features == "auto" else features,
            gathered.dense,
            bias,
            gathered.documents - gathered.answered,
            gathered.duplicates,
            tuple(gathered.letters),
            CutStories.concat(cut) if cut else None,
        )

    def beside(self, tree: Tree | None, ancestors: str = "keep") -> Corpus:
        """Return the documents with their labels looked at beside a tree, and closed if ``ancestors`` is ``close``."""
        check_ancestors(ancestors, tree)
        if tree is None:
            return self
        labels, arrivals = TreeLabels(tree, close=ancestors == "close"), Arrivals(self.batch)
        if labels.end_of_doubt(arrivals) is not None:
            raise labels.error()
        batch = labels.take(arrivals).documents
        labels.check_end()
        return replace(self, batch=batch, along=labels.figures())

    def features(self, train: Ids) -> Batch:
        """Return all documents with the features that are known from the rows ``train``.

        Words are fitted on those rows alone: terms that none of them has are left out. Documents that came as features
        keep them. What scales them is learnt from those rows alone, too.
        """
        cutter, batch = make_words({**self.settings, "fit": str(len(train))}), self.batch
        if self.texts or self.cut is not None:
            tokens = cutter.tokenise(self.titles, self.texts) if self.cut is None else self.cut.tokens(cutter)
            # Runs of neighbouring rows: the rows 0, 1, 2, 5, 6 have the starts 0, 5 and the stops 3, 7.
            starts = train[np.diff(train, prepend=-2) != 1]
            stops = train[np.diff(train, append=-2) != 1] + 1
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
                cutter.fit_on(tokens, start, stop)
            cutter.settle()
            rows = cutter.features(tokens, 0, len(self), False)
            batch = replace(
                batch,
                indptr=rows.indptr,
                features=rows.features,
                values=rows.values,
                counts=rows.counts,
                feature_names=cutter.feature_names,
            )
        scaler = Scaler(self.scaling, dense=self.dense)
        if self.scaling in {"standard", "maxabs"}:
            scaler(batch.take(train))
        batch = scaler(batch, 0)
        if cutter.products:
            batch = FeatureProducts()(batch)
        return Bias()(batch) if self.bias else batch

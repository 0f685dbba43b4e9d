"""What the two formats of sparse vectors have in common: the native parser, and its rows as batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.adapters import _vectors
from telex.learners.base import Batch, Names, Strings
from telex.stream.raw_records import BlocksAhead
from telex.stream.sources import UNLIMITED, DeadLetter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.stream.raw_records import GatheredLines, RawLines
    from telex.stream.sources import RecordBudget


class SparseRowReader:
    """Turns lines into batches, in any number of passes over one pair of tables."""

    def __init__(
        self,
        *,
        svmlight: bool,
        zero: bool = False,
        rows: int = 1024,
        ahead: Callable[..., BlocksAhead[_vectors.Ahead]] = BlocksAhead,
    ) -> None:
        self.feature_names, self.label_names = Names(), Names()
        self._table = _vectors.Table()
        self._svmlight, self._zero, self._rows, self._ahead = svmlight, zero, rows, ahead

    def read(
        self,
        blocks: Iterable[RawLines | GatheredLines | DeadLetter],
        qrels: _vectors.Qrels | None = None,
        budget: RecordBudget = UNLIMITED,
    ) -> Iterator[Batch | DeadLetter]:
        """Yield the documents of one pass; broken lines and those beyond the budget are dead letters at their place."""
        parser = _vectors.Parser(
            self._table,
            self._svmlight,
            self._zero,
            qrels,
            labels=budget.labels,
            new_labels=budget.new_labels,
            all_labels=budget.all_labels,
            label_length=budget.label_length,
            terms=budget.terms,
            value=budget.value,
        )
        number = 0
        for block, ahead in self._ahead(parser.ahead)(blocks):
            if isinstance(block, DeadLetter):
                if batch := self._take(parser, number):
                    number += len(batch)
                    yield batch
                yield block
                continue
            data, at, line = block.data, 0, 0
            if not data and (batch := self._take(parser, number)):
                number += len(batch)
                yield batch
            while at < len(data):
                at, line, reason, begin = (
                    parser.parse(data, at, line, self._rows) if ahead is None else parser.add(ahead, self._rows)
                )
                if at == len(data) and reason is None and len(parser) < self._rows:
                    break
                if batch := self._take(parser, number):
                    number += len(batch)
                    yield batch
                if reason is not None:
                    yield broken_line(block, line - 1, data[begin:at], begin, reason)
        if batch := self._take(parser, number):
            yield batch

    def _take(self, parser: _vectors.Parser, number: int) -> Batch | None:
        count = len(parser)
        if not count:
            return None
        indptr, features, values, label_indptr, labels, labelled, ids, offsets = parser.take()
        new_features, new_labels = self._table.news()
        self.feature_names.extend(new_features)
        self.label_names.extend(new_labels)
        return Batch(
            indptr=indptr,
            features=features,
            values=values,
            label_indptr=label_indptr,
            labels=labels,
            labelled=labelled.view(np.bool_),
            ids=Strings(ids, offsets),
            times=np.full(count, np.nan),
            numbers=np.arange(number, number + count, dtype=np.int64),
            feature_names=self.feature_names,
            label_names=self.label_names,
        )


def broken_line(block: RawLines | GatheredLines, line: int, raw: bytes, offset: int, reason: str) -> DeadLetter:
    """Return the dead letter for a line of ``block`` that could not be decoded."""
    return DeadLetter(raw.removesuffix(b"\n"), *block.place(line, offset), "decode", reason)

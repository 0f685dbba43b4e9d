"""Predictions on request, from a run's newest checkpoint."""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec

from telex.learners.base import BrokenRecordError, InputError
from telex.stream.checkpoints import CHECKPOINTS, Checkpoints
from telex.stream.predict import Model
from telex.stream.sources import DEFAULT_BUDGET, RecordBudget, RecordCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from telex.learners import Learner

_LOOK = 1.0
"""Seconds between looks for a newer checkpoint."""
_MOST = 100
"""The most labels, and terms for and against each, that a request may ask for."""
_DOCUMENTS = 1000
_SECONDS = 10.0
"""The most documents of a request, and how long it may take."""


class _Document(msgspec.Struct):
    id: str | int = ""
    title: str | None = None
    text: str | None = None
    body: str | None = None
    features: dict[str, float] | None = None
    vector: list[float] | None = None

    @property
    def given(self) -> dict[Any, float] | None:
        """The features, by name, or by position in a vector."""
        return self.features if self.vector is None else dict(enumerate(self.vector))


class PredictEndpoint:
    """Predicts documents, in the thread of the request.

    It never touches the run: it loads learners and words from each new checkpoint, and does not change them. An answer
    is as old as its checkpoint: ``documents`` says how many documents had been read by then. A document beyond the
    ``budget`` of a record is refused. Each learner that predicts
    here takes its memory a second time. ``make`` makes the learners of the run; a run of the command line does not need
    it.
    """

    def __init__(
        self,
        folder: Path,
        make: Callable[[], Mapping[str, Learner]] | None = None,
        budget: RecordBudget = DEFAULT_BUDGET,
    ) -> None:
        self.folder, self._make = folder, make
        self._check = RecordCheck(budget)
        self._checkpoints = Checkpoints(folder / CHECKPOINTS)
        self._lock = Lock()
        self._model: Model | None = None
        self._number = 0
        self._looked = 0.0

    def answers(
        self,
        sent: bytes,
        *,
        learner: str | None = None,
        top: int = 10,
        reasons: int = 5,
        stopped: Callable[[], bool] = lambda: False,
    ) -> list[dict[str, Any]] | None:
        """Return the answers for one JSON document, or for many, one a line; None if there is no checkpoint yet.

        A document has a ``text`` and perhaps a ``title`` and an ``id``, or ``features``, or a ``vector``. Between two
        documents the request ends if it has taken too long, or if ``stopped`` says that nobody waits for it.
        """
        if not (0 <= top <= _MOST and 0 <= reasons <= _MOST):
            raise InputError(f"top and reasons are from 0 to {_MOST}; ask for fewer")
        documents, until = _documents(sent), time.monotonic() + _SECONDS
        with self._lock:
            model = self._newest()
            if model is None:
                return None
            for document in documents:
                self._check_size(document)
            learnt = int(model.checkpoint.facts["documents"])
            found = []
            for document in documents:
                if stopped() or time.monotonic() > until:
                    raise InputError(f"this took longer than {_SECONDS:.0f} s; send fewer documents at once")
                found.append({**_predicted(model, document, learner, top, reasons), "documents": learnt})
            return found

    def _check_size(self, document: _Document) -> None:
        try:
            if (features := document.given) is not None:
                self._check.features(features, None)
            else:
                self._check.story(document.title or "", document.text or document.body or "", None)
        except BrokenRecordError as error:
            raise InputError(f"the document {str(document.id)[:40]!r} is not predicted: {error}") from error

    def _newest(self) -> Model | None:
        if time.monotonic() - self._looked > _LOOK:
            numbers = self._checkpoints.numbers()
            if numbers and numbers[-1] not in (0, self._number):  # from checkpoint 0 nothing has been learnt
                self._model, self._number = Model.open(self.folder, learners=self._make and self._make()), numbers[-1]
            self._looked = time.monotonic()
        return self._model


def _predicted(model: Model, document: _Document, learner: str | None, top: int, reasons: int) -> dict[str, Any]:
    given: Any = document.given
    if given is None:
        given = document.text if document.text is not None else document.body
    if given is None:
        raise InputError('a document has no text, no features and no vector; send {"text": ..}, perhaps with a "title"')
    found = model.predict(given, learner, title=document.title or "", top=top, reasons=reasons)
    return {**found.plain(), "id": str(document.id)}


def _documents(sent: bytes) -> list[_Document]:
    lines = [line for line in sent.splitlines() if line.strip()]
    if len(lines) > _DOCUMENTS:
        raise InputError(f"these are {len(lines):,} lines; send at most {_DOCUMENTS:,} documents at once")
    decode = msgspec.json.Decoder(_Document).decode
    try:
        try:
            return [decode(sent)]
        except msgspec.DecodeError:
            if len(lines) < 2:
                raise
            return [decode(line) for line in lines]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f'this is not a document ({error}); send {{"text": ..}}, or one such object a line') from error

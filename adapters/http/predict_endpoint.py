"""Predictions on request, from a run's newest checkpoint."""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec

from telex.adapters.http.limits import PredictLimits
from telex.learners.base import BrokenRecordError, InputError
from telex.stream.predict import Thresholds
from telex.stream.sources import DEFAULT_BUDGET, RecordBudget, RecordCheck, Story, StoryBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.stream.predict import FollowedModel, Model

_MOST = 100
"""The most labels, and terms for and against each, that a request may ask for."""


_AT_ONCE, _GLANCE = 32, 0.05
"""The most documents, and about the most seconds, between two looks at the clock."""


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
    is as old as its ``checkpoint``: ``documents`` says how many documents had been read by then. All answers to one
    request come from one checkpoint. A document beyond the ``budget`` of a record is refused. Each learner that
    predicts here takes its memory a second time. ``thresholds`` replace the learner's own decision. ``predicted`` is
    called with the number of documents of each request that was answered, and the seconds that it took.
    """

    def __init__(
        self,
        followed: FollowedModel,
        budget: RecordBudget = DEFAULT_BUDGET,
        limits: PredictLimits = PredictLimits(),  # noqa: B008 - it is frozen
        thresholds: Thresholds = Thresholds(),  # noqa: B008 - it is frozen
        predicted: Callable[[int, float], object] = lambda documents, seconds: None,
    ) -> None:
        self.followed, self.limits = followed, limits
        self._thresholds, self._told = thresholds, predicted
        self._check = RecordCheck(budget)
        self._lock = Lock()

    def answers(
        self,
        sent: bytes,
        *,
        learner: str | None = None,
        top: int = 10,
        reasons: int = 5,
        probabilities: bool = False,
        stopped: Callable[[], bool] = lambda: False,
    ) -> list[dict[str, Any]] | None:
        """Return the answers for one JSON document, or for many, one a line; None if there is no checkpoint yet.

        A document has a ``text`` and perhaps a ``title`` and an ``id``, or ``features``, or a ``vector``. Between some
        documents and the next the request ends if ``stopped`` says that nobody waits for it, or with a TimeoutError if
        it has taken too long.
        """
        if not (0 <= top <= _MOST and 0 <= reasons <= _MOST):
            raise InputError(f"top and reasons are from 0 to {_MOST}; ask for fewer")
        begun = time.monotonic()
        if (why := self.too_many(sent)) is not None:
            raise InputError(why)
        documents = _documents(sent)
        with self._lock:
            loaded = self.followed.look_if_due()
            if loaded is None:
                return None
            for document in documents:
                self._check_size(document)
            name = self.followed.learner if learner is None else learner
            if learner in loaded.model.learners:
                self.followed.wanted.add(learner)  # so that the next model comes with it
            shown = {"top": top, "reasons": reasons, "probabilities": probabilities, "thresholds": self._thresholds}
            found: list[dict[str, Any]] = []
            some = 1
            while len(found) < len(documents):
                now = time.monotonic()
                if stopped() or now - begun > self.limits.seconds:
                    raise TimeoutError(f"this took longer than {self.limits.seconds:g} s; send fewer documents at once")
                found += _predicted(loaded.model, documents[len(found) : len(found) + some], name, shown)
                some = min(_AT_ONCE, 2 * some) if time.monotonic() - now < _GLANCE else max(1, some // 2)
            for answer in found:
                answer |= {"documents": loaded.documents, "checkpoint": loaded.number}
            self._told(len(found), time.monotonic() - begun)
            return found

    def too_many(self, sent: bytes) -> str | None:
        """Return why these are more documents than a request may have; None if they are not."""
        count = sum(1 for line in sent.splitlines() if line.lstrip().startswith(b"{"))
        if count <= self.limits.documents:
            return None
        return f"these are {count:,} documents; send at most {self.limits.documents:,} at once"

    def _check_size(self, document: _Document) -> None:
        try:
            if (features := document.given) is not None:
                self._check.features(features, None)
            else:
                self._check.story(document.title or "", document.text or document.body or "", None)
        except BrokenRecordError as error:
            raise InputError(f"the document {str(document.id)[:40]!r} is not predicted: {error}") from error


def _predicted(
    model: Model, documents: list[_Document], learner: str | None, shown: dict[str, Any]
) -> list[dict[str, Any]]:
    """Predict some documents, each as if it were alone."""
    if all(one.given is None for one in documents):
        stories = StoryBuilder()
        for one in documents:
            text = one.text if one.text is not None else one.body
            if text is None:
                raise InputError(
                    'a document has no text, no features and no vector; send {"text": ..}, perhaps with a "title"'
                )
            stories.add(Story(str(one.id), text, one.title or ""))
        return [found.plain() for found in model.predict_all([stories.take()], learner, apart=True, **shown)]
    if len(documents) > 1:
        return [answer for one in documents for answer in _predicted(model, [one], learner, shown)]
    [only] = documents
    assert only.given is not None
    return [{**model.predict(only.given, learner, **shown).plain(), "id": str(only.id)}]


def _documents(sent: bytes) -> list[_Document]:
    lines = [line for line in sent.splitlines() if line.strip()]
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

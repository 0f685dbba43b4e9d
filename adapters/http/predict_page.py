"""The page ``/predict``: documents are sent, and their labels come back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from telex.adapters.http.pages import Page, Request, Route
from telex.learners.base import TelexError
from telex.stream.checkpoints import CheckpointError

if TYPE_CHECKING:
    from telex.adapters.http.predict_endpoint import PredictEndpoint
    from telex.stream.predict import FollowedModel

JSON = "application/json"
_LINES = ("application/x-ndjson", "application/jsonl", "application/json-lines")


def predict_route(answering: PredictEndpoint) -> Route:
    """Return the route that predicts.

    A request is one JSON object, or one a line, and its query chooses what the answer has: ``learner``, ``top``,
    ``reasons``, ``probabilities=1``. Every refusal is a JSON object with a sentence, ``{"error": ..}``.
    """
    return Route(lambda request: _page(answering, request), most=answering.limits.bytes)


def _page(answering: PredictEndpoint, request: Request) -> Page:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    refusal = _refusal(answering, kind, request.body)
    if refusal is not None:
        return refusal
    query = request.query
    try:
        found = answering.answers(
            request.body,
            stopped=request.left.is_set,
            learner=query.get("learner"),
            top=int(query.get("top", "10")),
            reasons=int(query.get("reasons", "5")),
            probabilities=query.get("probabilities") == "1",
        )
    except (CheckpointError, TimeoutError) as error:  # the run has removed it before this learner was loaded from it
        return _error(503, f"{error}; try again", **{"Retry-After": "5"})
    except (TelexError, ValueError) as error:
        return _error(400, str(error))
    if found is None:
        return _NO_MODEL
    if kind == JSON and len(found) == 1:
        return Page(_plain(found[0]), JSON)
    return Page(b"".join(_plain(one) + b"\n" for one in found), _LINES[0])


def _refusal(answering: PredictEndpoint, kind: str, body: bytes) -> Page | None:
    if kind != JSON and kind not in _LINES:  # a foreign page cannot make a browser send these types
        return _error(415, f"give the Content-Type {JSON}, or {_LINES[0]} for one document a line")
    too_many = answering.too_many(body)
    return None if too_many is None else _error(413, too_many)


def model_route(followed: FollowedModel) -> Route:
    """Return the route that describes the model which predicts."""

    def described(_: Request) -> Page:
        now = followed.newest
        if now is None:
            return _NO_MODEL
        facts = {
            "checkpoint": now.number,
            "written": now.written,
            "documents": now.documents,
            "learnt": now.learnt,
            "documents_behind": followed.documents_behind,
            "learner": followed.learner or now.model.learner,
            "learners": now.model.learners,
            "load_seconds": now.seconds,
        }
        return Page(_plain(facts), JSON)

    return Route(described)


def _error(status: int, sentence: str, **headers: str) -> Page:
    """Return a refusal as JSON."""
    return Page(_plain({"error": sentence}), JSON, status, headers)


def _plain(found: dict[str, Any]) -> bytes:
    return json.dumps(found, allow_nan=False, default=str).encode()


_NO_MODEL = _error(503, "there is no checkpoint yet to predict from; try again", **{"Retry-After": "5"})

"""Serves a running run as the same page as a report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from telex.adapters.http import Page, Request, Route
from telex.adapters.prometheus import MetricsSink, routes, server
from telex.adapters.report.live.live_sink import EVERY, LiveSink
from telex.adapters.report.page import embedded, page, policy
from telex.adapters.report.report import page_data
from telex.learners.base import TelexError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.adapters.report.live.predict_endpoint import PredictEndpoint

MOST = 1_000_000
"""The most bytes of a request to /predict."""
_JSON = "application/json"
_LINES = ("application/x-ndjson", "application/jsonl", "application/json-lines")
_LATER = Page(b"the run has not come to its first document yet; try again\n", status=503, headers={"Retry-After": "1"})


def serve_live(
    address: str,
    live: LiveSink,
    metrics: MetricsSink,
    answering: PredictEndpoint | None = None,
    say: Callable[[str], object] | None = None,
) -> LiveSink:
    """Serve ``live`` at ``address`` until its run ends: the page at ``/``, beside the pages of the metrics.

    With ``answering``, documents sent to ``/predict`` are predicted.
    """
    pages = {
        "/": Route(lambda _: _page(live)),
        "/report.json": Route(lambda request: _news(live, request)),
        **routes(metrics),
    }
    if answering is not None:
        pages["/predict"] = Route(lambda request: _predict(live, answering, request), most=MOST)
    live.server = server(address, pages)
    if say is not None:
        say(f"the run is shown at {live.server.url}/")
    return live


def _page(live: LiveSink) -> Page:
    run = live.whole()
    if run is None or live.run is None:
        return _LATER
    data = {**page_data([run], live.run.losses), "live": {"every": int(1000 * EVERY)}}
    headers = {
        "Content-Security-Policy": f"{policy(live=True)}; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer",
    }
    return Page(page(data, live=True).encode(), "text/html; charset=utf-8", headers=headers)


def _news(live: LiveSink, request: Request) -> Page:
    try:
        after, events = (int(request.query.get(name, "0")) for name in ("after", "events"))
    except ValueError:
        return Page(b"after and events must be numbers\n", status=400)
    news = live.news(max(0, after), max(0, events), labels=request.query.get("labels") == "1")
    return _LATER if news is None else _json(news)


def _predict(live: LiveSink, answering: PredictEndpoint, request: Request) -> Page:
    def stopped() -> bool:
        return request.left.is_set() or (live.run is not None and live.run.stopping)

    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _JSON and kind not in _LINES:  # a foreign page cannot make a browser send these types
        return Page(f"send {_JSON} or {_LINES[0]}\n".encode(), status=415)
    query = request.query
    try:
        found = answering.answers(
            request.body,
            stopped=stopped,
            learner=query.get("learner"),
            top=int(query.get("top", "10")),
            reasons=int(query.get("reasons", "5")),
        )
    except (TelexError, ValueError) as error:
        return _json({"error": str(error)}, status=400)
    if found is None:
        return Page(
            b"there is no checkpoint yet to predict from; try again\n", status=503, headers={"Retry-After": "5"}
        )
    if kind == _JSON and len(found) == 1:
        return _json(found[0])
    return Page("".join(f"{embedded(one)}\n" for one in found).encode(), _LINES[0])


def _json(found: Mapping[str, Any], status: int = 200) -> Page:
    return Page(json.dumps(found, allow_nan=False, default=str).encode(), _JSON, status)

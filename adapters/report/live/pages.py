"""Serves a running run as the same page as a report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from telex.adapters.http import Page, Request, Route
from telex.adapters.prometheus import MetricsSink, routes, server
from telex.adapters.report.live.live_sink import EVERY, LiveSink
from telex.adapters.report.live.predicting_server import serve_and_predict
from telex.adapters.report.page import page, policy
from telex.adapters.report.report import page_data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.adapters.report.live.predicting_server import Predicts

_LATER = Page(b"the run has not come to its first document yet; try again\n", status=503, headers={"Retry-After": "1"})


def serve_live(
    address: str,
    live: LiveSink,
    metrics: MetricsSink,
    predicts: Predicts | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> LiveSink:
    """Serve ``live`` at ``address`` until its run ends: the page at ``/``, beside the pages of the metrics.

    With ``predicts``, a process of its own serves them, and predicts the documents that are sent to ``/predict``.
    """
    pages = {
        "/": Route(lambda _: _page(live)),
        "/report.json": Route(lambda request: _news(live, request)),
        **routes(metrics),
    }
    if predicts is None:
        live.server = server(address, pages)
    else:
        live.server = serve_and_predict(address, pages, metrics, predicts, say)
    say(f"the run is shown at {live.server.url}/")
    return live


def _page(live: LiveSink) -> Page:
    run = live.whole()
    if run is None or live.run is None:
        return _LATER
    data = {**page_data([run], live.run.losses, live.shown), "live": {"every": int(1000 * EVERY)}}
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


def _json(found: Mapping[str, Any]) -> Page:
    return Page(json.dumps(found, allow_nan=False, default=str).encode(), "application/json")

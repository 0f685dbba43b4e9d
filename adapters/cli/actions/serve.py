"""Serves predictions over HTTP, by one process or several."""

from __future__ import annotations

import multiprocessing
import signal
import socket
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from telex.adapters.cli.followed_run import follow_run, say, serve_reader_metrics
from telex.adapters.cli.signals import StopNote, stop_at_signals
from telex.adapters.http import Limits, PredictEndpoint, PredictLimits, host_and_port, model_route, predict_route
from telex.adapters.prometheus import ReaderMetrics, server
from telex.learners.base import TelexError, UsageError
from telex.stream.predict import Thresholds
from telex.stream.sources import RecordBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.context import SpawnProcess

    from telex.adapters.cli.commands.serve import ServeOptions

_GLANCE = 0.1
"""Seconds between looks for a signal, or for a worker that has ended."""
_ENDING = 10.0
"""Seconds beyond those of a request that a worker may take to end."""


def serve(options: ServeOptions) -> int:
    """Answer until a signal, and return the exit code."""
    if options.run is None:
        raise UsageError("name the folder of a run with --run DIR; try `telex serve --help`")
    Thresholds.read(list(options.threshold), options.min_score)
    note = StopNote()
    with stop_at_signals(note) as signals:
        code = 0
        if options.workers > 1:
            code = _serve_by_workers(options, note)
        else:
            _serve_alone(options, lambda: note.stopped)
    return 130 if signal.SIGINT in signals else code


def _serve_alone(options: ServeOptions, stopped: Callable[[], bool]) -> None:
    """Answer until ``stopped``."""
    metrics = ReaderMetrics()
    thresholds = Thresholds.read(list(options.threshold), options.min_score)
    limits = PredictLimits(options.max_bytes, options.max_documents, options.max_seconds)
    with ExitStack() as closed:
        followed = follow_run(options, options.learner, metrics)
        closed.callback(followed.close)
        budget = RecordBudget.of(options.budget or "")
        answering = PredictEndpoint(followed, budget, limits, thresholds, metrics.predicted)
        served = server(
            options.listen,
            {"/predict": predict_route(answering), "/model": model_route(followed), **metrics.routes()},
            limits=Limits(waiting=options.max_waiting, page_seconds=limits.seconds + Limits().page_seconds),
            shared=options.workers > 1,
            answered=metrics.answered,
            json_errors=True,
        )
        closed.callback(served.drain, limits.seconds + 1)
        say(f"predictions are served at {served.url}/predict")
        if options.metrics is not None:
            closed.enter_context(closing(serve_reader_metrics(options.metrics, metrics)))
        while not stopped():
            time.sleep(_GLANCE)
        metrics.ending = True


def _serve_by_workers(options: ServeOptions, note: StopNote) -> int:
    """Start the workers, and end them at a signal; return the exit code."""
    with _reserved(options.listen) as address:
        workers = [_started(replace(options, listen=address), number) for number in range(options.workers)]
        while not note.stopped and all(worker.is_alive() for worker in workers):
            time.sleep(_GLANCE)
        if not note.stopped:
            say("a worker has ended, and so do the others; the lines above say why")
        for worker in workers:
            worker.terminate()
        until = time.monotonic() + options.max_seconds + _ENDING
        for worker in workers:
            worker.join(max(0.0, until - time.monotonic()))
            worker.kill()
            worker.join()
    # In its first second a worker may be ended by a SIGTERM of which it does not take note yet.
    codes = {worker.exitcode for worker in workers} - ({0, -signal.SIGTERM} if note.stopped else {0})
    return 2 if 2 in codes else int(bool(codes) or not note.stopped)


@contextmanager
def _reserved(address: str) -> Iterator[str]:
    """Hold a port that the workers share, without answering there; yield its address."""
    host, port = host_and_port(address)
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        held = socket.socket(family, socket.SOCK_STREAM)
        with held:
            for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
                held.setsockopt(socket.SOL_SOCKET, option, 1)
            held.bind(place[:2])
            yield f"{f'[{host}]' if ':' in host else host}:{held.getsockname()[1]}"
    except (OSError, UnicodeError) as error:
        raise UsageError(f"nothing can be served at {address}: {error}; choose another address or port") from error


def _started(options: ServeOptions, number: int) -> SpawnProcess:
    if options.metrics is not None:
        host, port = host_and_port(options.metrics)
        options = replace(options, metrics=f"{f'[{host}]' if ':' in host else host}:{port + number if port else 0}")
    process = multiprocessing.get_context("spawn").Process(target=_work, args=(options,), name=f"worker {number}")
    process.start()
    return process


def _work(options: ServeOptions) -> None:
    """Answer in a process of its own, until SIGTERM or the end of the process that started it."""
    note, parent = StopNote(), multiprocessing.parent_process()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all processes, and ours says when to end
    signal.signal(signal.SIGTERM, lambda *_: note.stop())
    try:
        _serve_alone(options, lambda: note.stopped or parent is None or not parent.is_alive())
    except TelexError as error:
        say(str(error))
        sys.exit(2 if isinstance(error, UsageError) else 1)

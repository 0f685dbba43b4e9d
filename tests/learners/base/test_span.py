"""Stretches of a stream."""

import pytest

from telex.learners.base import UsageError
from telex.learners.base.span import Span, seconds, span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (7, Span(7)),
        ("7", Span(7)),
        (" 20000 ", Span(20000)),
        ("30s", Span(seconds=30.0)),
        ("1.5h", Span(seconds=5400.0)),
        ("7d", Span(seconds=604800.0)),
    ],
)
def test_spans(text, expected):
    assert span("every", text) == expected


@pytest.mark.parametrize("text", ["0", "-3", "", "h", "0s", "2 h", "1e3", "2w", "٣", "²s"])
def test_what_is_no_span(text):
    with pytest.raises(UsageError, match=r"every is .*; give a (number of documents or a )?time such as 30s, 5m, 2h"):
        span("every", text) if text != "٣" else seconds("every", text)


def test_seconds():
    assert [seconds("timeout", text) for text in ("2", 0.5, "10m", 1e-9)] == [2.0, 0.5, 600.0, 1e-9]
    with pytest.raises(UsageError, match="timeout is '0'"):
        seconds("timeout", 0)

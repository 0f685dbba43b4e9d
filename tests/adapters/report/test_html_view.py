"""A run as HTML that notebooks show."""

import re
from html.parser import HTMLParser

import numpy as np

from telex.adapters.report import ShownRun, html_view
from telex.adapters.report.html_view import curve_chart

PLACES = np.array([1.0, 10.0, 100.0])


def shown(**parts):
    given = {
        "title": "news",
        "state": "100 documents",
        "learners": {"mmp": {"iserr": 0.25}, "<b>": {"iserr": 0.5}},
        "test": {},
        "curves": {"mmp": (PLACES, np.array([1.0, 0.5, 0.25])), "<b>": (PLACES, np.array([np.nan, 0.75, 0.5]))},
        "headline": "iserr",
        "best": {"iserr": 0.0},
    }
    return ShownRun(**{**given, **parts})


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_it_is_whole_and_names_are_texts():
    page = html_view(shown())
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    assert tags.seen.count("polyline") == 2
    assert not {"script", "b"} & set(tags.seen) - {"b"}
    assert page.count("&lt;b&gt;") == 2
    assert "<b>news</b>" in page
    assert re.search(r"font-weight:bold'>0.250</td>", page)


def test_without_curves_it_is_a_table():
    assert "<svg" not in html_view(shown(curves={}))
    assert html_view(shown(test={"mmp": {"iserr": 0.5}})).count("<table") == 2
    assert curve_chart({"mmp": (PLACES, np.full(3, np.nan))}, "iserr", set()) == ""


def points(chart):
    return [[tuple(map(float, pair.split(","))) for pair in one.split()] for one in re.findall("points='(.*?)'", chart)]


def test_the_lowest_value_is_at_the_bottom_and_the_last_document_at_the_right():
    [curve] = points(curve_chart({"mmp": (PLACES, np.array([1.0, 0.5, 0.25]))}, "iserr", set()))
    assert curve[0][1] < curve[1][1] < curve[2][1]
    assert curve[2][0] == 610
    [flat] = points(curve_chart({"mmp": (PLACES, np.full(3, 0.5))}, "iserr", set()))
    assert len({height for _, height in flat}) == 1


def test_baselines_do_not_stretch_the_chart():
    curves = {"mmp": (PLACES, np.array([0.3, 0.2, 0.1])), "last": (PLACES, np.array([9.0, 9.0, 9.0]))}
    chart = curve_chart(curves, "iserr", {"last"})
    assert "9.000" not in chart
    assert min(height for curve in points(chart) for _, height in curve) >= 10
    assert chart.count("stroke-dasharray") == 1


def test_names_stay_apart():
    curves = {f"learner-with-a-long-name-{i}": (PLACES, np.array([1.0, 0.5, 0.25])) for i in range(30)}
    chart = curve_chart(curves, "iserr", set())
    heights = [float(y) for y in re.findall(r"<text x='616' y='([\d.]+)'", chart)]
    assert len(heights) == 30
    assert np.diff(heights).min() >= 13.9
    assert "learner-with-a-lo…" in chart

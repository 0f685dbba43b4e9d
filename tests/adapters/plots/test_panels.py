"""Bars and lines in small panels."""

import xml.etree.ElementTree as ET

import pytest

from telex.adapters.plots import bars_picture, lines_picture
from telex.learners.base import UsageError

pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")

BARS = {f"loss {k}": {name: {"ours": k + 1.0, "paper": k + 2.0} for name in ("mlpp", "mmp")} for k in range(3)}
LINES = {"iserr": {"mlpp, test": ([1, 2, 3], [3.0, 2.0, 2.5]), "mlpp, training": ([1, 2, 3], [2.0, 1.0, 0.5])}}


def test_heights_may_be_logarithmic(tmp_path):
    panels = {**LINES, "seconds": {"mlpp": ([1, 2], [1.0, 10_000.0])}}
    drawn = lines_picture(panels, tmp_path / "x.svg", columns=2, along="epochs", log=["seconds"]).read_text()
    assert "$\\mathdefault{10^{4}}$" in drawn
    assert "$\\mathdefault{10^{4}}$" not in lines_picture(panels, tmp_path / "y.svg", columns=2, along="x").read_text()


def test_the_same_figures_are_the_same_bytes(tmp_path):
    for draw, panels, options in (
        (bars_picture, BARS, {"columns": 2}),
        (lines_picture, LINES, {"columns": 1, "along": "epochs"}),
    ):
        one, two = (draw(panels, tmp_path / f"{draw.__name__}{k}.svg", **options) for k in range(2))
        assert one.read_bytes() == two.read_bytes()
        assert ET.parse(one).getroot().tag.endswith("svg")
        with pytest.raises(UsageError, match="is there already"):
            draw(panels, one, **options)
        assert draw(panels, one, overwrite=True, **options) == one

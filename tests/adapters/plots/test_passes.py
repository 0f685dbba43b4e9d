"""Curves over passes as one picture."""

import xml.etree.ElementTree as ET

import pytest

from telex.adapters.plots import passes_picture
from telex.learners.base import UsageError

pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")

CURVES = {
    name: {
        "passes": [1, 3],
        "dual": [1.0, 2.0, 2.5],
        "gap": [3.0, 1.0, 0.1],
        "errors": {part: {"zero_one": [9.0, 8.0], "l_h": [0.5, 0.4]} for part in ("train", "test")},
    }
    for name in ("first", "second")
}


def test_the_same_figures_are_the_same_bytes(tmp_path):
    one, two = (passes_picture(CURVES, tmp_path / f"{name}.svg") for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert ET.parse(one).getroot().tag.endswith("svg")
    assert passes_picture(CURVES, tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_that_is_there(tmp_path):
    path = tmp_path / "one.svg"
    passes_picture({"first": CURVES["first"]}, path)
    with pytest.raises(UsageError, match="is there already"):
        passes_picture(CURVES, path)
    assert passes_picture(CURVES, path, overwrite=True) == path

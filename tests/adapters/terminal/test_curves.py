"""Curves drawn with characters."""

import numpy as np
import pytest

from telex.adapters.terminal.curves import Drawing, PlottedCurve


def line(*heights):
    return PlottedCurve(np.arange(1.0, len(heights) + 1), np.array(heights, float))


def rows(drawing):
    return str(drawing).splitlines()


def test_each_curve_has_a_letter_and_its_name_at_its_end():
    drawing = Drawing({"br": line(1, 1), "b": line(0, 0), "bb": line(0.5, 0.5)}, width=40, height=5)
    shown = rows(drawing)
    assert shown[0].endswith("bbbb br")
    assert drawing.letters == ["b", "a", "c"]
    assert shown[4].endswith("aaaa b")
    assert shown[2].endswith("cccc bb")
    assert [shown[i].split()[0] for i in (0, 2, 4)] == ["1.000", "0.500", "0.000"]


@pytest.mark.parametrize("width", [1, 40, 80, 200])
def test_it_keeps_its_width(width):
    drawing = Drawing({"mlpp": line(3, 1, 2), "x": line(1, 2, 3)}, width=width)
    assert max(map(len, rows(drawing))) <= max(width, 25)
    assert len(rows(drawing)) == 16 + 2


def test_ascii_where_boxes_cannot_be_drawn():
    curves = {"br": line(3, 1, 2)}
    assert str(Drawing(curves, box=False)).isascii()
    assert "└" in str(Drawing(curves))


def test_names_do_not_lie_on_each_other():
    drawing = Drawing({name: line(1, 2) for name in ("br", "mmp", "mlpp")} | {"nb": line(1, 0)}, height=6)
    assert [sum(name in row.split() for row in rows(drawing)) for name in ("br", "mmp", "mlpp", "nb")] == [1, 1, 1, 1]
    low = Drawing({name: line(2, 1) for name in ("br", "mmp", "mlpp")} | {"nb": line(1, 2)}, height=6)
    assert [row.split()[-1] for row in rows(low)[3:6]] == ["br", "mmp", "mlpp"]


def test_what_is_above_the_ceiling_is_named():
    drawing = Drawing({"br": line(0.9, 0.4, 0.3), "nb": line(0.9, 0.9, 0.8)}, ceiling=0.5, height=4)
    assert drawing.hidden == ["nb"]
    assert "n" not in str(drawing)
    assert rows(drawing)[0].split()[0] == "0.400"


def test_what_is_undefined_is_not_drawn():
    nan = np.nan
    drawing = Drawing({"br": line(nan, 1, 2), "mmp": line(nan, nan, nan)}, width=40)
    assert drawing.hidden == ["mmp"]
    assert "m" not in str(drawing)
    assert "b" in str(drawing)
    assert str(Drawing({"mmp": line(nan)}))


def test_the_first_is_seen_where_curves_meet_and_colours_differ():
    drawing = Drawing({"br": line(1, 1), "mmp": line(1, 1)}, height=3)
    assert "m" not in rows(drawing)[0].replace("mmp", "").replace("│", "")
    colours = {colour for pieces in drawing.lines() for text, colour in pieces if text.strip() in {"br", "mmp"}}
    assert len(colours) == 2

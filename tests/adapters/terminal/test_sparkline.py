"""Curves in a line of text."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.terminal.sparkline import History, sparkline


@given(st.integers(2, 20).map(lambda half: 2 * half), st.integers(0, 500))
def test_a_history_is_even_and_small_and_holds_both_ends(size, count):
    history = History(size)
    for value in range(count):
        history.add(float(value))
    kept = history.values
    assert len(kept) <= size
    if count:
        assert (kept[0], kept[-1]) == (0.0, count - 1)
        steps = {after - before for before, after in pairwise(kept[:-1])}
        assert len(steps) <= 1
        assert len(kept) > size // 2 - 2 or len(kept) == count


@given(st.lists(st.none() | st.floats(0, 1), max_size=40), st.integers(1, 30))
def test_a_line_is_never_too_long_and_higher_is_higher(values, width):
    line = sparkline(values, width, 0.0, 1.0)
    assert len(line) == min(width, len(values))
    if len(values) <= width:
        known = [(value, bar) for value, bar in zip(values, line, strict=True) if value is not None]
        assert sorted(known) == sorted(known, key=lambda pair: (pair[1], pair[0]))
        assert [bar == " " for bar in line] == [value is None for value in values]


def test_a_flat_curve_is_drawn():
    assert sparkline([0.0, 0.0], 5, 0.0, 0.0) == "▁▁"
    assert sparkline([], 5, 0.0, 1.0) == ""

"""Columns of figures."""

import math

from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.terminal.figure_columns import MARK, aims, column, columns, fitting, shortened
from telex.learners.losses import LOSSES, by_priority

FIGURES = st.lists(st.none() | st.floats(0, 1e6), min_size=1, max_size=8)


@given(FIGURES)
def test_points_are_aligned_and_digits_agree(values):
    digits = {len(cell.partition(".")[2]) for cell in column(values, 0.0) if cell != "-"}
    assert len(digits) <= 1
    assert [cell == "-" for cell in column(values)] == [value is None for value in values]


@given(FIGURES, st.sampled_from([0.0, 1.0]))
def test_the_nearest_to_the_best_are_marked_unless_all_are_alike(values, aim):
    marked = [value for value, cell in zip(values, column(values, aim), strict=True) if cell.startswith(MARK)]
    far = [abs(value - aim) for value in values if value is not None]
    if len(set(far)) < 2:
        assert not marked
    else:
        assert {abs(value - aim) for value in marked} == {min(far)}
        assert len(marked) == far.count(min(far))


def test_a_high_avgp_is_good_and_a_high_loss_is_not():
    learners = {"a": {"iserr": 0.5, "avgp": 0.9}, "b": {"iserr": 0.25, "avgp": 0.7}}
    known = aims(LOSSES.values())
    assert columns(learners, ["iserr", "avgp"], known) == [["0.500", "*0.900"], ["*0.250", "0.700"]]
    assert known["micro_f1"] == 1.0
    assert {name: known[name] for name in LOSSES} == {name: loss.best for name, loss in LOSSES.items()}


@given(st.text("ab:=,", min_size=1, max_size=60), st.integers(5, 40))
def test_names_keep_both_ends(name, width):
    short = shortened(name, width)
    assert len(short) == min(len(name), width)
    if len(name) > width:
        begin, end = short.split("…")
        assert name.startswith(begin)
        assert name.endswith(end)
        assert math.fabs(len(begin) - len(end)) <= 1


def test_what_is_read_first():
    assert by_priority(list(LOSSES.values()))[:2] == ["iserr", "avgp"]
    assert by_priority([LOSSES["cover_zo"]]) == ["cover_zo", "micro_f1", "macro_f1"]
    assert [fitting([9, 9, 9], room) for room in (0, 9, 18, 26, 27, 99)] == [1, 1, 2, 2, 3, 3]

"""The fixed sequences of points."""

from itertools import pairwise

import pytest

from telex.learners.base import UsageError
from telex.stream.run.point_schedule import check_points, next_point


def sequence(points, until):
    found = [next_point(points, 0)]
    while found[-1] < until:
        found.append(next_point(points, found[-1]))
    return found


def test_geometric_grows_by_about_a_tenth():
    points = sequence("geometric", 10**9)
    assert points[:20] == [*range(1, 15), 16, 18, 20, 22, 24, 27]
    ratios = [b / a for a, b in pairwise(points[10:])]
    assert 1.07 < min(ratios) < max(ratios) < 1.15
    for decade in (10, 1000, 10**8):
        assert {decade, 2 * decade, 5 * decade} <= set(points)


@pytest.mark.parametrize("points", ["geometric", 1, 7])
def test_the_next_point_does_not_depend_on_the_last(points):
    fixed = sequence(points, 3000)
    for documents in range(2000):
        assert next_point(points, documents) == next(point for point in fixed if point > documents)


def test_texts_are_read():
    assert check_points("250") == check_points(250) == 250
    for wrong in ("0", -3, "1.5", "geo", None):
        with pytest.raises(UsageError, match="try geometric or 1000"):
            check_points(wrong)

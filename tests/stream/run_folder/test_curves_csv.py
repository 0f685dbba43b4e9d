"""curves.csv: what is written is read back, also from the file of a killed run."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.stream.curves import Point, columns_of
from telex.stream.run_folder import CURVES_CSV, SPANS, read_curves
from telex.stream.run_folder.curves_csv import CurvesFile

FIGURES = ("iserr", "micro_f1")
VALUES = st.none() | st.floats(allow_nan=False)
TIMES = st.none() | st.integers(-(2**33), 2**33).map(lambda quarters: quarters / 4) | st.just(1e300)


@given(
    st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=3, unique=True),
    st.lists(st.integers(1, 10**12), max_size=4, unique=True).map(sorted),
    st.data(),
)
def test_curves_come_back(tmp_path_factory, learners, places, data):
    folder = tmp_path_factory.mktemp("curves")
    columns = columns_of(FIGURES)
    row = st.tuples(*[VALUES] * len(columns)).map(lambda values: dict(zip(columns, values, strict=True)))
    points = [Point("train", 1, n, n, data.draw(TIMES), {name: data.draw(row) for name in learners}) for n in places]
    file, ends = CurvesFile(folder / CURVES_CSV), []
    file.begin(SimpleNamespace(settings=SimpleNamespace(names=FIGURES)))
    for point in points:
        file.point(point)
        ends.append(file.path.stat().st_size)
        file.point(Point("test", 1, point.documents, 1, None, point.learners))  # is not in the file
    file.close()
    check(read_curves(folder), points)
    cut = data.draw(st.integers(0, file.path.stat().st_size), label="cut")
    file.path.write_bytes(file.path.read_bytes()[:cut])
    if whole := [point for point, end in zip(points, ends, strict=True) if end <= cut]:
        check(read_curves(folder), whole)
    elif (found := read_curves(folder)) is not None:  # some learners have their row of the first point
        assert found.documents.tolist() == places[:1]


def check(found, points):
    if not points:
        assert found is None
        return
    assert found.documents.tolist() == [point.documents for point in points]
    times = [np.nan if point.time is None else point.time for point in points]
    np.testing.assert_array_equal(found.times, times)
    assert found.figures == FIGURES
    assert list(found.learners) == list(points[0].learners)
    for name, columns in found.learners.items():
        assert list(columns) == [figure + span for figure in FIGURES for span in SPANS]
        for column, values in columns.items():
            wanted = [point.learners[name][column] for point in points]
            np.testing.assert_array_equal(values, [np.nan if value is None else value for value in wanted])


def test_a_folder_without_curves(tmp_path):
    assert read_curves(tmp_path) is None

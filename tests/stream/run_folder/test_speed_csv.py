"""speed.csv: what is written is read back, also from the file of a killed run."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from telex.stream.curves import Point
from telex.stream.run.progress import Progress
from telex.stream.run_folder import read_speed
from telex.stream.run_folder.speed_csv import SPEED_CSV, SpeedFile

PLACES = st.tuples(
    st.sampled_from([("train", 1), ("train", 2), ("test", 1)]),
    st.integers(0, 10**12),
    st.integers(1, 10**12).map(lambda millionths: millionths / 1e6),
)


@given(st.lists(PLACES, max_size=6), st.data())
def test_seconds_come_back(tmp_path_factory, places, data):
    folder = tmp_path_factory.mktemp("speed")
    run, ends = SimpleNamespace(progress=Progress()), []
    file = SpeedFile(folder / SPEED_CSV)
    file.begin(run)
    for (part, epoch), documents, seconds in places:
        run.progress.documents, run.seconds = documents, seconds
        file.point(Point(part, epoch, documents, documents, None, {}))
        ends.append(file.path.stat().st_size)
    file.close()
    points = [((seconds, documents), end) for (part, documents, seconds), end in zip(places, ends, strict=True)
              if part == ("train", 1)]  # fmt: skip
    assert read_speed(folder) == [point for point, _ in points]
    cut = data.draw(st.integers(0, file.path.stat().st_size), label="cut")
    file.path.write_bytes(file.path.read_bytes()[:cut])
    assert read_speed(folder) == [point for point, end in points if end <= cut]


def test_a_folder_without_speed(tmp_path):
    assert read_speed(tmp_path) == []

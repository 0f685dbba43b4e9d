"""events.jsonl: what is written is read back, also from the file of a killed run."""

from hypothesis import given
from hypothesis import strategies as st

from telex.stream.run_folder import read_events
from telex.stream.run_folder.events_jsonl import EVENTS_JSONL, EventsFile

VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(), max_size=6)
EVENTS = st.dictionaries(st.text(max_size=6).filter(lambda name: name != "seconds"), VALUES, max_size=4)


@given(st.lists(EVENTS, max_size=5), st.data())
def test_events_come_back_without_the_clock(tmp_path_factory, events, data):
    folder = tmp_path_factory.mktemp("events")
    file, ends = EventsFile(folder / EVENTS_JSONL), []
    file.begin(None)
    for event in events:
        file.event({**event, "seconds": 0.5})
        ends.append(file.path.stat().st_size)
    file.close()
    assert list(read_events(folder)) == events
    cut = data.draw(st.integers(0, file.path.stat().st_size), label="cut")
    file.path.write_bytes(file.path.read_bytes()[:cut])
    assert list(read_events(folder)) == events[: sum(end <= cut for end in ends)]


def test_a_folder_without_events(tmp_path):
    assert list(read_events(tmp_path)) == []

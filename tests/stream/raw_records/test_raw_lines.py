"""Lines of a block keep their places in the file."""

from hypothesis import given
from hypothesis import strategies as st

from telex.stream.raw_records.raw_lines import GatheredLines, RawLines


@given(st.binary().map(lambda data: data.replace(b"\r", b"\n")), st.integers(1, 9), st.integers(0, 99))
def test_each_line_is_found_at_its_place(data, line, offset):
    block = RawLines(data, "wire", line, offset)
    records = list(block.records())
    assert [raw for raw, _ in records] == block.lines()
    for i, (raw, (path, at, place)) in enumerate(records):
        assert (path, at) == ("wire", line + i)
        assert data[place - offset :].startswith(raw)
        assert data[: place - offset].count(b"\n") == i
    assert b"\n".join(block.lines()) + b"\n" * data.endswith(b"\n") == data


def test_lines_from_anywhere_keep_the_places_they_came_from():
    places = [("b", 3, 40), ("a", None, None)]
    block = GatheredLines([b"x", b"yz"], places)
    assert (block.data, block.lines(), list(block.records())) == (
        b"x\nyz\n",
        [b"x", b"yz"],
        list(zip([b"x", b"yz"], places, strict=True)),
    )
    assert block.place(1, 0) == ("a", None, None)

"""Several threads see the same order as one that reads line by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats import open_archive
from telex.stream.raw_records import files_ascend, order_scan
from telex.stream.sources import DeadLetter

BOM = b"\xef\xbb\xbf"


def key(line):
    """A line's key is its first letter; one that begins with a dash has none."""
    return None if not line.strip() or line.startswith(b"-") else line[:1]


def ends_of(data, start, stop):
    keys = [one for line in data[start:stop].split(b"\n") if (one := key(line)) is not None]
    if keys != sorted(keys):
        return None
    return (keys[0], keys[-1]) if keys else (b"", b"")


lines = st.lists(st.text("abc-x ", max_size=9).map(str.encode), max_size=20)


@given(st.lists(st.tuples(lines, st.booleans(), st.booleans(), st.booleans()), max_size=3), st.integers(1, 30))
def test_any_files_cut_into_any_parts(tmp_path_factory, files, part):
    folder, paths, all_keys = tmp_path_factory.mktemp("files"), [], []
    for i, (found, bom, ends, in_order) in enumerate(files):
        own = sorted(found) if in_order else found
        all_keys += [one for line in own if (one := key(line)) is not None]
        paths.append(folder / str(i))
        paths[-1].write_bytes(BOM * bom + b"\n".join(own) + b"\n" * (ends and bool(own)))
    assert files_ascend(list(map(str, paths)), ends_of, part) is (all_keys == sorted(all_keys))


def test_a_part_may_end_far_before_its_last_line(tmp_path, monkeypatch):
    (tmp_path / "long").write_bytes(b"a" * 50_000 + b"\nb")
    assert files_ascend([str(tmp_path / "long")], ends_of, 1000) is True
    monkeypatch.setattr(order_scan, "_LONGEST", 10_000)
    assert files_ascend([str(tmp_path / "long")], ends_of, 1000) is None


def test_a_file_that_cannot_be_read_is_not_judged(tmp_path):
    assert files_ascend([str(tmp_path / "none")], ends_of) is None


def test_what_a_look_raises_is_raised(tmp_path):
    def broken(data, start, stop):
        raise ValueError("broken")

    (tmp_path / "a").write_bytes(b"a\n" * 100)
    with pytest.raises(ValueError, match="broken"):
        files_ascend([str(tmp_path / "a")], broken, 10)


@pytest.mark.parametrize("last", [1, 30_000])
def test_a_document_out_of_time_far_behind_is_seen(tmp_path, last):
    path = tmp_path / "wire.jsonl"
    times = [*range(10, 20_010), last]
    path.write_text(
        "".join(f'{{"id": {i}, "time": {time}, "text": "cup final {i}"}}\n' for i, time in enumerate(times))
    )
    found = [item for item in open_archive(path) if not isinstance(item, DeadLetter)]
    assert [time for stories in found for time in stories.times.tolist()] == sorted(times)

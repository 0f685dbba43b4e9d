import gzip
import lzma
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats.reading import FilePart, Input, compression
from telex.adapters.formats.reading import line_blocks as lines
from telex.adapters.formats.reading.line_blocks import KEPT, LONGEST, read_blocks
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import RawLines
from telex.stream.sources import DeadLetter


class Chunks(Input):
    """An input that comes in the chunks given, and may break off."""

    def __init__(self, chunks, reason=None):
        self.path, self._chunks, self._reason, self.part = "file", chunks, reason, None

    def chunks(self):
        yield from self._chunks
        if self._reason:
            raise BrokenRecordError(self._reason)


def lines_of(items):
    for item in items:
        yield from item.records() if isinstance(item, RawLines) else [item]


@given(
    st.lists(st.text("ab\n", max_size=20).map(str.encode), max_size=10),
    st.sampled_from([None, "it breaks off"]),
)
def test_every_line_comes_once_with_its_place_however_chunks_are_cut(chunks, reason):
    data = b"".join(chunks)
    records = list(lines_of(read_blocks([Chunks(chunks, reason)])))
    whole, _, rest = data.rpartition(b"\n")
    lines = (whole.split(b"\n") if b"\n" in data else []) + ([rest] if rest and not reason else [])
    places = [sum(len(line) + 1 for line in lines[:i]) for i in range(len(lines))]
    expected = [(line, ("file", i + 1, places[i])) for i, line in enumerate(lines)]
    if reason:
        expected.append(DeadLetter(rest, "file", data.count(b"\n") + 1, len(data) - len(rest), "read", reason))
    elif not data:
        expected.append(DeadLetter(b"", "file", 1, 0, "read", "the file is empty"))
    assert records == expected


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_too_long_is_a_dead_letter_and_the_next_is_read(end):
    long = b"x" * (LONGEST + 1)
    data = b"a\nb\n" + long + (b"\nc\n" if end else b"")
    chunks = [data[at : at + (1 << 20)] for at in range(0, len(data), 1 << 20)]
    *before, letter = list(lines_of(read_blocks([Chunks(chunks)])))[:3]
    assert before == [(b"a", ("file", 1, 0)), (b"b", ("file", 2, 2))]
    reason = "the line is longer than 16 MiB; its first 64 KiB are stored"
    assert letter == DeadLetter(b"x" * KEPT, "file", 3, 4, "decode", reason)
    rest = list(lines_of(read_blocks([Chunks(chunks)])))[3:]
    assert rest == ([(b"c", ("file", 4, 4 + len(long) + 1))] if end else [])


def test_a_line_as_long_as_allowed_is_read():
    line = b"x" * LONGEST + b"\n"
    [block] = read_blocks([Chunks([line[:1000], line[1000:]])])
    assert block.data == line


def test_a_byte_order_mark_is_passed_over():
    assert list(lines_of(read_blocks([Chunks([b"\xef\xbb\xbfa\nb\n"])])))[1] == (b"b", ("file", 2, 5))


def squeeze(kind, data):
    if kind == "zst":
        zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
        return zstandard.ZstdCompressor().compress(data)
    return gzip.compress(data) if kind == "gz" else lzma.compress(data, preset=0)


@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
def test_compressed_files_are_recognised_by_their_bytes(file, kind):
    data = b"".join(b"%d some line of text\n" % (i * i) for i in range(60_000))
    source = Input(file(squeeze(kind, data[:1000]) + squeeze(kind, data[1000:]), "no-ending"))
    assert b"".join(source.chunks()) == data
    assert data.startswith(source.head())
    assert source.head()
    assert max(map(len, source.chunks())) <= 1 << 20


@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
def test_what_is_before_the_break_is_read(file, kind):
    data = b"".join(b"%d some line of text\n" % (i * i) for i in range(20_000))
    compressed = squeeze(kind, data)
    *records, letter = lines_of(read_blocks([Input(file(compressed[: len(compressed) * 2 // 3], "a"))]))
    got = b"".join(raw + b"\n" for raw, _ in records)
    assert len(got) > 1000
    assert data.startswith(got)
    assert letter.offset == len(got)
    assert letter.line == len(records) + 1
    assert data[len(got) :].startswith(letter.raw)
    assert (letter.stage, letter.reason) == (
        "read",
        f"the {'zstd' if kind == 'zst' else {'gz': 'gzip'}.get(kind, kind)} data are incomplete",
    )


def test_damaged_data_are_a_dead_letter_behind_what_could_be_read(file):
    data = b"".join(b"%d some line of text\n" % (i * i) for i in range(20_000))
    compressed = bytearray(gzip.compress(data))
    compressed[-6] ^= 1  # its checksum
    *records, letter = lines_of(read_blocks([Input(file(bytes(compressed), "a"))]))
    assert b"".join(raw + b"\n" for raw, _ in records) == data
    assert letter.reason.startswith("the gzip data are damaged: ")


def test_padding_behind_a_gzip_stream_is_allowed_and_junk_is_not(file):
    assert b"".join(Input(file(gzip.compress(b"a\n") + bytes(512), "a")).chunks()) == b"a\n"
    with pytest.raises(BrokenRecordError, match="damaged"):
        list(Input(file(gzip.compress(b"a\n") + b"junk", "a")).chunks())


@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
def test_a_bomb_is_unpacked_in_small_pieces(file, kind):
    source = Input(file(squeeze(kind, bytes(8 << 20)), "bomb"))
    assert max(map(len, source.chunks())) <= 1 << 20


def test_zstd_without_its_library_names_the_extra(file, monkeypatch):
    path = file(squeeze("zst", b"a\n"), "a")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(Exception, match=r"pip install 'telex\[zstd\]'"):
        list(Input(path).chunks())


@pytest.fixture
def soon(monkeypatch):
    """All bounds that take a gigabyte to reach, at 8 MiB."""
    monkeypatch.setattr(lines, "ENDLESS", 8 << 20)
    monkeypatch.setattr(compression, "_FREE", 8 << 20)


@pytest.mark.usefixtures("soon")
def test_a_line_without_end_ends_the_reading_of_its_file_alone():
    piece = bytes(1 << 20)
    taken = 0

    def endless():
        nonlocal taken
        yield b"a\n"
        while True:
            taken += 1
            yield piece

    before, letter, after = read_blocks([Chunks(endless()), Chunks([b"b\n"])], longest=1 << 20)
    assert (before.data, after.data) == (b"a\n", b"b\n")
    said = "a line goes on for more than 0 GiB; the rest of this file is not read"
    assert letter == DeadLetter(bytes(KEPT), "file", 2, 2, "read", said)
    assert taken == 10


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("blanks", [b"\n", b" \r\n", b"\n\n   \t"])
def test_blanks_without_end_end_the_reading_of_their_file_and_are_not_passed_on(blanks):
    chunk = blanks * (1 << 17)
    items = list(read_blocks([Chunks([b"a", *[chunk] * 200, b"\nb\n"]), Chunks([b"c\n"])]))
    letter, after = items[-2:]
    assert letter.reason == "blanks go on for more than 0 GiB; the rest of this file is not read"
    assert after.data == b"c\n"
    assert items[0].data.split() == [b"a"]
    assert 0 < sum(len(item.data) for item in items[:-2]) < 4 << 20


def test_behind_many_blanks_lines_and_offsets_are_right():
    chunk = b" \n" * (1 << 18)
    items = list(lines_of(read_blocks([Chunks([b"a\n", *[chunk] * 10, b"b\nc"])])))
    records = [(raw, place) for raw, place in items if raw.strip()]
    offset = 2 + 10 * len(chunk)
    first = 2 + 10 * (1 << 18)
    assert records == [(b"a", ("file", 1, 0)), (b"b", ("file", first, offset)), (b"c", ("file", first + 1, offset + 2))]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
@pytest.mark.parametrize("unit", [b"\0", b"\n", b"{}\n"])
def test_bombs_end_early_in_a_dead_letter(file, kind, unit):
    member = squeeze(kind, unit * ((16 << 20) // len(unit)))
    path = file(member * 64, "bomb")
    assert path.stat().st_size < 2 << 20
    size, letters = 0, []
    for item in read_blocks([Input(path)], longest=1 << 20):
        if isinstance(item, DeadLetter):
            letters.append(item)
        else:
            size += len(item.data)
    assert [letter.stage for letter in letters] == ["read"]
    assert "more than" in letters[0].reason
    assert "not read" in letters[0].reason
    assert size < 140 << 20  # of 1 GiB


@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
def test_streams_one_behind_the_other_that_unpack_to_much(file, kind):
    data = b"{}\n" * (1 << 20)
    source = Input(file(squeeze(kind, data) * 3, "a"))
    assert b"".join(source.chunks()) == data * 3


def test_a_bomb_in_a_bomb_is_unpacked_once(file):
    inner = gzip.compress(bytes(1 << 20))
    [*items] = read_blocks([Input(file(gzip.compress(inner), "bomb"))])
    assert sum(len(item.data) for item in items) == len(inner)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
def test_documents_that_differ_in_a_number_are_no_bomb(file, kind):
    body = b"the same words over and over " * 50
    data = b"".join(b'{"id": %d, "text": "%s"}\n' % (i, body) for i in range(20_000))
    source = Input(file(squeeze(kind, data), "a"))
    assert sum(map(len, source.chunks())) == len(data) > 24 << 20


def test_xz_that_asks_for_all_memory_is_damaged(file):
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]
    data = bytearray(lzma.compress(b"a\n", filters=filters))
    at = data.index(b"\x21\x01") + 2
    data[at] = 40  # a dictionary of four gigabytes
    data[20:24] = zlib.crc32(bytes(data[12:20])).to_bytes(4, "little")
    with pytest.raises(BrokenRecordError, match="the xz data are damaged: Memory usage limit"):
        list(Input(file(bytes(data), "a")).chunks())


@pytest.mark.parametrize("head", [b"", b"the head\n"])
def test_lines_of_a_part_have_their_places_in_the_file(file, head):
    path = file(head + b"a\nbc\nd", "a")
    first, begin = head.count(b"\n"), len(head)
    part = FilePart(header=begin, start=begin + 2, end=begin + 6, lines=first + 1)
    found = list(lines_of(read_blocks([Input(path, part)])))
    assert found[len(found) - 2 :] == [
        (b"bc", (str(path), first + 2, begin + 2)),
        (b"d", (str(path), first + 3, begin + 5)),
    ]

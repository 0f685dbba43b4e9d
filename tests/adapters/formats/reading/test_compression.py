"""What ISA-L unpacks is what zlib unpacks, and ends where zlib ends, with the same words."""

import gzip
import io
import random
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.formats.reading import compression
from telex.adapters.formats.reading.compression import decompress, decompress_file
from telex.adapters.formats.reading.input import Input
from telex.learners.base import BrokenRecordError

if not compression._has_isal():
    pytest.skip("isal is not installed: it has no wheel for this platform", allow_module_level=True)


def pieces(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


def ended(chunks):
    """All bytes, and the words of the error at the end."""
    found = []
    try:
        found.extend(chunks)
    except BrokenRecordError as error:
        return b"".join(found), str(error)
    return b"".join(found), None


def member(text, level, flags):
    """A gzip stream whose head has an extra field, a name, a comment and a checksum, as the flags say."""
    head = struct.pack("<4BL2B", 0x1F, 0x8B, 8, flags, 0, 0, 255)
    head += (b"\3\0abc" * bool(flags & 4)) + (b"name\0" * bool(flags & 8)) + (b"said\0" * bool(flags & 16))
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF) * bool(flags & 2)
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    body = packer.compress(text) + packer.flush()
    return head + body + struct.pack("<2L", zlib.crc32(text), len(text))


texts = st.one_of(
    st.binary(max_size=300),
    st.builds(lambda word, times: word * times, st.binary(min_size=1, max_size=9), st.integers(1, 9000)),
)
members = st.builds(member, texts, st.integers(0, 9), st.sampled_from([0, 0, 8, 8, 31]))
behind = st.sampled_from([b"", b"", b"\0", b"\0" * 600, b"\0x", b"x", b"\x1f\x8b", b"\x1f"])
damage = st.one_of(
    st.just(lambda data: data),
    st.integers(0, 400).map(lambda cut: lambda data: data[: max(0, len(data) - cut)]),
    st.tuples(st.integers(0, 2000), st.integers(1, 255)).map(
        lambda at: lambda data: bytes(x ^ at[1] * (i == at[0] % len(data)) for i, x in enumerate(data))
    ),
)


@given(st.lists(members, min_size=1, max_size=4).map(b"".join), behind, damage, st.integers(1, 4000))
@settings(max_examples=60)
def test_any_file_unpacks_to_the_same_bytes_and_the_same_error(data, tail, damaged, size):
    data = damaged(data + tail)
    assert ended(decompress_file(lambda: pieces(data, size))) == ended(decompress(pieces(data, size)))


def test_what_unpacks_to_too_much_ends_at_the_same_byte():
    data = gzip.compress(bytes(80 << 20), 9) + gzip.compress(b"x")
    slow, error = ended(decompress(pieces(data, 1 << 12)))
    assert "1000 times" in error
    assert ended(decompress_file(lambda: pieces(data, 1 << 12))) == (slow, error)


def test_a_large_file_is_unpacked_beside_what_reads_it(tmp_path):
    text = random.Random(1).randbytes(3 << 20)
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(text, 1)[:-4])
    source = Input(path)
    assert ended(source.chunks()) == (text, "the gzip data are incomplete")
    next(reading := source.chunks())
    reading.close()


def test_without_isal_all_is_unpacked_by_zlib(monkeypatch):
    monkeypatch.setattr(compression, "_has_isal", lambda: False)
    monkeypatch.setattr(compression, "_gunzipped", None)
    data = io.BytesIO(gzip.compress(b"Gold falls."))
    assert list(decompress_file(lambda: [data.getvalue()])) == [b"Gold falls."]

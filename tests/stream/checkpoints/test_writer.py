"""A state on disk, whole or not at all.

`reader` reads what is written here. `policy` is tested by the runs of tests/stream/run/test_run_state.py, `version_1`
by those of test_kept_runs.py beside it, `snapshot` in tests/stream/predict/test_model.py, and `inspect` and
`decisive_terms` by the command, in tests/adapters/cli/commands/test_inspect.py and test_inspect_words.py.
"""

import json
import os
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from telex.learners.base import UsageError
from telex.stream.checkpoints.reader import (
    VERSION,
    CheckpointError,
    Files,
    body_of,
    facts_of,
    read,
    sum_of,
    sum_of_file,
)
from telex.stream.checkpoints.writer import Block, leftovers, write
from telex.testing import crash_at

KEPT = Path(__file__).parents[2] / "data" / "checkpoints"
texts = st.text(st.characters(exclude_categories=()), max_size=8)
names = texts | st.sampled_from(["$array", "$block", "$", "$$array", "a0", "state"])
arrays = hnp.arrays(
    st.sampled_from([np.bool_, np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64]),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)
numbers = st.integers(-(2**80), 2**80) | st.floats(allow_nan=False)
leaves = st.none() | st.booleans() | numbers | texts | arrays
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3))
states = st.dictionaries(names, values, max_size=4)
BLOCK = {"x": np.arange(3), "y": np.zeros((2, 0), np.float32)}


def same(one, other):
    """Whether two states are the same to the bit."""
    if isinstance(one, dict):
        return isinstance(other, dict) and list(one) == list(other) and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        alike = isinstance(other, np.ndarray) and one.dtype == other.dtype and one.shape == other.shape
        return alike and one.tobytes() == other.tobytes()
    return type(one) is type(other) and repr(one) == repr(other)


@pytest.fixture
def small(tmp_path):
    """A small checkpoint with a block."""
    folder = tmp_path / "000001"
    write(folder, {"documents": 7}, {"n": 0.1, "a": np.arange(5), "b": Block("b", 1, BLOCK)})
    return folder


@given(states)
@settings(max_examples=60)
def test_what_was_written_is_read(tmp_path_factory, state):
    folder = tmp_path_factory.mktemp("kept") / "deep" / "000001"
    write(folder, {"documents": 1}, state)
    assert same(read(folder), state)
    assert facts_of(folder) == {"documents": 1}
    assert [one.name for one in folder.parent.iterdir()] == ["000001"]


def test_tuples_and_numpy_numbers_become_plain(tmp_path):
    write(tmp_path / "1", {}, {"a": (1, np.float64(0.5)), 3: np.int64(4)})
    assert read(tmp_path / "1") == {"a": [1, 0.5], "3": 4}


def test_fortran_order_and_slices_keep_their_values(tmp_path):
    whole = np.arange(12).reshape(3, 4)
    write(tmp_path / "1", {}, {"f": np.asfortranarray(whole), "s": whole[::2, ::-1]})
    found = read(tmp_path / "1")
    np.testing.assert_array_equal(found["f"], whole)
    np.testing.assert_array_equal(found["s"], whole[::2, ::-1])


def test_an_array_of_objects_is_refused(tmp_path):
    with pytest.raises(UsageError, match="array of Python objects"):
        write(tmp_path / "1", {}, {"a": np.array([None, "x"])})
    assert not list(tmp_path.iterdir())


# -- blocks


def inode(folder, name="b.npz"):
    return (folder / name).stat().st_ino


def test_an_unchanged_block_is_linked(small, tmp_path):
    second, third = tmp_path / "000002", tmp_path / "000003"
    write(second, {}, {"b": Block("b", 1, None)}, small)
    write(third, {}, {"b": Block("b", 2, {"x": np.ones(1)})}, second)
    assert inode(small) == inode(second) != inode(third)
    shutil.rmtree(small)
    assert same(read(second)["b"], BLOCK)
    assert same(read(third)["b"], {"x": np.ones(1)})


@pytest.mark.parametrize("given_again", [True, False])
def test_only_a_few_checkpoints_share_a_file(small, tmp_path, given_again):
    """What damages one file leaves a checkpoint whole in which the block is another."""
    block = Block("b", 1, BLOCK if given_again else None)
    for number in range(2, 7):
        write(tmp_path / f"{number:06}", {}, {"b": block}, tmp_path / f"{number - 1:06}", shared=2)
    inodes = [inode(tmp_path / f"{number:06}") for number in range(1, 7)]
    assert inodes[::2] == inodes[1::2]
    assert len(set(inodes)) == 3
    assert all(same(read(tmp_path / f"{number:06}")["b"], BLOCK) for number in range(1, 7))


def test_a_damaged_block_is_not_copied(small, tmp_path):
    with (small / "b.npz").open("r+b") as file:
        file.seek(60)
        file.write(b"damage")
    with pytest.raises(CheckpointError, match=r"b\.npz has changed since it was written"):
        write(tmp_path / "000002", {}, {"b": Block("b", 1, None)}, small, shared=1)
    with pytest.raises(UsageError, match="the block c is in no checkpoint yet"):
        write(tmp_path / "000002", {}, {"b": Block("c", 1, None)}, small)


@pytest.mark.parametrize("given_again", [True, False])
def test_without_links_a_block_is_written_or_copied(small, tmp_path, monkeypatch, given_again):
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    write(tmp_path / "000002", {}, {"b": Block("b", 1, BLOCK if given_again else None)}, small)
    assert inode(small) != inode(tmp_path / "000002")
    assert same(read(tmp_path / "000002")["b"], BLOCK)


@pytest.mark.parametrize("harm", ["truncated", "gone", "header"])
def test_a_broken_checkpoint_before_is_not_linked_to(small, tmp_path, harm):
    if harm == "header":
        (small / "header.json").write_text("{")
    elif harm == "gone":
        (small / "b.npz").unlink()
    else:
        os.truncate(small / "b.npz", 40)
    write(tmp_path / "000002", {}, {"b": Block("b", 1, BLOCK)}, small)
    assert same(read(tmp_path / "000002")["b"], BLOCK)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.tuples(st.integers(0, 2), arrays), max_size=3), max_size=5))
def test_blocks_are_what_was_given_whatever_is_linked(tmp_path_factory, rounds):
    folder, previous, known = tmp_path_factory.mktemp("kept"), None, {}
    for number, given_now in enumerate(rounds):
        blocks = {}
        for name, (stamp, array) in given_now.items():
            same_one = known.setdefault((name, stamp), array)  # the stamp says that they are the same
            blocks[name] = Block(name, stamp, {"x": same_one})
        here = folder / f"{number:06}"
        write(here, {}, blocks, previous)
        assert same(read(here), {name: dict(block.arrays) for name, block in blocks.items()})
        previous = here


# -- what is broken


@pytest.mark.parametrize("stays", [False, True])
def test_what_cannot_be_written_leaves_nothing(tmp_path, stays):
    state = {"a": np.arange(3), "b": Block("b", 1, BLOCK)}
    with crash_at(0) as calls:
        write(tmp_path / "whole", {}, state)
    for number in range(1, len(calls) + 1):
        folder = tmp_path / str(number)
        with pytest.raises(OSError, match="No space"), crash_at(number, stays=stays):
            write(folder / "000001", {}, state)
        # Behind the rename the checkpoint is whole: the last call only makes it sure to stay.
        assert [path.name for path in folder.iterdir()] == (["000001"] if number == len(calls) else [])
    assert same(read(folder / "000001")["b"], BLOCK)
    assert calls[-2:] == ["rename", "fsync"]


def test_a_leftover_is_no_hindrance(tmp_path):
    (tmp_path / ".new-000001").mkdir()
    (tmp_path / ".new-000001" / "state.npz").write_text("half")
    write(tmp_path / "000001", {}, {"n": 1})
    assert read(tmp_path / "000001") == {"n": 1}
    (tmp_path / ".gone-000000").mkdir()
    assert [path.name for path in leftovers(tmp_path)] == [".gone-000000"]


@pytest.mark.parametrize("name", ["header.json", "state.npz", "b.npz"])
def test_every_flipped_bit_is_noticed(small, name):
    expected, data = read(small), bytearray((small / name).read_bytes())
    for place in range(0, len(data), 1 if name == "header.json" else 3):
        data[place] ^= 1 << place % 8
        (small / name).write_bytes(data)
        try:
            assert same(read(small), expected)  # such as 1E-5 for 1e-5 in the header
            assert name == "header.json"
        except CheckpointError as error:
            assert "\n" not in str(error)  # noqa: PT017
            assert str(small) in str(error)  # noqa: PT017
        data[place] ^= 1 << place % 8


@pytest.mark.parametrize("name", ["header.json", "state.npz", "b.npz"])
def test_every_truncation_is_noticed(small, name):
    size = (small / name).stat().st_size
    for length in [*range(size - 1, 0, -7), 0]:
        os.truncate(small / name, length)
        with pytest.raises(CheckpointError):
            read(small)


@pytest.mark.parametrize("name", ["header.json", "state.npz", "b.npz"])
def test_a_file_that_is_gone_is_named(small, name):
    (small / name).unlink()
    with pytest.raises(CheckpointError, match=name):
        read(small)


def test_bytes_behind_the_end_are_noticed(small):
    with (small / "state.npz").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(CheckpointError, match=r"state\.npz has [\d,]+ bytes instead of"):
        facts_of(small)


@pytest.mark.parametrize(
    "header",
    [b"", b"\xff\xfe", b"[]", b"null", b"{}", b"[" * 100_000, b'{"format": "something else", "version": 1}', b"1e999"],
)
def test_what_is_something_else_is_refused(small, header):
    (small / "header.json").write_bytes(header)
    with pytest.raises(CheckpointError, match=r"not JSON|something else"):
        read(small)


def test_a_later_version_is_refused(small):
    header = json.loads((small / "header.json").read_text())
    (small / "header.json").write_text(json.dumps({**header, "version": VERSION + 1}))
    why = f"version {VERSION + 1}, and this Telex reads versions 1 and {VERSION}; use"
    with pytest.raises(CheckpointError, match=why):
        read(small)


def test_a_file_in_its_place_is_refused(tmp_path):
    (tmp_path / "000001").write_text("x")
    with pytest.raises(CheckpointError, match="cannot be read"):
        read(tmp_path / "000001")


def test_nothing_is_unpickled(small, tmp_path):
    """Someone who knows how sums are made can write a checkpoint; he cannot have code run."""

    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    np.savez(small / "state.npz", a0=np.array([Trap()], object))
    _sign(small)
    with pytest.raises(CheckpointError, match="allow_pickle"):
        read(small)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("state", [[], None, {"a": {"$array": "none"}}, {"a": {"$block": "c"}}, {"a": {"$array": []}}])
def test_a_state_that_cannot_be_is_refused(small, state):
    _sign(small, state=state)
    with pytest.raises(CheckpointError, match="is broken"):
        read(small)


@pytest.mark.parametrize("content", [b"", b"PK", b"\x93NUMPY\x01\x00\xff\xff", b"x" * 200])
def test_a_file_that_is_no_archive_is_refused(small, content):
    (small / "state.npz").write_bytes(content)
    _sign(small)
    with pytest.raises(CheckpointError, match="is broken"):
        read(small)


def test_a_file_that_is_no_archive_is_not_left_open(small):
    (small / "state.npz").write_bytes(b"PK")
    before = len(os.listdir("/proc/self/fd"))
    files = Files(small, body_of(small)["files"])
    with pytest.raises(Exception, match=r"zip|pickle"):
        files["state.npz"]
    files.__exit__()
    assert len(os.listdir("/proc/self/fd")) == before


def _sign(folder, **more):
    """Write a header that fits what is in ``folder``."""
    header = json.loads((folder / "header.json").read_text())
    files = [path for path in folder.iterdir() if path.suffix == ".npz"]
    body = {
        **header["body"],
        "files": {path.name: path.stat().st_size for path in files},
        "sums": {path.name: sum_of_file(path) for path in files},
        **more,
    }
    (folder / "header.json").write_text(json.dumps({**header, "sum": sum_of(body), "body": body}))


# -- the format


def made():
    """The module that has written the checkpoints stored as fixtures."""
    spec = spec_from_file_location("checkpoints_make", KEPT / "make.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def live(state):
    """The state as it is read: blocks as their arrays."""
    return {name: dict(one.arrays) if isinstance(one, Block) else one for name, one in state.items()}


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_checkpoint_of_each_version_is_read(version):
    module = made()
    assert same(read(KEPT / version), live(module.STATE))
    assert facts_of(KEPT / version) == module.FACTS


def test_the_format_is_what_it_was(tmp_path):
    """A checkpoint written now differs from the stored one only in how its zip files are packed."""
    module = made()
    write(tmp_path / "now", module.FACTS, module.STATE)
    then, now = (
        json.loads((folder / "header.json").read_bytes().decode(errors="surrogatepass"))
        for folder in (KEPT / "v2", tmp_path / "now")
    )
    for header in (then, now):
        del header["sum"], header["body"]["sums"]
        header["body"]["files"] = sorted(header["body"]["files"])
    assert repr(now) == repr(then)
    assert now["version"] == VERSION == 2
    for name in ("state.npz", "waiting-3.npz"):
        with np.load(KEPT / "v2" / name) as old, np.load(tmp_path / "now" / name) as new:
            assert same(dict(old), dict(new))


def test_a_checkpoint_is_read_where_bytes_have_the_other_order(tmp_path):
    other = ">" if sys.byteorder == "little" else "<"
    write(tmp_path / "1", {}, {"a": np.arange(3).astype(f"{other}i8")})
    assert read(tmp_path / "1")["a"].tolist() == [0, 1, 2]

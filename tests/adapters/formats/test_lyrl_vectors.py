import gzip
import io
import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.formats.lyrl_vectors import LyrlVectors
from telex.adapters.formats.reading import Input
from telex.adapters.formats.reading import input as inputs
from telex.learners.base import Batch, UsageError
from telex.stream.sources import DeadLetter

VECTORS = b"2287  7:0.6 9:0.8\n2286  9:1\n300 7:1\n"


def test_real_documents_are_those_that_plain_python_reads(rcv1, data):
    source = LyrlVectors([data / "rcv1" / "lyrl2004_vectors.dat.gz"])
    batches = list(source)
    assert source.qrels.path.endswith("rcv1-v2.topics.qrels.gz")
    assert sum(map(len, batches)) == len(rcv1) == 17_189
    lengths = [len(features) for features, _ in rcv1]
    numbers = np.fromiter((number for features, _ in rcv1 for number in features), np.int64, sum(lengths))
    weights = np.fromiter((x for features, _ in rcv1 for x in features.values()), np.float64, sum(lengths))
    row = np.repeat(np.arange(len(rcv1)), lengths)
    in_row = np.lexsort((numbers, row))
    numbers, weights = numbers[in_row], weights[in_row]
    known, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    assert list(source.feature_names) == known[np.argsort(first)].tolist()
    expected = np.argsort(np.argsort(first))[inverse]
    by_id = np.lexsort((expected, row))
    ids, values = (np.concatenate([getattr(batch, part) for batch in batches]) for part in ("features", "values"))
    assert ids.tolist() == expected[by_id].tolist()
    assert values.tobytes() == weights[by_id].astype(np.float32).tobytes()
    topics = dict.fromkeys(topic for _, topics in rcv1 for topic in sorted(topics))
    assert list(source.label_names) == list(topics)
    truth = [batch.labels_of(row) for batch in batches for row in range(len(batch))]
    assert truth == [sorted(topics) for _, topics in rcv1]


def test_labels_come_from_the_qrels_beside_the_first_file(plain, file):
    path = file(VECTORS, "vectors.dat")
    file(gzip.compress(b"ECAT 2286 1\nCCAT 2286 1\nGCAT 2287 0\nGCAT 1 1\n"), "rcv1-v2.topics.qrels.gz")
    file(b"I1 2286 1\n", "rcv1-v2.industries.qrels")
    labels = {name: labels for name, _, labels in plain(LyrlVectors([path]))}
    assert labels == {"300": None, "2286": ["CCAT", "ECAT"], "2287": []}


def test_a_qrels_file_can_be_named(plain, file):
    path, qrels = file(VECTORS), file(b"I1 300 1\n", "truth")
    assert plain(LyrlVectors(path, qrels=qrels))[0][2] == ["I1"]
    assert [labels for *_, labels in plain(LyrlVectors(path))] == [None] * 3


def test_which_qrels_is_not_guessed(file):
    path = file(VECTORS)
    file(b"", "a.qrels")
    file(b"", "b.qrels")
    with pytest.raises(UsageError, match=r"several qrels files are beside .* \(a.qrels, b.qrels\); say which"):
        LyrlVectors(path)


def test_broken_lines_of_the_qrels_are_dead_letters_in_every_pass(plain, file):
    path = file(VECTORS)
    qrels = file(b"A 300 1\nA 300\nA 300 2\nA 300 1\n\nB 300 1 1\n\xff 300 1\nB 300 1", "x.qrels")
    source = LyrlVectors(path, qrels=qrels)
    letters = [item for item in source if isinstance(item, DeadLetter)]
    assert [(letter.raw, letter.path, letter.line, letter.offset, letter.stage) for letter in letters] == [
        (b"A 300", str(qrels), 2, 8, "decode"),
        (b"A 300 2", str(qrels), 3, 14, "decode"),
        (b"A 300 1", str(qrels), 4, 22, "decode"),
        (b"B 300 1 1", str(qrels), 6, 31, "decode"),
        (b"\xff 300 1", str(qrels), 7, 41, "decode"),
    ]
    assert letters[2].reason == 'label "A" of document "300" is given twice'
    assert [item for item in source if isinstance(item, DeadLetter)] == letters
    assert plain(source)[5][2] == ["A", "B"]


def test_what_is_no_qrels_at_all_is_reported(file):
    path = file(VECTORS)
    source = LyrlVectors(path, qrels=file(VECTORS * 20, "other"))
    with pytest.raises(UsageError, match="is not a qrels file"):
        list(source)


def test_many_documents_and_labels_in_any_order(plain, file):
    rng = random.Random(1)
    truth = {f"{'id' * (i % 3)}{i}": rng.sample([f"T{k}" for k in range(50)], rng.randrange(5)) for i in range(3000)}
    lines = [f"{label} {name} 1\n" for name, labels in truth.items() for label in labels]
    rng.shuffle(lines)
    qrels = file("".join(lines).encode(), "x.qrels")
    path = file("".join(f"{name} 1:1\n" for name in truth).encode())
    found = {name: labels for name, _, labels in plain(LyrlVectors(path, qrels=qrels, order="file"))}
    assert found == {name: sorted(labels) or None for name, labels in truth.items()}


def test_a_document_without_id_is_broken(plain, file):
    items = plain(LyrlVectors(file(b"1:1 2:1\n7 1:1\n"), order="file"))
    assert items[0] == (1, "the document id is missing")
    assert items[1][0] == "7"


def test_several_parts_shuffled_are_one_stream_in_order_of_id(plain, file):
    rng = random.Random(2)
    lines = [f"{i} {' '.join(f'{n}:{rng.random():.6f}' for n in rng.sample(range(99), 9))}\n" for i in range(8, 999)]
    whole = LyrlVectors(file("".join(lines).encode(), "whole"))
    expected = plain(whole)
    rng.shuffle(lines)
    parts = [
        file("".join(lines[:300]).encode(), "a"),
        file(gzip.compress("".join(lines[300:]).encode()), "b"),
    ]
    shuffled = LyrlVectors(parts, rows=100)
    assert plain(shuffled) == expected
    assert plain(shuffled) == expected
    assert list(shuffled.feature_names) == list(whole.feature_names)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["7:1", "9:0.5 7:0.25", "x", "8:1 8:2"])), min_size=1),
    st.booleans(),
    st.integers(20, 200),
    st.integers(1, 9),
)
@settings(max_examples=30)
def test_order_and_letters_are_the_same_however_a_file_is_read(tmp_path_factory, plain, lines, shuffled, size, rows):
    lines = lines if shuffled else sorted(lines, key=lambda line: line[0])
    folder = tmp_path_factory.mktemp("lyrl")
    (folder / "topics.qrels").write_text("".join(f"T{i % 5} {i} 1\n" for i in range(0, 30, 2)))
    text = "".join(f"{name} {pairs}\n" for name, pairs in lines).encode()
    (folder / "vectors.dat").write_bytes(text)
    (folder / "vectors.dat.gz").write_bytes(gzip.compress(text))
    expected = []
    for number, (name, pairs) in sorted(enumerate(lines, 1), key=lambda line: line[1][0]):
        found = (str(name), [f"T{name % 5}"] if name % 2 == 0 and name < 30 else None)
        expected.append(number if pairs in {"x", "8:1 8:2"} else found)
    whole = plain(LyrlVectors(folder / "vectors.dat"))
    assert [(item[0], item[2]) if len(item) == 3 else item[0] for item in whole] == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "_READ", size)
        patch.setattr(inputs, "_WORTH_A_THREAD", 0)
        for name in ("vectors.dat", "vectors.dat.gz"):
            assert plain(LyrlVectors(folder / name, rows=rows)) == whole


def test_dead_letters_keep_their_places_in_a_shuffled_file(file):
    path = file(b"30 1:1\n20 x\n10 1:1\n")
    first, letter, last = LyrlVectors(path)
    assert (list(first.ids), list(last.ids)) == (["10"], ["30"])
    assert letter == DeadLetter(b"20 x", str(path), 2, 7, "decode", '"x" is not feature:weight')


def test_standard_input_streams_in_file_order_and_is_put_aside_for_another(monkeypatch, plain):
    def given(**options):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(VECTORS)))
        return LyrlVectors(["-"], **options)

    assert [name for name, *_ in plain(given(order="file"))] == ["2287", "2286", "300"]
    assert [name for name, *_ in plain(given())] == ["300", "2286", "2287"]
    twice = given(order="file", passes=2)
    assert plain(twice) == plain(twice)
    once = given(order="file")
    plain(once)
    with pytest.raises(UsageError, match="can be read only once"):
        plain(once)


def test_time_is_no_order_here(file):
    with pytest.raises(UsageError, match=r"order=time: these documents have no time; give order=id or order=file"):
        LyrlVectors(file(VECTORS), order="time")
    with pytest.raises(UsageError, match=r"order=random: give one of time, id, file"):
        LyrlVectors(file(VECTORS), order="random")


def test_a_broken_file_among_others_is_passed_over(plain, file):
    paths = [file(VECTORS, "a"), file(b"", "b"), file(gzip.compress(VECTORS * 9)[:-9], "c")]
    items = plain(LyrlVectors(paths, order="file"))
    assert items[3] == (1, "the file is empty")
    assert items[-1][1] == "the gzip data are incomplete"


@pytest.mark.parametrize(
    ("head", "name", "fits"),
    [
        (VECTORS, "vectors.dat", False),
        (VECTORS, "lyrl2004_vectors.dat", True),
        (VECTORS.replace(b"300 ", b"300  "), "vectors.dat", True),
        (b"".join(b"%d 1:1\n" % i for i in range(20)), "vectors.dat", True),
        (b"".join(b"%d 1:1\n" % (i % 3) for i in range(20)), "vectors.dat", False),
        (b"1,2  1:1\n", "lyrl.dat", False),
        (b"", "lyrl.dat.gz", True),
    ],
)
def test_recognised_by_content(tmp_path, head, name, fits):
    assert LyrlVectors.recognises(head, str(tmp_path / name)) is fits


def test_qrels_beside_tell_the_format(file):
    path = file(VECTORS)
    assert not LyrlVectors.recognises(VECTORS, str(path))
    file(b"A 300 1\n", "t.qrels")
    assert LyrlVectors.recognises(VECTORS, str(path))


def test_inputs_can_be_handed_over(file):
    [batch] = LyrlVectors([Input(file(VECTORS))])
    assert isinstance(batch, Batch)


@pytest.mark.parametrize("data", [b"1 1:1\n2 1:1\n", b"2 1:1\n1 1:1\n"])
def test_the_share_of_a_pass_that_is_read(file, data):
    source = LyrlVectors([file(data, "a"), file(gzip.compress(b"3 1:1\n"), "b")], rows=1)
    for _ in range(2):
        shares = [source.share_read for _ in source]
        assert shares == sorted(shares)
        assert 0 < shares[0] <= shares[-1] == 1
    assert LyrlVectors([file(b"", "c")]).share_read is None

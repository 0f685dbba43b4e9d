import pytest

from telex.adapters.formats.svmlight import SvmLight
from telex.learners.base import UsageError
from telex.stream.sources import RecordBudget

ONE = 0x3F800000


def test_labels_are_texts_and_none_is_an_answer(plain, file):
    path = file(b"# head\n1,B 3:1 # two\n 3:1\n2:1\n+1 qid:7 3:1\n\n  # only a comment\n01\n")
    assert plain(SvmLight(path)) == [
        ("0", {3: ONE}, ["1", "B"]),
        ("1", {3: ONE}, []),
        ("2", {2: ONE}, []),
        ("3", {3: ONE}, ["+1"]),
        ("4", {}, ["01"]),
    ]


@pytest.mark.parametrize("base", [True, "true", "auto"])
def test_feature_0_has_its_base(plain, file, base):
    path = file(b"A 0:1 1:1\nA 1:1\n")
    assert plain(SvmLight(path))[0] == (1, "feature id 0 in a one-based file; say zero_based=true")
    assert plain(SvmLight(path))[1] == ("0", {1: ONE}, ["A"])
    assert plain(SvmLight(path, zero_based=base))[0] == ("0", {0: ONE, 1: ONE}, ["A"])


def test_ids_are_positions_over_all_files(plain, file):
    paths = [file(b"A 1:1\nB x\nA 1:1", "a"), file(b"C 1:1\r\n", "b")]
    items = plain(SvmLight(paths))
    assert [item[0] for item in items] == ["0", 2, "1", "2"]
    assert items[-1][2] == ["C"]


def test_the_reference_reader_agrees(plain, file):
    sklearn = pytest.importorskip("sklearn.datasets", reason="scikit-learn is not installed")
    path = file(b"1,2 1:0.25 3:7e-3 # x\n 2:-1.5\n3 qid:2 5:123456.75\n")
    x, y = sklearn.load_svmlight_file(str(path), multilabel=True, zero_based=True, dtype="float32")
    archive = SvmLight(path)
    archive.budget = RecordBudget.of("none")
    items = plain(archive)
    assert [tuple(map(float, labels)) for *_, labels in items] == y
    for row, (_, features, _) in enumerate(items):
        values = x.getrow(row)
        assert features == dict(zip(values.indices.tolist(), values.data.view("uint32").tolist(), strict=True))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"zero_based": "yes"}, "zero_based=yes: give true, false or auto"),
        ({"order": "id"}, "order=id: these documents have neither id nor time; give order=file"),
        ({"rows": "0"}, "rows=0: give a whole number from 1 up"),
        ({"rows": "many"}, "rows=many: give a whole number from 1 up"),
    ],
)
def test_wrong_options(file, options, said):
    with pytest.raises(UsageError) as caught:
        SvmLight(file(b"A 1:1\n"), **options)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("head", "fits"),
    [
        (b"1,2 3:0.5 4:1\n", True),
        (b"# comment\n 3:0.5\n", True),
        (b"+1 qid:3 3:1e-5 # x\r\n", True),
        (b"broken line\n1 2:3\n1 2:3\n", True),
        (b'{"id": 1}\n', False),
        (b"hello\nworld\n", False),
        (b"some text: with colons\n", False),
        (b"", False),
    ],
)
def test_recognised_by_content(head, fits):
    assert SvmLight.recognises(head, "file.txt") is fits


def test_an_empty_file_is_recognised_by_its_name():
    assert SvmLight.recognises(b"", "a.svmlight")

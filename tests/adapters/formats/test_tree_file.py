"""Files of trees in four forms; one that is broken is refused in a sentence."""

import gzip

import pytest

from telex.adapters.formats import read_tree
from telex.learners.base import UsageError

RCV1 = """\
parent: None    child: Root    child-description: No Description
parent: Root    child: CCAT    child-description: CORPORATE/INDUSTRIAL
parent: CCAT    child: C15    child-description: PERFORMANCE
parent: C15     child: C151   child-description: ACCOUNTS/EARNINGS
parent: Root    child: GCAT   child-description: GOVERNMENT/SOCIAL
"""
PAIRS = "# topics\nCCAT\tC15\n\nC15\tC151\n\tGCAT\nNone\tCCAT\n"
PATHS = "\ufeffCCAT/C15/C151\nCCAT\nGCAT\n"


@pytest.mark.parametrize("text", [RCV1, PAIRS, PATHS, RCV1.replace("\n", "\r\n")])
def test_forms(text, tmp_path):
    path = tmp_path / "tree"
    path.write_bytes(text.encode())
    tree = read_tree(path)
    assert {label: tree.path(label)[1:] for label in tree.labels} == {
        "CCAT": [],
        "GCAT": [],
        "C15": ["CCAT"],
        "C151": ["C15", "CCAT"],
    }


def test_arff(tmp_path):
    path = tmp_path / "x.arff.gz"
    text = b"@RELATION x\n@ATTRIBUTE a NUMERIC\n@attribute class hierarchical 2,6/2/0\n@DATA\n0,6@6/2\n"
    path.write_bytes(gzip.compress(text))
    tree = read_tree(path)
    assert tree.labels == ("2", "6", "6/2", "6/2/0")
    assert tree.path("6/2/0") == ["6/2/0", "6/2", "6"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; give lines 'parent TAB child'"),
        (b"# nothing\n\n", "is empty"),
        (b"a\tb\tc\n", "'a.tb.tc' is not 'parent TAB child'; mend the line"),
        (b"a\t\nx\ty\n", "is not 'parent TAB child'"),
        (b"a\tb\nc\tb\n", "the label 'b' has two parents in the tree, 'a' and 'c'; keep one"),
        (b"a\tb\nb\ta\n", "goes round in a circle: 'b' under 'a' under 'b'"),
        (b"a//b\n", "'a//b' is not a path such as economy/trade/oil"),
        (b"parent: Root child: A\nRoot B\n", "'Root B' is not 'parent: X child: Y'"),
        (b"@relation x\n@data\n", "without a hierarchical attribute"),
        (b"@relation x\n@attribute a numeric\n", "without a hierarchical attribute"),
        (b"@attribute class hierarchical\n@data\n", "without a hierarchical attribute"),
        (b"@attribute class hierarchical ,\n@data\n", "'' is not a path such as economy/trade/oil; mend the line"),
        (b"@attribute class hierarchical a//b,c\n", "'a//b' is not a path such as economy/trade/oil; mend the line"),
        ("".join(f"n{i}\tn{i + 1}\n" for i in range(100_000)).encode(), "has 100,001 levels, down to 'n100000'"),
        ("/".join(f"n{i}" for i in range(100_000)).encode(), "has 100,000 levels, down to 'n99999'"),
        (b"\xff\xfe\n", r"is not UTF-8 \(byte 0\); convert it"),
        (b"\x1f\x8b broken", "give a file that can be read"),
    ],
)
def test_broken_files(data, message, tmp_path):
    path = tmp_path / ("tree.gz" if data[:2] == b"\x1f\x8b" else "tree")
    path.write_bytes(data)
    with pytest.raises(UsageError, match=message) as found:
        read_tree(path)
    assert str(path) in str(found.value)
    assert "\n" not in str(found.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="there is no such file"):
        read_tree(tmp_path / "nowhere")


def test_a_folder(tmp_path):
    with pytest.raises(UsageError, match="this is a folder"):
        read_tree(tmp_path)


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr("telex.adapters.formats.tree_file._LARGEST", 1 << 20)
    path = tmp_path / "tree.gz"
    path.write_bytes(gzip.compress(b"a\n" * (1 << 20)))
    with pytest.raises(UsageError, match="has more than 1 MB; give lines 'parent TAB child'"):
        read_tree(path)


def test_documents_behind_a_header_are_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("telex.adapters.formats.tree_file._LARGEST", 1 << 22)
    path = tmp_path / "x.arff"
    path.write_bytes(b"@attribute 'the class' hierarchical a/b,c\n@data\n" + b"0,a/b\n" * (1 << 21))
    assert read_tree(path).labels == ("a", "c", "a/b")


def test_a_label_twice(tmp_path):
    path = tmp_path / "tree"
    path.write_text("a\tb\na\tb\n\ta\n")
    assert read_tree(path).labels == ("a", "b")

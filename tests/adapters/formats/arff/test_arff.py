"""ARFF files; `header` and `rows` have no test of their own, as a row means nothing without its header."""

import io
import lzma
import sys

import pytest

from telex.adapters.formats.arff.arff import Arff
from telex.adapters.formats.arff.header import split_values
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.sources import DeadLetter

MEKA = b"""% a comment
@RELATION 'news: -C 2 -split 0.67'

@attribute war {0,1}
@ATTRIBUTE 'foreign trade' {0, 1}
@attribute size real
@attribute desk { home,'far, away' }
@attribute late {0,1}
@data
"""


def documents(source):
    """(id, features, labels or None) for documents, (line, stage, reason) for dead letters."""
    items = []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append((item.line, item.stage, item.reason))
            continue
        for row, name in enumerate(item.ids):
            part = slice(item.indptr[row], item.indptr[row + 1])
            names = [item.feature_names[i] for i in item.features[part]]
            features = dict(zip(names, item.values[part].tolist(), strict=True))
            items.append((name, features, item.labels_of(row) if item.labelled[row] else None))
    return items


@pytest.mark.parametrize(
    ("row", "features", "labels"),
    [
        (b"1,0,2.5,home,1", {"size": 2.5, "desk=home": 1, "late": 1}, ["war"]),
        (b" 0 , 1 , 0 , 'far, away' , 0 ", {"desk=far, away": 1}, ["foreign trade"]),
        (b'1,1,-1e3,"far, away",?', {"size": -1000, "desk=far, away": 1}, ["foreign trade", "war"]),
        (b"0,0,?,?,0", {}, []),
        (b"?,?,1,home,0", {"size": 1, "desk=home": 1}, None),
        (b"1 0 2.5 home 1", {"size": 2.5, "desk=home": 1, "late": 1}, ["war"]),
        (b"{}", {"desk=home": 1}, []),
        (b"{0 1, 2 2.5}", {"size": 2.5, "desk=home": 1}, ["war"]),
        (b"{ 3 'far, away' ,1 1 , 4 1 }", {"desk=far, away": 1, "late": 1}, ["foreign trade"]),
        (b"{3 ?, 0 ?, 1 ?}", {}, None),
    ],
)
def test_rows_dense_and_sparse(file, row, features, labels):
    assert documents(Arff(file(MEKA + row + b"\n"))) == [("0", features, labels)]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"1,0,2.5,home", "the number of values is 4, that of attributes 5"),
        (b"1,0,2.5,home,1,{5}", "the number of values is 6"),
        (b"2,0,2.5,home,1", "'war' is '2', neither 0 nor 1"),
        (b"1,0,2.5,near,1", "'desk' is 'near', which its attribute does not list"),
        (b"1,0,many,home,1", "'size' is 'many', which is not a number"),
        (b"1,0,1_0,home,1", "'size' is '1_0', which is not a number"),
        (b"1,0,nan,home,1", "feature 'size' has the value nan"),
        (b"1,0,1e39,home,1", "feature 'size' has the value 1e+39"),
        (b"1,?,1,home,1", "1 of 2 labels are question marks"),
        (b"1,0,1,'home,1", "a quote is opened and not closed"),
        (b"1,0,1,hom\xe9,1", "this is not UTF-8"),
        (b"{0 1", "the row begins with { but does not end with }"),
        (b"{0 1, 0 1}", "the index 0 comes twice"),
        (b"{5 1}", "the index 5 is not below 5"),
        (b"{99999999999999999999 1}", "the index 99999999999999999999 is not below 5"),
        (b"{0:1}", "'0:1,' is not `index value`"),
    ],
)
def test_a_broken_row_is_a_dead_letter_and_reading_continues(file, row, reason):
    path = file(MEKA + b"1,0,1,home,0\n% x\n\n" + row + b"\n0,1,1,home,0\n")
    first, letter, last = Arff(path)
    offset = len(MEKA) + len(b"1,0,1,home,0\n% x\n\n")
    assert letter == DeadLetter(row, str(path), 13, offset, "decode", letter.reason)
    assert reason in letter.reason
    assert (first.labels_of(0), last.labels_of(0), last.numbers.tolist()) == (["war"], ["foreign trade"], [1])


@pytest.mark.parametrize(("n", "labels"), [(1, ["a"]), (-1, ["d"]), (-2, ["c", "d"]), (4, ["a", "b", "c", "d"])])
def test_meka_counts_from_the_front_or_the_back(file, n, labels):
    header = b"@relation 'x: -C %d'\n" % n + b"".join(b"@attribute %c {0,1}\n" % name for name in b"abcd")
    source = Arff(file(header + b"@data\n1,1,1,1\n"))
    assert documents(source)[0][2] == labels
    assert source.header(source.title).label_names == labels


def mulan(*names):
    return b"<labels xmlns='http://mulan.sourceforge.net/labels'>" + b"".join(names) + b"</labels>"


PLAIN = b"@relation x\n@attribute a numeric\n@attribute b {0,1}\n@attribute c {0,1}\n@data\n2,1,0\n"


def test_mulan_labels_are_in_xml_beside_the_file_or_where_the_option_says(file, tmp_path):
    path = file(PLAIN, "news-train.arff")
    nested = file(mulan(b'<label name="b"><label name="c"/></label>'), "news.xml")
    assert documents(Arff(path)) == [("0", {"a": 2}, ["b"])]
    other = file(mulan(b'<label name="c"/>'), "other.xml")
    assert documents(Arff(path)) == [("0", {"a": 2}, ["b"])]
    assert documents(Arff(path, labels=str(other))) == [("0", {"a": 2, "b": 1}, [])]
    nested.rename(tmp_path / "more.xml")
    with pytest.raises(
        UsageError, match=r"several XML files are beside .* \(more.xml, other.xml\); give labels=FILE.xml"
    ):
        Arff(path)


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        (mulan(b'<label name="z"/>'), "names the label 'z', which"),
        (mulan(), "names no labels"),
        (b"<labels>", "is no list of labels: the XML is not well-formed"),
        (b'<!DOCTYPE l [<!ENTITY e SYSTEM "file:///etc/hosts">]><labels/>', "declares a document type"),
        (mulan(b'<label name="d"/>'), "the label 'd' must have the values 0 and 1"),
    ],
)
def test_xml_that_does_not_fit(file, xml, said):
    file(xml, "a.xml")
    with pytest.raises(UsageError, match=said):
        Arff(file(PLAIN.replace(b"@data", b"@attribute d {x,y}\n@data"), "a.arff"))


HIERARCHICAL = b"@relation x\n@attribute a numeric\n@attribute class hierarchical 1,1/1,1/1/2,2,2/3\n@data\n"


@pytest.mark.parametrize(
    ("cell", "closed", "plain"),
    [
        (b"1/1/2@2", ["1", "1/1", "1/1/2", "2"], ["1/1/2", "2"]),
        (b"1@1/1", ["1", "1/1"], ["1", "1/1"]),
        (b"", [], []),
        (b"?", None, None),
        (b"2/4", "'class' is '2/4', which its attribute does not list", ""),
        (b"2@2", ["2"], ["2"]),
    ],
)
def test_paths_in_a_hierarchy(file, cell, closed, plain):
    path = file(HIERARCHICAL + b"1," + cell + b"\n")
    if isinstance(closed, str):
        assert documents(Arff(path)) == [(5, "decode", closed)]
        return
    assert documents(Arff(path)) == [("0", {"a": 1}, closed)]
    assert documents(Arff(path, ancestors="false")) == [("0", {"a": 1}, plain)]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (
            b"@relation x\n@attribute t string\n@data\n",
            "the attribute 't' is of type string, and only numeric, nominal and",
        ),
        (b"@relation x\n@attribute t date yyyy\n@data\n", "of type date"),
        (b"@relation x\n@attribute t\n@data\n", "of type none"),
        (b"@relation x\n@attribute a numeric\n@attribute a numeric\n@data\n", "the attribute 'a' comes twice"),
        (
            b"@relation x\n@attribute a numeric\n@data\n",
            "does not say which attributes are labels; give labels=FILE.xml",
        ),
        (b"@relation 'x: -C 3'\n@attribute a numeric\n@data\n", "-C 3 does not fit 1 attributes"),
        (b"@relation 'x: -C 1'\n@attribute a {x,y}\n@data\n", "the label 'a' must have the values 0 and 1"),
        (b"@relation x\n1,2,3\n@data\n", "the header holds '1,2,3'; give @relation, @attribute and @data"),
        (b"@relation \xff\n@data\n", "is not in UTF-8"),
    ],
)
def test_a_header_that_cannot_be_read_is_wrong_use_at_the_first_file_and_a_dead_letter_later(file, header, said):
    path = file(header, "a.arff")
    with pytest.raises(UsageError) as caught:
        Arff(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    first, letter, last = Arff([file(MEKA + b"{}\n", "b"), path, file(MEKA + b"{}\n{}\n", "c")])
    assert (len(first), letter.stage, len(last)) == (1, "read", 2)
    assert said in letter.reason


def test_lines_of_strange_space_are_blank(file):
    header = "@relation 'r: -C -1'\n\x1f\x1f\n\u2003\n@attribute a numeric\n@attribute war {0,1}\n@data\n".encode()
    assert documents(Arff(file(header + b"2,1\n"))) == [("0", {"a": 2.0}, ["war"])]


def test_wrong_options(file):
    path = file(MEKA)
    with pytest.raises(UsageError, match="ancestors=maybe: give true or false"):
        Arff(path, ancestors="maybe")
    with pytest.raises(UsageError, match="order=time: these documents have neither id nor time"):
        Arff(path, order="time")


def test_a_file_that_ends_in_its_header_is_a_dead_letter(file):
    assert documents(Arff([file(MEKA[:-6], "a"), file(MEKA + b"{}\n", "b")])) == [
        (8, "read", "the file ends before @data"),
        ("0", {"desk=home": 1}, []),
    ]
    assert documents(Arff(file(b"", "c"))) == [(1, "read", "the file is empty")]


def test_what_breaks_off_is_a_dead_letter_behind_what_could_be_read(file):
    whole = lzma.compress(MEKA + b"".join(b"1,0,%d,home,0\n" % (i * i) for i in range(1, 20_000)))
    *items, letter = documents(Arff(file(whole[: len(whole) // 2])))
    assert len(items) > 1000
    assert letter[1:] == ("read", "the xz data are incomplete")


def test_standard_input_and_a_second_pass(monkeypatch, plain):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lzma.compress(MEKA + b"{0 1}\n{1 1}\n"))))
    source = Arff("-", passes=2, rows=1)
    assert plain(source) == plain(source)
    assert list(source.label_names) == ["war", "foreign trade"]


@pytest.mark.parametrize("text", ["'a", "a'b,'c'd", "'a'b"])
def test_quotes_that_do_not_fit(text):
    with pytest.raises(BrokenRecordError, match="quote"):
        split_values(text)


@pytest.mark.parametrize(
    ("text", "expected"), [(r"'it\'s',b", ["it's", "b"]), ('"a,b" , c', ["a,b", "c"]), (",'',", ["", "", ""])]
)
def test_quotes(text, expected):
    assert split_values(text) == expected


def test_recognised_by_content():
    assert Arff.recognises(b"% comment\n\n@RELATION x\n", "a")
    assert Arff.recognises(b"", "a.arff.xz")
    assert not Arff.recognises(b"A,B 1:0.5\n", "a.arff")


@pytest.mark.parametrize(
    ("files", "documents_", "features", "labels"),
    [
        (["yeast/yeast.arff.xz"], 2417, 103, 14),
        (["scene/scene-train.arff.xz", "scene/scene-test.arff.xz"], 1211 + 1196, 294, 6),
        ([f"hierarchical/Enron_corr_{part}.arff.xz" for part in ("trainvalid", "test")], 988 + 660, 1001, 56),
        (["hierarchical/ImCLEF07A_Test.arff.xz"], 1006, 80, None),
    ],
)
def test_real_collections(data, files, documents_, features, labels):
    source = Arff([data / name for name in files])
    batches = list(source)
    assert sum(len(batch) for batch in batches) == documents_
    assert all(batch.labelled.all() for batch in batches)
    header = source.header(str(data / files[0]))
    assert (header.features, len(source.feature_names)) == (features, features)
    assert len(source.label_names) == (labels or len(source.label_names))
    assert len(header.label_names) == (labels or 96)
    assert set(source.label_names) <= set(header.label_names)


def test_the_second_document_of_yeast(data):
    [batch, *_] = Arff(data / "yeast" / "yeast.arff.xz")
    first = dict(zip((batch.feature_names[i] for i in batch.features[:103]), batch.values[:103].tolist(), strict=True))
    assert first["Att1"] == pytest.approx(0.004168)
    assert first["Att2"] == pytest.approx(-0.170975)
    assert batch.labels_of(0) == ["Class12", "Class13", "Class7", "Class8"]


@pytest.mark.parametrize("row", [b"{2 a%b'", b"{2%b", b"1,%b'a' b,1", b"%b'a"])
def test_long_rows_of_blanks_take_no_long_time(file, row):
    path = file(MEKA + (row.replace(b"%b", b" " * 1_000_000)) + b"\n{}\n")
    letter, batch = Arff(path)
    assert (letter.stage, len(batch)) == ("decode", 1)


def test_a_quote_behind_blanks_is_a_quote():
    assert split_values("a,  'b,c'  ,d") == ["a", "b,c", "d"]
    with pytest.raises(BrokenRecordError, match="quote"):
        split_values("a,  'b,c' x,d")


def test_an_xml_file_of_the_same_name_goes_before_a_count_in_the_relation(file, tmp_path):
    """Mulan's medical.arff has a -C 45 that MEKA has left there, which means features."""
    data = b"@relation 'medical: -C 1'\n@attribute a {0,1}\n@attribute war {0,1}\n@data\n1,0\n0,1\n"
    path = file(data, "medical.arff")
    assert Arff(path).remarks == []
    xml = tmp_path / "medical.xml"
    xml.write_text('<labels><label name="war"></label></labels>')
    source = Arff(path)
    assert documents(source) == [("0", {"a": 1}, []), ("1", {}, ["war"])]
    [remark] = source.remarks
    assert f"the labels are the 1 attributes that {xml} names, not the 1 that -C 1" in remark
    xml.write_text('<labels><label name="a"></label></labels>')
    assert Arff(path).remarks == []
    for other in ("<labels>", '<labels><label name="elsewhere"></label></labels>'):
        xml.write_text(other)
        assert documents(Arff(path))[0] == ("0", {}, ["a"])

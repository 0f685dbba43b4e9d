import lzma
import math
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats import open_archive
from telex.adapters.formats.reuters21578 import Reuters21578
from telex.learners.base import UsageError

NOON = 541339200.0  # 26-FEB-1987 12:00
HEAD = b'<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'


def record(
    name=1,
    text="<TITLE>T</TITLE><BODY>B</BODY>",
    date="26-FEB-1987 12:00:00.00",
    said="YES",
    split="TRAIN",
    **labels,
):
    about = "".join(
        f"<{kind}>{''.join(f'<D>{label}</D>' for label in labels.get(kind.lower(), '').split())}</{kind}>\n"
        for kind in ("TOPICS", "PLACES", "PEOPLE", "ORGS", "EXCHANGES", "COMPANIES")
    )
    return (
        f'<REUTERS TOPICS="{said}" LEWISSPLIT="{split}" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="{name}">\n'
        f"<DATE>{date}</DATE>\n{about}<UNKNOWN> \n&#5;&#5;&#5;C T</UNKNOWN>\n<TEXT>{text}</TEXT>\n</REUTERS>\n"
    ).encode("latin-1")


@pytest.fixture
def read(told, file):
    def read(*records, **options):
        return told(Reuters21578(file(HEAD + b"".join(records), "reut2-000.sgm"), **options))

    return read


def test_a_record(read):
    text = "&#2;\n<TITLE>SALES\n  RISE </TITLE>\n<DATELINE> PARIS, Feb 26 - </DATELINE>"
    text += "<BODY>A &lt;B.C> &amp; caf\xe9\n Reuter\n&#3;</BODY>"
    [story] = read(record(7, text, topics="acq"))
    assert story[:4] == ("7", "A <B.C> & caf\xe9\n Reuter", "SALES RISE", NOON)
    assert story.labels == ["acq"]
    [story] = read(record(7, text, places="usa uk usa"), labels="places")
    assert story.labels == ["usa", "uk"]
    [story] = read(record(7, text), dateline=True)
    assert story.text.startswith("PARIS, Feb 26 - A <B.C>")


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("&#2;\n******<TITLE>GOLD\n</TITLE>Blah blah blah.\n&#3;\n", "GOLD", ""),
        ("&#2;\nWORLD NEWS &lt;1300> GMT\n&#3;", "", "WORLD NEWS <1300> GMT"),
        ("<BODY>only</BODY>", "", "only"),
        (
            "<TITLE>A&#27;[B</TITLE><BODY>a&#127;b\x05c&#31;d&#229;e&#55555;f&nbsp;g</BODY>",
            "A [B",
            "a b c d\xe5e f&nbsp;g",
        ),
        ("", "", ""),
    ],
)
def test_texts_with_and_without_tags(read, text, title, body):
    [story] = read(record(1, text))
    assert (story.title, story.text) == (title, body)


@pytest.mark.parametrize(
    ("date", "time"),
    [
        (" 2-MAR-1987 00:00:01.50", 541641601.5),
        ("26-FEB-1987 12:00:00.00&#5;&#5;&#5;RM", NOON),
        ("  26-FEB-1987  12:00:00.0", NOON),
        ("26-FEB-1987 12:00:00.00    # date added by S Finch as guesswork ", NOON),
        ("26-FEB-1987 605:12:19.12", NOON - 43200),
        ("26-FEB-1987 24:00:00.00", NOON - 43200),
        ("26-FEB-1987", NOON - 43200),
    ],
)
def test_dates_as_they_were_written(read, date, time):
    [story] = read(record(1, date=date))
    assert story.time == time


@pytest.mark.parametrize("date", ["", "30-FEB-1987 12:00:00", "26-XYZ-1987", "soon", "00-JAN-0000"])
def test_without_a_day_a_record_is_broken(read, date):
    letter, story = read(record(1, date=date), record(2))
    assert (letter.stage, letter.line, story.id) == ("decode", 2, "2")
    assert "is not a date" in letter.reason
    [story] = read(record(1).replace(b"<DATE>26-FEB-1987 12:00:00.00</DATE>", b""))
    assert math.isnan(story.time)


@pytest.mark.parametrize(
    ("said", "topics", "labels", "expected"),
    [
        ("YES", "gold", "topics", ["gold"]),
        ("YES", "", "topics", []),
        ("NO", "", "topics", None),
        ("BYPASS", "", "topics", None),
        ("NO", "gold", "topics", ["gold"]),
        ("NO", "", "places", ["usa"]),
        ("NO", "", "people", []),
        ("NO", "", "topics+places", None),
        ("YES", "", "topics+places", ["usa"]),
        ("YES", "gold", "places+topics", ["usa", "gold"]),
    ],
)
def test_which_documents_are_labelled(read, said, topics, labels, expected):
    raw = record(1, said=said, topics=topics, places="usa")
    [story] = read(raw, labels=labels)
    assert story.labels == expected
    assert len(read(raw, labels=labels, labelled="some")) == bool(expected)


def test_splits(read):
    records = [
        record(1, said="YES", split="TRAIN"),
        record(2, said="NO", split="TRAIN"),
        record(3, said="YES", split="TEST"),
        record(4, said="YES", split="NOT-USED"),
        record(5, said="BYPASS", split="TEST"),
    ]
    found = {
        split: [story.id for story in read(*records, split=split)]
        for split in ("all", "modapte", "modapte-train", "modapte-test")
    }
    assert found == {
        "all": ["1", "2", "3", "4", "5"],
        "modapte": ["1", "3"],
        "modapte-train": ["1"],
        "modapte-test": ["3"],
    }


def test_order(read):
    records = [record(i, date=f"{28 - i}-FEB-1987 12:00:00.00") for i in (2, 10, 3)]
    assert [story.id for story in read(*records)] == ["10", "3", "2"]
    assert [story.id for story in read(*records, order="id")] == ["2", "3", "10"]
    assert [story.id for story in read(*records, order="file")] == ["2", "10", "3"]


def test_a_record_without_its_end_loses_no_other(read):
    whole = record(1)
    letter, story = read(whole[:-12], record(2))
    assert (letter.reason, letter.line) == ("the record has no end: </REUTERS> is missing", 2)
    assert story.id == "2"
    story, letter = read(record(2), whole[:-12])
    assert letter.reason == "the record has no end: </REUTERS> is missing"


def test_what_is_no_record_is_a_dead_letter(read):
    first, second, story = read(b"words in between\n", record(0).replace(b'NEWID="0"', b""), record(2), order="file")
    assert first.reason == "this is no <REUTERS>"
    assert second.reason == "the record has no NEWID"
    assert story.id == "2"


def test_the_folder_as_it_is_given_out(told, tmp_path):
    (tmp_path / "README.txt").write_text("Reuters-21578")
    (tmp_path / "lewis.dtd").write_text("<!ELEMENT LEWIS O O (REUTERS+)>")
    (tmp_path / "all-topics-strings.lc.txt").write_text("gold\n")
    (tmp_path / "reut2-000.sgm.xz").write_bytes(lzma.compress(HEAD + record(1) + record(2)))
    (tmp_path / "reut2-001.sgm").write_bytes(HEAD + record(3))
    assert [story.id for story in told(open_archive(tmp_path))] == ["1", "2", "3"]
    with tarfile.open(tmp_path.parent / "reuters.tar.gz", "w:gz") as archive:
        archive.add(tmp_path, ".")
    found = told(open_archive(tmp_path.parent / "reuters.tar.gz"))
    assert sorted(story.id for story in found) == ["1", "2", "3"]


@given(
    st.lists(
        st.sampled_from(
            [
                "<REUTERS ",
                'NEWID="1"',
                ">",
                "</REUTERS>",
                "<DATE>",
                "26-FEB-1987",
                "</DATE>",
                "<TEXT>",
                "&#5;",
                "\n",
                "<D>",
                "<!--",
                "-->",
            ]
        ),
        max_size=25,
    )
)
def test_whatever_is_written_it_is_read(tmp_path_factory, told, parts):
    path = tmp_path_factory.getbasetemp() / "any.sgm"
    path.write_text("".join(parts))
    for item in told(Reuters21578(path)):
        assert item


def test_hostile_markup_takes_no_more_than_its_length(read):
    for part in ("<D>", "<D ", "<TITLE>", "<TITLE ", "&#5", "<!--", "a", 'a="', "<TOPICS>"):
        found = read(record(1, part * 100_000), record(2, said=part.replace('"', "") * 100_000))
        assert len(found) == 2


def test_wrong_options(file):
    path = file(HEAD)
    with pytest.raises(UsageError, match="split=half: give all, modapte, modapte-train or modapte-test"):
        Reuters21578(path, split="half")
    with pytest.raises(UsageError, match="labels=x: give one or more of topics, places"):
        Reuters21578(path, labels="x")

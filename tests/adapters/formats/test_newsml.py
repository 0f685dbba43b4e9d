import io
import math
import random
import sys
import zipfile

import pytest

from telex.adapters.formats import open_archive
from telex.adapters.formats.newsml import NewsML
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter, Story

DAY = 840499200.0  # 1996-08-20


def item(name, day="1996-08-20", topics="", codes="", text="<p>One.</p>\n<p>Two.</p>", headline="Head"):
    if topics:
        inside = "".join(f'<code code="{topic}"> </code>' for topic in topics.split())
        codes += f'<codes class="bip:topics:1.0">{inside}</codes>'
    return f"""<?xml version="1.0" encoding="iso-8859-1" ?>
<newsitem itemid="{name}" id="root" date="{day}" xml:lang="en">
<title>USA: {headline}</title><headline>{headline}</headline><dateline>X</dateline>
<text>{text}</text><metadata>{codes}<dc element="dc.date.published" value="1999-01-01"/></metadata>
</newsitem>
""".encode("latin-1")


def regions(*names):
    return f'<codes class="bip:countries:1.0">{"".join(f"<code code={name!r}/>" for name in names)}</codes>'


def test_an_item(told, file):
    path = file(
        item(2330, topics="C15 C152 C15", text="<p>Caf\xe9 &amp; <b>b</b>ar\nnow</p><p>Two</p>"), "2330newsML.xml"
    )
    assert told(NewsML(path)) == [Story("2330", "Caf\xe9 & bar\nnow\nTwo", "Head", DAY, ["C15", "C152"])]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("topics", ["GCAT"]),
        ("regions", ["USA", "UK"]),
        ("industries", None),
        ("topics+regions", ["GCAT", "USA", "UK"]),
        ("regions+industries", ["USA", "UK"]),
    ],
)
def test_which_codes_are_labels(told, file, labels, expected):
    path = file(item(1, codes=regions("USA", "UK"), topics="GCAT"))
    assert [sorted(story.labels or ()) for story in told(NewsML(path, labels=labels))] == [sorted(expected or ())]
    assert (told(NewsML(path, labels=labels))[0].labels is None) == (expected is None)


def test_no_class_is_unlabelled_and_one_without_a_code_is_the_answer_none(told, file):
    path = file(item(1) + item(2, codes='<codes class="bip:topics:1.0"></codes>'))
    assert [story.labels for story in told(NewsML(path))] == [None, []]


def test_what_is_missing_has_something_to_stand_for_it(told, file):
    bare = b'<newsitem itemid="7"><title>T</title><text>just text</text>%s</newsitem>'
    dated = bare % b'<metadata><dc element="dc.date.published" value="1996-08-20"/></metadata>'
    first, second = told(NewsML(file(dated + bare % b""), order="file"))
    assert first == Story("7", "just text", "T", DAY)
    assert math.isnan(second.time)


def test_a_folder_of_days_comes_in_the_order_of_time_however_it_is_packed(told, tmp_path):
    draw = random.Random(1)
    items = [(i, f"1996-{draw.randint(8, 12):02}-{draw.randint(1, 28):02}") for i in range(2, 120)]
    days = sorted({day for _, day in items})
    for n, day in enumerate(draw.sample(days, len(days))):
        folder = tmp_path / f"{n:03}"
        members = [(f"{i}newsML.xml", item(i, d, "CCAT")) for i, d in items if d == day]
        if n % 2:
            with zipfile.ZipFile(f"{folder}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in members:
                    archive.writestr(name, data)
        else:
            folder.mkdir()
            for name, data in members:
                (folder / name).write_bytes(data)
    (tmp_path / "README.txt").write_text("not an item")
    found = told(open_archive(tmp_path))
    assert [story.id for story in found] == [str(i) for i, _ in sorted(items, key=lambda pair: (pair[1], pair[0]))]
    assert [story.id for story in told(NewsML(tmp_path, order="id"))] == [str(i) for i, _ in items]
    assert {story.id for story in told(NewsML(tmp_path, order="file", rows=7))} == {story.id for story in found}


@pytest.mark.parametrize("quick", [True, False])
def test_the_quick_look_at_dates_sees_what_the_parser_sees(told, file, quick):
    days = ["1996-08-22", "1996-08-20", "1996-13-01", "1996-08-21"]
    data = b"".join(item(i, day) for i, day in enumerate(days))
    if not quick:
        data = data.replace(b'id="root"', b"id='root'")
    found = told(NewsML(file(data)))
    # what is broken follows its neighbour
    assert [getattr(story, "id", None) for story in found] == ["1", None, "3", "0"]
    assert "1996-13-01" in found[1].reason


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
BOMB += b'<newsitem itemid="1"><text>&b;</text></newsitem>'


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (BOMB, "document type"),
        (b'<newsitem itemid="1"><text></newsitem>', "not well-formed"),
        (b'<newsitem itemid="1">', "not well-formed"),
        (b'<newsitem itemid=" "></newsitem>', "no itemid"),
        (b"<newsitem></newsitem>", "no itemid"),
        (b"<other/>", "a <other>, not a <newsitem>"),
        (b'<newsitem itemid="1" date="soon"></newsitem>', "'soon'"),
        (b"\x00\xff garbage", "not well-formed"),
    ],
)
def test_broken_items_are_dead_letters_and_the_rest_continues(told, tmp_path, raw, reason):
    (tmp_path / "1newsML.xml").write_bytes(raw)
    (tmp_path / "2newsML.xml").write_bytes(item(2))
    letter, good = told(NewsML(tmp_path))
    assert (letter.stage, letter.path, letter.raw) == ("decode", str(tmp_path / "1newsML.xml"), raw)
    assert reason in letter.reason
    assert good.id == "2"


def test_members_of_archives_have_the_archive_in_their_path(told, file):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1newsML.xml", BOMB)
        archive.writestr("2newsML.xml", b"<x>" + bytes(16 << 20))
        archive.writestr("3newsML.xml", item(3))
        archive.writestr("codes/topics.txt", b"no item")
    path = file(out.getvalue(), "19960820.zip")
    bomb, large, good = told(NewsML(path))
    assert (bomb.path, bomb.stage) == (f"{path}/1newsML.xml", "decode")
    assert (large.path, large.stage) == (f"{path}/2newsML.xml", "read")
    assert "larger than 16 MiB" in large.reason
    assert good.id == "3"


@pytest.mark.parametrize("order", ["time", "file"])
def test_standard_input_holds_items_or_an_archive(told, monkeypatch, order):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("1newsML.xml", item(1))
        archive.writestr("2newsML.xml", item(2))
    for data in (out.getvalue(), item(1) + b"\n" + item(2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert [story.id for story in told(open_archive("-", order=order))] == ["1", "2"]


def test_an_empty_file_and_a_wrong_option(told, file):
    path = file(b"", "1newsML.xml")
    assert told(open_archive(path)) == [DeadLetter(b"", str(path), 1, 0, "read", "the file is empty")]
    with pytest.raises(UsageError, match="labels=colours: give one or more of topics, industries, regions, joined by "):
        NewsML(path, labels="colours")


def test_what_is_recognised():
    assert NewsML.recognises(item(1), "x")
    assert NewsML.recognises(b"<newsitem itemid='1'>".replace(b"'", b'"'), "x")
    assert not NewsML.recognises(b"<rss version='2.0'>", "x.xml")

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.formats.feed.entries import read_entries
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter

NOON = 840542400.0  # 1996-08-20 12:00


def rss(*items, head=b""):
    return head + b'<rss version="2.0"><channel><title>Wire</title>' + b"".join(items) + b"</channel></rss>"


def one(inside, path="feed"):
    [story] = read_entries(rss(b"<item><guid>1</guid>" + inside.encode() + b"</item>"), {}, path)
    return story


def test_rss():
    story = one(
        "<title>Rock &amp;amp; &lt;b&gt;Roll&lt;/b&gt;</title><link>http://x.org/1</link>"
        "<description>&lt;p&gt;It &lt;i&gt;lives&lt;/i&gt;.&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;</description>"
        "<pubDate>Tue, 20 Aug 1996 14:00:00 +0200</pubDate>"
        "<category>a</category><category> b </category><category>a</category>"
    )
    assert story == ("1", "It lives.", "Rock & Roll", NOON, ["a", "b"])


def test_atom():
    feed = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>tag:x,1</id><title type="html">A &amp;lt;b> c</title>
    <updated>1996-08-20T12:00:00Z</updated><category term="sport" label="Sport"/><category label="News"/>
    <summary>short</summary><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>long</p><p>text</p></div>
    </content></entry><entry><link href="http://x.org/2"/><summary type="text">a &lt;b&gt; c</summary></entry></feed>"""
    first, second = read_entries(feed.encode(), {}, "feed")
    assert first == ("tag:x,1", "long text", "A <b> c", NOON, ["sport", "News"])
    assert (second.id, second.text, second.labels) == ("http://x.org/2", "a <b> c", None)
    assert second.time != second.time


def test_rdf():
    feed = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><item rdf:about="http://x.org/1"><title>t</title><dc:subject>s</dc:subject>
    <dc:date>1996-08-20T12:00:00Z</dc:date></item></rdf:RDF>"""
    [story] = read_entries(feed, {}, "feed")
    assert (story.id, story.title, story.time, story.labels) == ("http://x.org/1", "t", NOON, ["s"])


def test_times_that_cannot_be_read_are_none():
    assert one("<pubDate>soon</pubDate>").time != one("<pubDate>soon</pubDate>").time
    assert one("<title>x</title>").time != one("<title>x</title>").time


def test_relative_ids_are_those_of_the_address():
    assert one("", "http://x.org/feed").id == "http://x.org/1"
    assert one("", "feed.xml").id == "1"


def test_an_entry_without_id_and_link_is_a_dead_letter():
    letter, story = read_entries(rss(b"<item><title>lost</title></item>", b"<item><guid>2</guid></item>"), {}, "feed")
    assert (letter.stage, letter.reason) == ("decode", "the entry has neither an id (guid) nor a link")
    assert b"lost" in letter.raw
    assert story.id == "2"


@pytest.mark.parametrize(
    "raw", [b"", b"garbage", b"<html><body><p>Not found</p></body></html>", b"<x/>", b"\0\1\2", b"{}"]
)
def test_what_is_no_feed(raw):
    with pytest.raises(BrokenRecordError, match="not a feed, neither RSS nor Atom"):
        list(read_entries(raw, {}, "feed"))


LAUGHS = '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize(
    ("encoding", "headers"),
    [
        ("utf-8", {}),
        ("utf-16", {}),
        ("utf-16-be", {}),
        ("utf-32", {}),
        ("utf-7", {"content-type": "text/xml; charset=utf-7"}),
        ("cp037", {}),
        ("cp500", {"content-type": "text/xml; charset=cp500"}),
    ],
)
def test_entities_are_refused_before_the_parser_sees_them(monkeypatch, encoding, headers):
    monkeypatch.setattr("feedparser.parse", lambda *_, **__: pytest.fail("the parser was asked"))
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + LAUGHS + rss(b"<item><guid>&b;</guid></item>").decode()
    raw = text.encode(encoding)
    if encoding == "utf-7":
        raw = raw.replace(b"<!ENTITY", b"+ADwAIQ-ENTITY")
    with pytest.raises(BrokenRecordError, match=r"declares entities|never read \(EBCDIC\)"):
        list(read_entries(raw, headers, "feed"))


def test_a_document_type_alone_is_harmless():
    head = b'<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://127.0.0.1:1/rss.dtd">'
    [story] = read_entries(rss(b"<item><guid>1</guid></item>", head=head), {}, "feed")
    assert story.id == "1"


def test_a_feed_that_breaks_off_loses_its_last_entry():
    raw = rss(*(b"<item><guid>%d</guid><description>text</description></item>" % i for i in range(3)))
    first, second, letter = read_entries(raw[: raw.rindex(b"</desc")], {}, "feed")
    assert (first.id, second.id) == ("0", "1")
    assert (letter.stage, letter.reason) == ("read", "the feed is incomplete; its last entry is left out")


def test_a_feed_that_is_not_well_formed_is_read_as_well_as_can_be():
    raw = rss(b"<item><guid>1</guid><description>AT&T & more</description></item>", b"<item><guid>2</guid></item>")
    assert [story.id for story in read_entries(raw, {}, "feed")] == ["1", "2"]


def test_a_feed_is_never_taken_for_a_path_or_an_address(tmp_path):
    path = tmp_path / "feed"
    path.write_bytes(rss(b"<item><guid>1</guid></item>"))
    for raw in (str(path).encode(), b"http://127.0.0.1:1/"):
        with pytest.raises(BrokenRecordError, match="not a feed"):
            list(read_entries(raw, {}, "feed"))


@settings(max_examples=100)
@given(st.data())
def test_whatever_a_feed_holds_it_is_an_event(data):
    raw = bytearray(
        rss(b"<item><guid>1</guid><title>x</title><pubDate>Tue, 20 Aug 1996 14:00:00 +0200</pubDate></item>")
    )
    for _ in range(data.draw(st.integers(0, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = list(read_entries(bytes(raw[: data.draw(st.integers(0, len(raw)))]), {}, "feed"))
    except BrokenRecordError:
        return
    for item in found:
        assert isinstance(item, DeadLetter) or item.id


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-7"])
def test_an_element_with_very_many_attributes_is_refused(encoding):
    """Feedparser takes a time that grows with the square of their number."""
    many = " ".join(f'a{i}=">"' for i in range(2000))
    item = f"<item {many}><guid>1</guid></item>"
    feed = f"<?xml version='1.0' encoding='{encoding}'?><rss version='2.0'><channel>{item}</channel></rss>"
    with pytest.raises(BrokenRecordError, match="an element has more than 1000 attributes; take it out of the feed"):
        list(read_entries(feed.encode(encoding), {}, "feed.xml"))

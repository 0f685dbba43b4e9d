import pytest

from telex.adapters.formats.reading.safe_xml import parse_xml
from telex.learners.base import BrokenRecordError

LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 30))
BOMB = f'<!DOCTYPE l [<!ENTITY l0 "lol">{LAUGHS}]><l>&l29;</l>'


def test_elements_attributes_and_text_arrive():
    root = parse_xml(b'<?xml version="1.0" ?>\n<!-- > <b> -->\n<news id="7"><p>a &amp; b &#228;</p></news>')
    assert (root.tag, root.get("id"), root.findtext("p")) == ("news", "7", "a & b ä")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1"])
def test_any_document_type_is_refused_in_every_encoding(encoding):
    head = "" if "utf-16" in encoding or "sig" in encoding else f'<?xml version="1.0" encoding="{encoding}"?>'
    plain = (head + "<p>é</p>").encode(encoding)
    if encoding in {"utf-16-le", "utf-16-be"}:
        plain = (b"\xff\xfe" if encoding == "utf-16-le" else b"\xfe\xff") + plain
    assert parse_xml(plain).text == "é"
    for declared in (
        "<!DOCTYPE p>",
        '<!DOCTYPE p SYSTEM "http://127.0.0.1:9/p.dtd">',
        '<!DOCTYPE p [<!ENTITY e SYSTEM "file:///etc/hosts">]>',
        '<!-- > --><?a > ?>\n<!DOCTYPE p [<!ENTITY % e SYSTEM "file:///etc/hosts"> %e;]>',
    ):
        with pytest.raises(BrokenRecordError, match="document type"):
            parse_xml((head + declared + "<p>x</p>").encode(encoding))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_billion_laughs_end_at_once(encoding):
    with pytest.raises(BrokenRecordError, match="document type"):
        parse_xml(BOMB.encode(encoding))  # it would be years


def test_a_document_type_behind_the_first_element_is_a_mistake_of_grammar():
    with pytest.raises(BrokenRecordError, match="not well-formed"):
        parse_xml(b"<p>" + BOMB.encode() + b"</p>")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"no xml",
        b"<p>",
        b"<p></q>",
        b"<p>\xff</p>",
        b"<p>&unknown;</p>",
        b"<p>&#xD800;</p>",
        b"<p>\x01</p>",
        b"<p/><p/>",
        b'<?xml version="1.0" encoding="klingon"?><p/>',
        b'<?xml version="1.0" encoding="utf-7"?><p/>',
        b'<?xml version="1.0" encoding="base64"?><p/>',
        b"<!-- never ends",
    ],
)
def test_what_is_not_well_formed_is_a_broken_record(raw):
    with pytest.raises(BrokenRecordError, match="not well-formed"):
        parse_xml(raw)


def test_a_prologue_without_end_is_not_read():
    with pytest.raises(BrokenRecordError, match="before its first element"):
        parse_xml(b"<!-- -->" * 5000 + b"<p/>")


def test_deep_nesting_is_read_in_little_stack():
    root = parse_xml(b"<a>" * 50_000 + b"</a>" * 50_000)
    assert sum(1 for _ in root.iter()) == 50_000


def test_a_comment_before_the_first_element_may_be_long_but_not_endless():
    assert parse_xml(b"<!--" + b" >" * 400 + b"x" * 60_000 + b"--><p/>").tag == "p"
    with pytest.raises(BrokenRecordError, match="before its first element"):
        parse_xml(b"<!--" + (b"x" * 20_000 + b">") * 700 + b"--><p/>")

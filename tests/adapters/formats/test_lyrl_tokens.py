import gzip
import io
import sys

import pytest

from telex.adapters import _vectors
from telex.adapters.formats import open_archive
from telex.adapters.formats.lyrl_tokens import LyrlTokens
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter

TOKENS = b".I 2287\n.W\nstock stock jump\nmore caf\xc3\xa9\n\n.I 300\n.W\n\n.I 2286\n.W\nmin .I recov\n"


def test_documents_in_the_order_of_their_ids_with_labels_from_the_qrels_beside(told, file):
    path = file(gzip.compress(TOKENS), "lyrl2004_tokens.dat.gz")
    file(gzip.compress(b"ECAT 2286 1\nCCAT 2286 1\nGCAT 2287 0\n"), "rcv1-v2.topics.qrels.gz")
    found = told(open_archive(path))
    assert [(story.id, story.text, story.labels) for story in found] == [
        ("300", "", None),
        ("2286", "min .I recov", ["CCAT", "ECAT"]),
        ("2287", "stock stock jump\nmore caf\xe9", []),
    ]
    assert [story.id for story in told(LyrlTokens(path, order="file"))] == ["2287", "300", "2286"]


def test_several_files_and_a_qrels_file_that_is_named(told, file):
    first, second = file(TOKENS, "a"), file(b"\xef\xbb\xbf.I 1\n.W\nx\n"[3:], "b")
    qrels = file(b"I1 1 1\nbroken\n", "truth")
    letter, *found = told(LyrlTokens([first, second], qrels=qrels))
    assert (letter.path, letter.line) == (str(qrels), 2)
    assert [(story.id, story.labels) for story in found] == [
        ("1", ["I1"]),
        ("300", None),
        ("2286", None),
        ("2287", None),
    ]


def test_tokens_are_taken_as_they_are(file):
    source = open_archive(file(TOKENS))
    assert isinstance(source, LyrlTokens)
    assert source.text == {"tokens": "blanks", "stop": "none", "stem": "none"}


@pytest.mark.parametrize("raw", [b".I\n.W\nx\n", b".I 7\nx\n", b"x y\n", b".I 7 8\n.W\n"])
def test_broken_records_are_dead_letters_at_their_place(told, file, raw):
    path = file(b".I 1\n.W\na\n" + raw + b".I 2\n.W\nb\n")
    items = told(LyrlTokens(path))
    reasons = [item.reason for item in items if isinstance(item, DeadLetter)]
    if raw.startswith(b".I"):
        assert reasons == ["this is not a document, which begins with the lines `.I id` and `.W`"]
        assert [item.line for item in items if isinstance(item, DeadLetter)] == [4]
        assert [item.id for item in items if not isinstance(item, DeadLetter)] == ["1", "2"]
    else:
        assert items[0].text == "a\nx y"


def test_what_is_not_utf8_is_a_dead_letter(told, file):
    [letter] = told(LyrlTokens(file(b".I 1\n.W\n\xff\n")))
    assert letter.reason == "this is not UTF-8"


def test_standard_input_and_wrong_use(told, file, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TOKENS)))
    assert [story.id for story in told(open_archive("-"))] == ["300", "2286", "2287"]
    path = file(TOKENS)
    with pytest.raises(UsageError, match="these documents have no time"):
        LyrlTokens(path, order="time")
    [letter] = told(LyrlTokens(path.parent, qrels=path))[-1:]
    assert "is a folder" in letter.reason


def test_one_document_of_the_qrels():
    qrels = _vectors.Qrels()
    assert qrels.get("1") is None
    data = b"B 1 1\nA 1 1\n\xc3\xa9 2 1\nC 3 0\n"
    assert qrels.load(data, 0, 0)[2] is None
    assert [qrels.get(name) for name in ("1", "2", "3", "4", "")] == [["A", "B"], ["\xe9"], [], None, None]

"""Native tokens are the oracle's, for any text that a Python str can be: native/words/lexer.cpp and cutter.cpp."""

import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import words as slow

from telex.learners.base import Strings, UsageError
from telex.stream.words import Words

KINDS = ["letters", "alnum", "blanks"]
every_kind = pytest.mark.parametrize("kind", KINDS)

# Casefolds of several characters (some of which are marks), marks, surrogates, astral letters and blanks of all widths.
ODD = (
    "\xdf\u0149\u01f0\u0390\u03b0\u0587\u1e96\u1e97\u1e9a\u1e9e\ufb01\ufb03\u1fb7\u1fbc\u0130\u0131\u017f"
    "\u212a\u0327\u0301\u0308\u0640\u0640\u064b\u0900\u200d\xad\ud800\udfff\udc00\U0001d4b3\U00010400"
    "\U00010440\U0001f389\U0001d7d8\u2460\xbd\xb2\x1c\x1f\x85\xa0\u2028\u3000 \t\n\x00'\u2019-_."
)
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.text(st.sampled_from(ODD + "aZ9é"), max_size=60),
    st.text(st.sampled_from("aZ z9.é"), max_size=200),
)


def native(text, kind, title=""):
    """The tokens of a text, {token: how often}."""
    words = Words(tokens=kind, stop="none", stem="none", weight="tf", title=1)
    tokens = words.tokenise([title], [text])
    rows = words.features(tokens, 0, 1, counting=True)
    return {words.feature_names[i]: x for i, x in zip(rows.features.tolist(), rows.values.tolist(), strict=True)}


@every_kind
@given(some=st.lists(texts, max_size=6), first=st.integers(0, 3))
def test_tokens_of_columns_are_those_of_lists(kind, some, first):
    words, other = (Words(tokens=kind, stop="none", weight="tf") for _ in range(2))
    lists, columns = some[first:], Strings.of(some)[first:]
    one, same = words.tokenise(lists, lists[::-1]), other.tokenise(columns, Strings.of(lists[::-1]))
    assert one.fingerprints.tolist() == same.fingerprints.tolist()
    for a, b in zip(words.features(one, 0, len(one), True), other.features(same, 0, len(same), True), strict=True):
        assert a.tolist() == b.tolist()
    assert list(words.feature_names) == list(other.feature_names)


@pytest.mark.parametrize(
    "raw", [b"\x80", b"\xc3", b"\xc1\x80", b"a\xe2\x82", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xc3a"]
)
def test_a_column_that_is_no_utf8_is_refused(raw):
    broken = Strings(np.frombuffer(raw, np.uint8), np.array([0, len(raw)]))
    with pytest.raises(ValueError, match="a text is not UTF-8"):
        Words().tokenise(Strings.of([""]), broken)
    with pytest.raises(ValueError, match="the offsets do not fit"):
        Words().tokenise(Strings.of([""]), Strings(broken.data, broken.offsets + 1))


def expected(text, kind):
    found = {}
    for token in slow.tokens(text, kind):
        found[token] = found.get(token, 0) + 1
    return found


@every_kind
@settings(max_examples=300)
@given(text=texts)
@example("a" * 100 + " " + "b" * 101)
@example("é" * 100 + " " + "ü" * 101 + " x")
@example("ŉ" * 50 + " " + "ŉ" * 51)
@example("\u0301a\u0301\u0301 \u0301\u0301b")
@example("I\u0307İ ǰ\u0301ﬃ ẞß")
@example("ab\x00 ab ab\x00\x00")
@example("x" * 16 + " " + "x" * 17 + " " + "x" * 15 + "y " + "x" * 16 + "y " + "x" * 33)
def test_tokens_of_any_text(kind, text):
    assert native(text, kind) == expected(text, kind)


EVERY = [chr(c) for c in range(sys.maxunicode + 1)]


@pytest.mark.parametrize("kind", ["letters", "alnum"])
def test_every_code_point(kind):
    """Each character alone before a letter, which a mark does not join, and behind one, which it does."""
    text = " ".join(f"{c}a{c}" for c in EVERY)
    assert native(text, kind) == expected(text, kind)


def test_every_code_point_as_a_blank_or_none():
    blanks = [c for c in EVERY if c.isspace() or "\ud800" <= c <= "\udfff"]
    text = " ".join(f"{c}a{c}b" for c in blanks)
    assert native(text, "blanks") == {"a": len(blanks), "b": len(blanks)}
    others = "".join(sorted({*EVERY} - {*blanks}))
    text = " ".join(others[i : i + 50] for i in range(0, len(others), 50))
    assert native(text, "blanks") == dict.fromkeys(text.split(" "), 1)


@every_kind
def test_characters_of_one_byte_alone(kind):
    """Texts whose widest character is Latin 1, and texts of ASCII, take ways of their own."""
    latin = "".join(f"a{chr(c)}b {chr(c)} " for c in range(256))
    assert native(latin, kind) == expected(latin, kind)
    ascii_only = "".join(f"a{chr(c)}b {chr(c)} " for c in range(128))
    assert ascii_only.isascii()
    assert native(ascii_only, kind) == expected(ascii_only, kind)


@every_kind
@pytest.mark.parametrize("wide", ["", "é", "€", "🎉"])
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 4095, 4096, 4097, 9000])
def test_texts_of_every_length(kind, wide, length):
    """Tokens that end at, and run over, the edges of the pieces in which a text is looked at."""
    text = ("the quick brown fox, " * 500)[:length]
    for one in (text + wide, text, wide + text, text[:-1] + " ", "x" * min(length, 100)):
        assert native(one, kind) == expected(one, kind)


def test_a_long_text_in_one_token_or_in_many():
    assert native("a" * 300_000, "letters") == {}
    assert native("é" * 300_000 + " b", "letters") == {"b": 1}
    assert native("a " * 300_000, "letters") == {"a": 300_000}


def prints_of(pairs, **settings):
    return Words(**settings).tokenise([title for title, _ in pairs], [text for _, text in pairs]).fingerprints


@given(st.lists(st.tuples(texts, texts), max_size=8), st.sampled_from(KINDS))
@example([("a", "b"), ("a b", ""), ("", "a b"), ("", "")], "letters")
@example([("", "a b"), ("", "b a"), ("", "a  B."), ("", "ab")], "letters")
def test_equal_fingerprints_are_equal_tokens(pairs, kind):
    prints = prints_of(pairs, tokens=kind).tolist()
    cut = [(slow.tokens(title, kind), slow.tokens(text, kind)) for title, text in pairs]
    for print_, tokens in zip(prints, cut, strict=True):
        assert (print_ == 0) == (tokens == ([], []))
        assert [p == print_ for p in prints] == [t == tokens for t in cut]


def test_a_fingerprint_is_of_all_tokens_and_of_nothing_else():
    pairs = [("The title", "of a text that is long, internationalisation and all"), ("", "the"), ("the", "")]
    prints = prints_of(pairs)
    assert prints.dtype == np.uint64
    assert prints.tolist() == prints_of(pairs, stem="none", stop="none", title=0, idf="decayed").tolist()
    assert np.concatenate([prints_of(pairs[i : i + 1]) for i in range(3)]).tolist() == prints.tolist()
    assert len(set(prints.tolist())) == 3


def test_fingerprints_differ_in_a_thousand_texts_of_two_words():
    words = [f"{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    prints = prints_of([("", f"{a} {b}") for a in words for b in words])
    assert len(set(prints.tolist())) == len(words) ** 2


def test_what_is_no_text_is_refused():
    words = Words()
    with pytest.raises(TypeError, match="must be str"):
        words.tokenise([""], [b"gold"])
    with pytest.raises(ValueError, match="as many titles"):
        words.tokenise([], ["gold"])
    with pytest.raises(IndexError):
        words.features(words.tokenise([""], ["gold"]), 0, 2, counting=True)


def test_tokens_of_other_words_are_refused():
    words = Words()
    tokens = words.tokenise([""], ["gold"])
    with pytest.raises(ValueError, match="other Words"):
        Words().features(tokens, 0, 1, counting=True)
    words.load(words.save())
    with pytest.raises(ValueError, match="before a load"):
        words.features(tokens, 0, 1, counting=True)


def test_a_stemmer_that_fails_leaves_nothing_half_done(monkeypatch):
    words = Words(stop="none")
    words.begin()
    good = words._stem
    words._stem = lambda tokens: good(tokens)[:-1]
    with pytest.raises(ValueError, match="as many stems"):
        words.tokenise([""], ["rising prices"])
    words._stem = lambda tokens: 1 / 0
    with pytest.raises(ZeroDivisionError):
        words.tokenise([""], ["rising prices"])
    words._stem = good
    words.features(words.tokenise([""], ["rising prices"]), 0, 1, counting=True)
    assert list(words.feature_names) == ["price", "rise"]


def test_stemmers_by_name():
    with pytest.raises(UsageError, match="did you mean 'porter'"):
        Words(stem="portr").begin()
    words = Words(stem="german", stop="none", tokens="alnum")
    words.learn_one("Häuser 1987")
    assert list(words.feature_names) == ["1987", "haus"]

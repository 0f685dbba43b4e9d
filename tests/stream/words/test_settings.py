"""The settings of words; `core_arguments`, `stemmers` and `word_lists` are tested by the words that they make."""

import gzip
import lzma
import pickle

import numpy as np
import pytest

from telex.learners.base import UsageError
from telex.stream.words import Words
from telex.stream.words.settings import make_words


def test_types_and_defaults():
    assert make_words()._get_params() == Words()._get_params()
    made = make_words(
        "tokens=alnum, stop=none,stem=none,vocabulary=growing,weight=Lou,idf=windowed,halflife=5e3,window=70,title=0.5,"
        "slope=0,fit=n:100,terms=20,products=yes"
    )
    assert made._get_params() == {
        "tokens": "alnum", "stop": "none", "stem": "none", "vocabulary": "growing", "size": None, "weight": "Lou",
        "idf": "windowed", "halflife": 5000.0, "window": 70, "title": 0.5, "slope": 0.0, "fit": "n:100", "terms": 20,
        "products": True, "on": None,
    }  # fmt: skip
    assert (
        make_words({"title": 2, "size": "30", "vocabulary": "bounded"})._get_params() | {}
        == Words(title=2, size=30, vocabulary="bounded")._get_params()
    )
    assert (make_words("size=none,fit=none").size, make_words("size=none,fit=none").fit) == (None, None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("titel=2", r"no text setting 'titel' \(did you mean 'title'\?\); choose one of tokens, stop"),
        ("on=body", "no text setting 'on'"),
        ("title", "no key=value"),
        ("title=1,title=2", "given twice"),
        ("title=big", "title=big: give a number"),
        ("title=-1", "title=-1.0: give a number from 0 to 1,000,000"),
        ("title=nan", "title=nan: give a number from 0"),
        ("slope=1.5", "slope=1.5: give a number from 0 to 1"),
        ("halflife=0.5", "halflife=0.5: give a number of documents from 1 up"),
        ("halflife=inf", "halflife=inf: give"),
        ("window=0", "window=0: give a number of documents from 1 up"),
        ("window=1e3", "window=1e3: give a whole number"),
        ("size=10", "a growing vocabulary has no size"),
        ("vocabulary=bounded,size=0", "size=0: give a whole number from 1 to"),
        ("vocabulary=hashed,size=1000000000", "size=1000000000: give a whole number from 1 to 268435456"),
        ("vocabulary=bound", r"vocabulary=bound \(did you mean 'bounded'\?\): give one of growing, bounded, hashed"),
        ("tokens=words", "tokens=words: give one of letters, alnum, blanks"),
        ("weight=ltx", "weight=ltx: give tf, binary or three letters"),
        ("weight=lt", "weight=lt: give"),
        ("products=maybe", "products=maybe: give true or false"),
        ("stem=klingon", "there is no stemmer 'klingon'; give stem=none or one of"),
        ("terms=5", "terms=5 are chosen by a fit; give fit=WHEN too"),
        ("terms=0,fit=n:5", "terms=0: give a number of terms"),
        ("terms=5,fit=n:5,vocabulary=hashed", "keeps no terms to choose from"),
        ("fit=n:5,vocabulary=bounded", "leave out vocabulary=bounded"),
        ("stop=nowhere.txt", "stop=nowhere.txt cannot be read: No such file or directory; give smart, none or a file"),
        ("stop=nul.txt", "is no text, it has NUL characters; give smart, none or a file"),
        ("idf=nowhere.txt", "idf=nowhere.txt cannot be read: No such file .* give all, decayed, windowed or a file"),
    ],
)
def test_errors_name_what_is_wrong_at_once(given, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nul.txt").write_bytes(b"a\0b")
    with pytest.raises(UsageError, match=message) as found:
        make_words(given)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": "7"},
        {"tokens": 3},
        {"weight": None},
        {"weight": 123},
        {"halflife": "9"},
        {"window": True},
        {"vocabulary": []},
    ],
)
def test_values_of_other_types_are_refused(wrong):
    with pytest.raises(UsageError):
        Words(**{"vocabulary": "bounded", **wrong}).begin()


def test_shorthands_of_weights():
    for short, letters in (("tf", "nnn"), ("binary", "bnn")):
        one, other = Words(weight=short), Words(weight=letters)
        for x in (one, other):
            x.learn_one("gold gold wheat")
        assert one.transform_one("gold gold wheat") == other.transform_one("gold gold wheat")


def test_the_list_of_the_package_stops_its_parts():
    made = Words(weight="tf", stem="none")
    made.learn_one("Don't the t ain gold")
    assert list(made.feature_names) == ["gold"]


def test_values_out_of_files(tmp_path):
    lines = "gold 1 2.5\n\nwheat 1.5\n"
    (tmp_path / "a.txt").write_text(lines)
    with gzip.open(tmp_path / "a.txt.gz", "wt") as file:
        file.write(lines)
    with lzma.open(tmp_path / "a.txt.xz", "wt") as file:
        file.write(lines)
    for path in sorted(tmp_path.iterdir()):
        made = Words(idf=str(path), weight="ntn", stem="none")
        made.learn_one("gold gold wheat copper")
        assert made.transform_one("gold gold wheat copper") == {"gold": 5, "wheat": 1.5}
        copy = pickle.dumps(made)
        path.unlink()  # what was read goes along
        assert pickle.loads(copy).transform_one("gold copper") == {"gold": 2.5}
        assert make_words({"idf": "all"}).idf == "all"


@pytest.mark.parametrize("line", ["gold", "gold 1 2 3", "gold x", "gold nan", "gold inf", "gold 1e300"])
def test_lines_that_are_none(tmp_path, line):
    path = tmp_path / "idf.txt"
    path.write_text(f"wheat 1\n{line}\n")
    with pytest.raises(UsageError, match=f"idf.txt, line 2: '{line}' is not 'term value'"):
        make_words({"idf": str(path)})


def test_other_mistakes_of_files(tmp_path):
    path = tmp_path / "idf.txt"
    path.write_text("wheat 1\nwheat 2\n")
    with pytest.raises(UsageError, match="line 2: the term 'wheat' comes twice"):
        make_words({"idf": str(path)})
    with pytest.raises(UsageError, match="gives values to terms"):
        make_words({"idf": str(path), "vocabulary": "hashed"})
    path.write_bytes(b"caf\xe9 1\n")
    with pytest.raises(UsageError, match="cannot be read"):
        make_words({"idf": str(path)})
    (tmp_path / "bad.xz").write_bytes(b"no xz")
    with pytest.raises(UsageError, match="cannot be read"):
        make_words({"stop": str(tmp_path / "bad.xz")})


def test_a_fit_comes_first_and_once(stories, rows):
    made = make_words("fit=n:5,terms=3")
    rows(made, stories(1))
    tokens = made.tokenise([""], ["gold"])
    with pytest.raises(UsageError, match="before any feature"):
        made.fit_on(tokens, 0, 1)
    with pytest.raises(UsageError, match="before any feature"):
        made.settle()
    made = make_words("fit=n:5")
    made.settle()
    with pytest.raises(UsageError, match="fitted once"):
        made.fit_on(made.tokenise([""], ["gold"]), 0, 1)


def broken():
    def with_(**changes):
        return lambda state: {**state, **{k: change(state[k]) for k, change in changes.items()}}

    yield "missing", lambda state: {k: v for k, v in state.items() if k != "df"}
    yield "short", with_(df=lambda a: a[:-1])
    yield "no array", with_(df=lambda a: None)
    yield "negative", with_(df=lambda a: -a)
    yield "not a number", with_(sums=lambda a: a * np.nan)
    yield "twice", with_(names=lambda a: a * 0 + 97, name_ends=lambda a: np.arange(1, len(a) + 1), df=lambda a: a)
    yield "ends", with_(name_ends=lambda a: a[::-1].copy())
    yield "far ends", with_(name_ends=lambda a: a + 1000)
    yield "no UTF-8", with_(names=lambda a: a * 0 + 255)
    yield "window", with_(ring_sizes=lambda a: a + 1)
    yield "window of negatives", with_(ring_sizes=lambda a: -a)
    yield "window too long", with_(ring_sizes=lambda a: np.zeros(1000, np.int64))
    yield "window of others", with_(ring_features=lambda a: a + 1000)
    yield "counts of the window", with_(ring_counts=lambda a: a[:-1])
    yield "useful", with_(useful=lambda a: a[1:])
    yield "since", with_(since=lambda a: a[1:])
    yield "buckets", with_(buckets=lambda a: np.arange(3))
    yield "given", with_(given=lambda a: np.ones(1))
    yield "given names", with_(given_ends=lambda a: np.array([5]))
    yield "stop words", with_(stop_ends=lambda a: -a)


BROKEN = dict(broken())


@pytest.mark.parametrize("how", BROKEN)
def test_a_state_that_is_none_is_refused(how, stories, rows):
    made = make_words("vocabulary=bounded,size=9,idf=windowed,window=7")
    rows(made, stories(1))
    before = list(made.feature_names)
    with pytest.raises(UsageError, match="load it with its own"):
        made.load(BROKEN[how](made.save()))
    assert list(made.feature_names) == before
    made.load(made.save())
    assert list(made.feature_names) == before


def test_a_state_of_other_settings_is_refused(stories, rows):
    made = make_words("vocabulary=bounded,size=9")
    rows(made, stories(1))
    for other in ("vocabulary=bounded,size=5", "vocabulary=growing", "vocabulary=hashed"):
        with pytest.raises(UsageError):
            make_words(other).load(made.save())

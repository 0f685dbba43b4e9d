"""JSON in one piece; this file also tests `jsonl/json_values`, which cuts it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats import open_archive
from telex.adapters.formats.json_array import JsonArray
from telex.adapters.formats.jsonl import cut_values, place_of_objects
from telex.stream.sources import DeadLetter

TEXTS = st.text(alphabet='ab"\\[]{}:, é\n', max_size=12)
OBJECTS = st.lists(
    st.fixed_dictionaries({"text": TEXTS, "more": st.lists(st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=2)}),
    min_size=1,
    max_size=5,
)


@given(OBJECTS, st.integers(1, 40), st.sampled_from([None, 1]), st.sampled_from([0, 1, 2]), st.booleans())
def test_objects_are_what_json_says_however_the_text_is_cut(objects, size, indent, depth, ascii_only):
    def text(value):
        return json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    wrapped = {"about": {"n": [1]}, "news": objects, "rest": [{"text": "x"}]}
    data = ("\n".join(map(text, objects)) if depth == 0 else text(objects if depth == 1 else wrapped)).encode()
    chunks = [data[i : i + size] for i in range(0, len(data), size)]
    found = list(cut_values(chunks, "x.json", depth))
    assert [json.loads(raw) for raw, _ in found] == objects
    assert [place[1] for _, place in found] == list(range(1, len(objects) + 1))
    assert all(data[place[2] :].startswith(raw) for raw, place in found)
    if depth or len(objects) > 1:
        assert place_of_objects(data)[0] == depth


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'[{"text": "a"}, {"text": ', "the JSON ends before it is complete"),
        (b'[{"text": "a"}, {"text": "', "the JSON ends before it is complete"),
        (b"[1, 2]", "there is no object in it"),
        (b"[" * 5000, "nested too deeply"),
        (b"  ", "there is no object in it"),
    ],
)
def test_what_is_broken_is_a_dead_letter(data, reason):
    *whole, letter = cut_values([data], "x.json", 1)
    assert isinstance(letter, DeadLetter)
    assert reason in letter.reason
    assert len(whole) == data.count(b"}")


def test_an_empty_file():
    [letter] = cut_values([], "x.json", 1)
    assert letter.reason == "the file is empty"


def test_an_object_without_end_is_not_kept():
    chunks = (b'{"a": "' if i == 0 else b"x" * (1 << 20) for i in range(1000))
    [letter] = cut_values(chunks, "x.json", 0)
    assert "longer than 16 MiB" in letter.reason


def test_documents_in_the_order_of_time_with_broken_ones_among_them(file, told):
    news = [{"id": 1, "text": "b", "time": 9, "labels": ["x"]}, {"id": 2}, {"id": 3, "text": "a", "time": 3}]
    path = file(json.dumps(news, indent=1).encode(), "news.json")
    items = told(JsonArray(path))
    [letter] = (one for one in items if isinstance(one, DeadLetter))
    first, second = (one for one in items if one is not letter)
    assert (letter.line, letter.reason) == (2, "the text is missing: there is no field 'text'")
    assert [(one.id, one.text, one.labels) for one in (first, second)] == [("3", "a", None), ("1", "b", ["x"])]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'[{"id": 1, "text": "a"}]', "JsonArray"),
        (b'[\n{"id": 1, "text": "a"}\n]', "JsonArray"),
        (b'{\n "id": 1,\n "text": "a"\n}\n', "JsonArray"),
        (b'{"news": [{"id": 1, "text": "a"}]}', "JsonArray"),
        (b'{"id": 1, "text": "a"}', "JsonLines"),
        (b'{"id": 1, "labels": ["x"], "entities": [{"id": 2, "text": "a"}], "Body": "b"}', "JsonLines"),
        (b'{"id": 1, "text": "a", "more": [{"x": 1}]}\n{"id": 2, "text": "b"}\n', "JsonLines"),
    ],
)
def test_it_is_told_from_json_lines(file, data, name):
    assert type(open_archive(file(data, "x"))).__name__ == name


ENTITIES = b'{"id": "t1", "text": "Silver fell", "labels": ["metals"], "of": [{"id": "e1", "text": "Silver"}]}'


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("options", [{}, {"text": "text"}])
def test_an_object_with_a_text_is_one_document_whatever_lists_it_holds(file, indent, options):
    data = json.dumps(json.loads(ENTITIES), indent=indent).encode()
    [stories] = open_archive(file(data, "x.json"), **options)
    assert (list(stories.ids), list(stories.labels)) == (["t1"], [["metals"]])


def test_a_folder_of_files_of_one_such_document(tmp_path):
    for name in ("t1", "t2"):
        (tmp_path / f"{name}.json").write_bytes(ENTITIES.replace(b"t1", name.encode()))
    assert [name for stories in open_archive(tmp_path) for name in stories.ids] == ["t1", "t2"]


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    ("data", "options"),
    [
        (b'{"sources": [{"id": 3}], "articles": [{"id": 1, "text": "a", "labels": ["x"]}]}', {}),
        (
            b'{"n": 1, "in": {"sources": [{"id": 3}, {}], "news": [{"id": 1, "Content": "a", "labels": "x"}]}}',
            {},
        ),
        (
            b'{"sources": [{"text": "s"}], "articles": [{"id": 1, "story": {"p": "a"}, "labels": ["x"]}]}',
            {"text": "story.p"},
        ),
        (b'{"message": "ok", "news": [{"id": 1, "message": "a", "labels": ["x"]}]}', {"text": "message"}),
        (b'{"message": "ok", "news": [{"id": 1, "message": "a", "labels": ["x"]}]}', {}),
        (b'{"id": 1, "message": "a", "labels": ["x"], "more": [{"id": 2}]}', {"format": "json", "text": "message"}),
        (b'{"id": 1, "p": [{"t": "a"}], "labels": ["x"], "more": [{"id": 2}]}', {"format": "json", "text": "p[].t"}),
    ],
)
def test_of_several_arrays_the_one_whose_objects_have_a_text(file, data, bom, options):
    [stories] = open_archive(file(bom + data, "x.json"), **options)
    assert (list(stories.ids), list(stories.texts), list(stories.labels)) == (["1"], ["a"], [["x"]])

"""Counts of broken records by stage and reason."""

from telex.adapters.report.dead_letter_data import DeadLetterCounts, count_dead_letters
from telex.stream import DeadLetter
from telex.stream.run_folder.dead_letters_jsonl import DEAD_LETTERS_JSONL, DeadLettersFile


def test_the_letters_of_a_folder_are_counted(tmp_path):
    file = DeadLettersFile(tmp_path / DEAD_LETTERS_JSONL)
    file.begin(None)
    for line, raw in enumerate([b"{", b"\xff[", b"}"], 1):
        file.dead_letter(DeadLetter(raw, "a.jsonl", line, 0, "decode", "no JSON" if raw != b"}" else "no labels"))
    file.dead_letter(DeadLetter(b"", "b.gz", None, None, "read", "the file breaks off"))
    file.close()
    found = count_dead_letters(tmp_path).plain()
    assert found["count"] == 4
    assert found["kinds"][0] == {"stage": "decode", "reason": "no JSON", "count": 2, "place": "a.jsonl:1", "raw": "{"}
    assert [kind["place"] for kind in found["kinds"][1:]] == ["a.jsonl:3", "b.gz"]


def test_only_the_first_of_a_kind_is_shown_and_not_all_of_it():
    counts = DeadLetterCounts()
    for line in range(3):
        counts.add("decode", "too long", f"a:{line}", "x" * 1000)
    [kind] = counts.plain()["kinds"]
    assert (kind["count"], kind["place"], kind["raw"]) == (3, "a:0", "x" * 300)

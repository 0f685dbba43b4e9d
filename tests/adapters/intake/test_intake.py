"""The list of files survives kills, and says what is wrong with it."""

import json

import pytest

from telex.adapters.intake import FedFile, Intake
from telex.learners.base import StoppedError, UsageError


def fed(name, content="", **how):
    return FedFile(path=name, format="jsonl", settings={}, end=5, sum=content or name, stamp=(5, 1, 2), **how)


def test_what_was_appended_is_there_again(tmp_path):
    intake = Intake(tmp_path)
    assert not intake.begun
    intake.begin([fed("old")])
    intake.begin([fed("other")])  # it has begun
    intake.append([fed("monday"), fed("monday", "7", start=5, lines=2)])
    again = Intake(tmp_path)
    assert again.begun
    assert again.replayed == 1
    assert again.files == intake.files
    assert [again.newest("monday").sum, again.with_sum("monday").end, again.newest("tuesday")] == ["7", 5, None]


def test_a_name_may_have_any_bytes(tmp_path):
    name = b"/news/\xff\xfe\n.csv".decode(errors="surrogateescape")
    Intake(tmp_path).append([fed(name, "1")])
    assert Intake(tmp_path).files[0].path == name


def test_a_line_that_a_kill_has_cut_is_as_if_it_had_not_been_written(tmp_path):
    Intake(tmp_path).append([fed("a"), fed("b")])
    path = tmp_path / "intake.jsonl"
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        intake = Intake(tmp_path)
        there = sum(len(b"".join(lines[: i + 1])) <= size for i in range(len(lines)))
        assert [file.path for file in intake.files] == ["a", "b"][: max(0, there - 1)]
        if there < 2:
            intake.append([fed("c")])
            assert [file.path for file in Intake(tmp_path).files] == ["c"]


def test_a_file_that_was_lost_may_be_fed_again(tmp_path):
    intake = Intake(tmp_path)
    intake.append([fed("a"), fed("b")])
    intake.lose(0, "gone")
    for one in (intake, Intake(tmp_path)):
        assert one.lost == {0: "gone"}
        assert len(one.files) == 2
        assert one.with_sum("a") is None
        assert one.newest("a") is None
        assert one.newest("b") is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"end": -1},
        {"start": 1 << 70},
        {"settings": {"paths": "x"}},
        {"settings": {"guess": "x"}},
        {"stamp": [1]},
    ],
)
def test_a_list_from_somebody_else_is_looked_through(tmp_path, wrong):
    Intake(tmp_path).append([fed("a")])
    head, line = (tmp_path / "intake.jsonl").read_text().splitlines()
    (tmp_path / "intake.jsonl").write_text(f"{head}\n{json.dumps({**json.loads(line), **wrong})}\n")
    with pytest.raises(UsageError, match=r"cannot be read .*; put it back"):
        Intake(tmp_path)


@pytest.mark.parametrize("text", ["nonsense\n", "{}\n", '{"replayed": 0}\n{"path": "a"}\n', '{"replayed": 0}\n[]\n'])
def test_another_content_is_refused(tmp_path, text):
    (tmp_path / "intake.jsonl").write_text(text)
    with pytest.raises(UsageError, match="put it back as the run wrote it, or start a new run"):
        Intake(tmp_path)


def test_where_it_cannot_be_written(tmp_path):
    intake = Intake(tmp_path / "gone")
    with pytest.raises(StoppedError, match="cannot be written"):
        intake.append([fed("a")])

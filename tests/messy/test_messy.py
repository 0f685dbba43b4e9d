"""Messy files: each gives the documents and labels that are meant, or asks before anything is learnt."""

import pytest
from messy.cases import cases

from telex.adapters.formats import open_archive
from telex.learners.base import UnclearInputError, UsageError
from telex.stream.sources import DeadLetter

CASES = list(cases())


def read(case, folder, **more):
    path = folder / case.file
    path.write_bytes(case.data)
    return open_archive(path, case.format, labelled=True, readable=True, **{**case.options, **more})


def spec(text):
    name, _, given = text.partition(":")
    return name, dict(part.split("=", 1) for part in given.split(",") if part)


def test_there_are_at_least_sixty_and_each_has_a_name():
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", [case for case in CASES if not case.asks], ids=lambda case: case.name)
def test_what_is_guessed(case, tmp_path):
    archive = read(case, tmp_path)
    found, labels, letters, texts, times = 0, set(), 0, [], []
    for item in archive:
        if isinstance(item, DeadLetter):
            letters += 1
            continue
        found += len(item)
        texts += list(item.texts)
        times += item.times.tolist()
        labels.update(label for some in item.labels for label in some or ())
    assert (found, letters) == (case.documents, case.broken)
    assert case.labels is None or labels == case.labels
    assert dict(case.detected).items() <= archive.detected.items()
    assert archive.detected.keys() - {"format"} <= {"id", "title", "labels", "time", "text", *case.detected}
    assert all(case.text in text for text in texts)
    if case.time is not None:
        assert min(times) == case.time
    remarks = "\n".join(archive.remarks)
    assert case.says in remarks
    assert ("guessed" in remarks) == bool(archive.detected.keys() - {"format"})
    assert ("warning" in remarks) == bool(case.says)


@pytest.mark.parametrize("case", [case for case in CASES if case.asks], ids=lambda case: case.name)
def test_what_is_asked_and_every_answer_is_accepted(case, tmp_path):
    with pytest.raises(UsageError, match=r"\w") as caught:
        read(case, tmp_path)
    error = caught.value
    assert isinstance(error, UnclearInputError)
    assert case.asks in str(error)
    assert "\n" not in str(error)
    if case.choices:
        assert error.formats == case.choices
    for choice in error.formats:
        name, settings = spec(choice)
        documents = [
            item for item in open_archive(tmp_path / case.file, name, **settings) if not isinstance(item, DeadLetter)
        ]
        assert sum(map(len, documents)) >= case.documents


@pytest.mark.parametrize("case", [case for case in CASES if not case.asks], ids=lambda case: case.name)
def test_what_was_detected_says_it_all(case, tmp_path):
    """A run that resumes reads the same documents by what was stored."""
    archive = read(case, tmp_path)
    settings = {**case.options, **archive.detected}
    name = settings.pop("format")
    again = open_archive(tmp_path / case.file, name, guess=False, **settings)
    assert [plain(item) for item in again] == [plain(item) for item in archive]


def plain(item):
    if isinstance(item, DeadLetter):
        return item
    return list(item.ids), list(item.texts), [None if some is None else list(some) for some in item.labels]

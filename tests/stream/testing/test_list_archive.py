"""An archive made of a list gives out what a file with the same content would."""

import pytest

from telex.learners import NB
from telex.stream import Run
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Answer, Arrivals, DeadLetter, Features, Stories, Story
from telex.testing import ListArchive

LETTER = DeadLetter(b"{", "wire.jsonl", 2, 20, "decode", "the line breaks off")
STORIES = [Story(f"d{i}", f"gold cup {i}", labels=["a"] if i % 2 else ["b"]) for i in range(7)]


def shape(items):
    """What each item is, and its ids."""
    return [(type(item), list(item.ids) if not isinstance(item, DeadLetter) else item.line) for item in items]


@pytest.mark.parametrize(("size", "cuts"), [(1, 7), (3, 3), (7, 1), (256, 1)])
def test_stories_come_in_batches_of_a_size(size, cuts):
    found = list(ListArchive(STORIES, size))
    assert len(found) == cuts
    assert max(map(len, found)) == min(size, 7)
    assert [name for stories in found for name in stories.ids] == [story.id for story in STORIES]
    assert [labels for stories in found for labels in stories.labels] == [story.labels for story in STORIES]


def test_a_dead_letter_ends_a_batch():
    found = shape(ListArchive([*STORIES[:2], LETTER, STORIES[2]]))
    assert found == [(Stories, ["d0", "d1"]), (DeadLetter, 2), (Stories, ["d2"])]


def test_answers_are_before_the_story_that_they_came_before():
    answers = [Answer("x", ["a"]), Answer("d0", ["b"]), Answer("d1", ["a", "b"])]
    [found] = ListArchive([answers[0], STORIES[0], answers[1], STORIES[1], answers[2]])
    assert isinstance(found, Arrivals)
    assert list(found.ids) == ["d0", "d1"]
    assert (found.answers.rows.tolist(), found.answers.ids) == ([0, 1, 2], ["x", "d0", "d1"])
    assert found.answers.labels == [["a"], ["b"], ["a", "b"]]


def test_an_answer_behind_a_full_batch_comes_by_itself():
    found = list(ListArchive([STORIES[0], Answer("d0", ["a"])], size=1))
    assert shape(found) == [(Stories, ["d0"]), (Arrivals, [])]
    assert found[1].answers.ids == ["d0"]


def test_what_is_whole_is_given_out_as_it_is():
    [whole] = ListArchive(STORIES)
    assert list(ListArchive([whole, LETTER])) == [whole, LETTER]


def test_each_pass_begins_anew():
    archive = ListArchive(STORIES, size=2)
    assert shape(archive) == shape(archive)


def test_a_run_learns_its_answers():
    silent = [story._replace(labels=None) for story in STORIES]
    answers = [Answer(story.id, story.labels) for story in STORIES]
    run = Run(Features(ListArchive([*silent, LETTER, *answers])), {"nb": NB()}, lateness=Lateness(by_id=True))
    list(run)
    assert run.summary()["dead_letters"] == 1
    assert run.learners["nb"].learnt == len(STORIES)

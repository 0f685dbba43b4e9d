"""What publishing does with what cannot be published, and what a person sees."""

import io
import math
import threading

import pytest
from oracles.streams import zipf

from telex.adapters.publish.archive_player import Awaited, Publishing
from telex.learners import BatchBuilder
from telex.learners.base import BrokenRecordError
from telex.stream import DeadLetter
from telex.stream.sources import Story, StoryBuilder
from telex.testing import ListArchive


class Kept:
    path = "kept.jsonl"

    def __init__(self):
        self.items = []

    def write(self, documents):
        for text in getattr(documents, "texts", ()):
            text.encode()
        self.items.append(documents)

    def wait(self, until):
        self.items.append(until)

    def finish(self):
        self.items.append("end")

    def counts(self):
        return {"more": 1}


class Screen(io.StringIO):
    def isatty(self):
        return True


def batch(count):
    builder = BatchBuilder()
    for x, y in zipf(3, documents=count):
        builder.add(x, y)
    return builder.take()


def stories(*texts):
    builder = StoryBuilder()
    for i, text in enumerate(texts):
        builder.add(Story(str(i), text))
    return builder.take()


def letter(line):
    return DeadLetter(b"?", "a.jsonl", line, 0, "decode", "[bold]no JSON[/bold]")


def test_the_limit_cuts_through_a_batch():
    kept = Kept()
    summary = Publishing([batch(10), batch(10)], kept, limit=13, stream=io.StringIO()).run()
    assert [len(item) for item in kept.items[:-1]] == [10, 3]
    assert (kept.items[-1], summary["more"]) == ("end", 1)
    assert (summary["documents"], summary["dead_letters"], summary["out"]) == (13, 0, "kept.jsonl")


def test_broken_records_are_counted_and_the_first_are_shown():
    screen = io.StringIO()
    publishing = Publishing([letter(1), batch(2), letter(2), letter(3), letter(4)], Kept(), stream=screen)
    assert publishing.run()["dead_letters"] == 4
    assert screen.getvalue().count("broken record: a.jsonl") == 3
    assert screen.getvalue().endswith("more broken records are only counted\n")
    assert publishing.last_words().endswith("; 4 broken records left out")


def test_strict_ends_at_the_first_broken_record():
    kept = Kept()
    with pytest.raises(BrokenRecordError, match=r"a\.jsonl:1.*leave out --strict"):
        Publishing([batch(2), letter(1), batch(2)], kept, strict=True, stream=io.StringIO()).run()
    assert len(kept.items) == 1


def test_a_text_that_is_no_unicode_is_a_broken_record():
    kept, screen = Kept(), io.StringIO()
    publishing = Publishing([stories("gold", "\udcff", "cup")], kept, stream=screen)
    summary = publishing.run()
    assert [item.texts for item in kept.items[:-1]] == [["gold"], ["cup"]]
    assert (summary["documents"], summary["dead_letters"]) == (2, 1)
    assert "document '1' holds what is no Unicode" in screen.getvalue()


def test_a_terminal_shows_how_far_it_is(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    screen = Screen()
    Publishing([batch(5), letter(1), batch(5)], Kept(), stream=screen).run()
    assert "10 documents" in screen.getvalue()
    assert "[bold]no JSON[/bold]" in screen.getvalue()


class Steps:
    """A pace of three documents at a time, and a wait between."""

    event_time = 7.0

    def __init__(self):
        self.waited = True

    def due(self, times):
        self.waited = not self.waited
        return (0, 0.01) if self.waited else (min(3, len(times)), 0.0)

    def passed(self, times):
        self.last = len(times)


def test_a_pace_cuts_batches_and_the_target_hears_of_each_wait():
    kept = Kept()
    Publishing([batch(7)], kept, pace=Steps(), stream=io.StringIO()).run()
    assert [item if isinstance(item, (float, str)) else len(item) for item in kept.items[::2]] == [3, 3, 1]
    waits = kept.items[1::2]
    assert len(waits) == 3
    assert waits[-1] == "end"


def test_it_ends_between_two_documents_when_it_is_asked_to():
    kept = Kept()

    def archive():
        yield batch(3)
        publishing.stop()
        yield batch(3)
        yield batch(3)

    publishing = Publishing(archive(), kept, stream=io.StringIO())
    publishing.run()
    assert [len(item) for item in kept.items] == [3]
    assert publishing.last_words().endswith("; stopped; --resume continues there")


def test_who_waits_for_documents_looks_up(monkeypatch):
    monkeypatch.setattr("telex.adapters.publish.archive_player._GLANCE", 0.01)
    kept, more = Kept(), threading.Event()

    def archive():
        yield batch(2)
        more.wait(30)
        yield batch(1)

    kept.wait = lambda until: (kept.items.append(until), more.set())
    Publishing(Awaited(ListArchive(archive())), kept, stream=io.StringIO()).run()
    assert len(kept.items[0]) == 2
    assert math.isnan(kept.items[1])
    assert [len(kept.items[-2]), kept.items[-1]] == [1, "end"]

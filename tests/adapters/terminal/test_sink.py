"""What a person sees on a terminal."""

import io

import pytest
from batch_models.models import Speechless
from oracles.streams import zipf
from rich.console import Console

from telex.adapters.terminal import figure_text
from telex.adapters.terminal.sink import LiveTable, PlainLines, terminal
from telex.learners import BR, MLPP, BatchBuilder, Last
from telex.learners.losses import LOSSES
from telex.stream import Checkpoints, DeadLetter, Refit, Run


class Screen(io.StringIO):
    def isatty(self):
        return True


def source(documents=30):
    builder = BatchBuilder()
    for i, (x, y) in enumerate(zipf(3, documents=documents)):
        builder.add(x, y, time=60.0 * i)
    return builder.take()


def letter(line):
    return DeadLetter(b"?", "a.jsonl", line, 0, "decode", "[bold]no JSON[/bold]")


def shown(screen, **options):
    run = Run([letter(1), letter(2), letter(3), letter(4), source()], {"br": BR(), "[red]": Last()},
              sinks=[terminal("runs/x/dead-letters.jsonl", screen)], **options)  # fmt: skip
    list(run)
    return screen.getvalue(), run


def test_a_terminal_gets_a_live_table(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    text, _ = shown(Screen(), limit=30)
    assert "\x1b[" in text
    assert "a.jsonl:3: [bold]no JSON[/bold]" in text
    assert "a.jsonl:4" not in text
    tail = text.splitlines()
    assert any(line.startswith("[red]") for line in tail)
    assert tail[-1].startswith("30 documents in ")
    assert tail[-1].endswith("4 broken records, stored in runs/x/dead-letters.jsonl")


def test_who_leads_is_below_the_live_table(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    live = LiveTable(Screen(), None)
    builder = BatchBuilder()
    for word, label in [("cup", "sport"), ("tariff", "trade")] * 100:  # the label before is always wrong
        builder.add({word: 1.0}, [label])
    run = Run([builder.take()], {"br": BR(), "[red]": Last()}, sinks=[live], points=200)
    drawn = io.StringIO()
    next(run)
    console = Console(file=drawn, width=140)
    console.print(live.frame.drawn(console))
    run.close()
    [standing] = run.state.monitors.comparison.standings()
    last = drawn.getvalue().splitlines()[-1]
    assert standing.better == "br"
    assert last == f"By iserr br is better than [red] since document {standing.since}."


def test_colours_can_be_refused(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    text, _ = shown(Screen())
    assert "\x1b[3" not in text  # no foreground colour; moving the cursor is allowed


@pytest.mark.parametrize("screen", [Screen, io.StringIO])
def test_a_resumed_run_says_from_where(monkeypatch, tmp_path, screen):
    monkeypatch.setenv("COLUMNS", "160")
    kept = Checkpoints(tmp_path)
    list(Run([source()], {"br": BR()}, limit=20, checkpoints=kept))
    shown = terminal(None, screen())
    shown.say("what there is to say before")
    run = Run([source()], {"br": BR()}, checkpoints=kept, sinks=[shown])
    run.resume()
    list(run)
    lines = shown.stream.getvalue().splitlines()
    assert lines[:2] == ["what there is to say before", "resuming behind document 20"]
    assert lines[-1].startswith("30 documents in ")


def ranked_and_wrong(documents):
    run = Run([source()], {"br": BR()}, limit=documents)
    list(run)
    found = run.summary()["learners"]["br"]
    return found["docs_ranked"], found["docs_ranked"] * found["iserr"]


def test_the_first_line_of_a_resumed_run_is_since_then(tmp_path):
    kept, screen = Checkpoints(tmp_path), io.StringIO()
    list(Run([source()], {"br": BR()}, limit=20, checkpoints=kept))
    run = Run([source()], {"br": BR()}, checkpoints=kept, sinks=[terminal(None, screen)])
    run.resume()
    list(run)
    mean = dict(zip(run.curves["br"]["documents"].tolist(), run.curves["br"]["iserr"].tolist(), strict=True))
    cells = screen.getvalue().splitlines()[2].split()
    (ranked, wrong), (ranked_then, wrong_then) = ranked_and_wrong(22), ranked_and_wrong(20)
    since = (wrong - wrong_then) / (ranked - ranked_then)
    assert cells[:4] == ["22", "br", figure_text(mean[22]), figure_text(since)]
    assert cells[2] != cells[3]


@pytest.mark.parametrize("screen", [Screen, io.StringIO])
def test_refits_that_fail_are_shown_when_they_do_and_counted_at_the_end(monkeypatch, screen):
    monkeypatch.setenv("COLUMNS", "160")
    shown = terminal(None, screen())
    run = Run([source()], {"model": Refit(Speechless(), every=10)}, sinks=[shown])
    list(run)
    text = shown.stream.getvalue()
    assert text.count("model could not be refitted at document 10: ") == 1
    assert text.count("could not be refitted") == 1
    assert text.splitlines()[-1].endswith("; model: 0 refits, 3 failed (RuntimeError: no words)")
    assert run.summary()["refits"]["model"] | {"staleness": None} == {
        "refits": 0, "failures": 3, "reasons": {"RuntimeError: no words": 3}, "staleness": None,
    }  # fmt: skip


def test_losses_of_ones_own_are_shown():
    screen = io.StringIO()
    list(Run([source()], {"br": BR()}, losses=[LOSSES["hamming"]], sinks=[terminal(None, screen)]))
    assert screen.getvalue().split()[2:6] == ["hamming", "since", "micro_f1", "macro_f1"]


def test_a_stream_that_is_no_terminal_gets_lines():
    assert isinstance(terminal(None, io.StringIO()), PlainLines)


def test_stopped_runs_say_so():
    screen = io.StringIO()
    run = Run([source()], {"br": BR()}, sinks=[terminal(None, screen)], points=10)
    next(run)
    run.stop()
    list(run)
    assert screen.getvalue().splitlines()[-2].startswith("stopped after 10 documents")
    assert screen.getvalue().splitlines()[-1] == (
        "it cannot be resumed: it has no checkpoints; a run begun with --run DIR has them"
    )


@pytest.mark.parametrize(
    ("resume_hint", "sentence"),
    [
        ("to resume: telex replay --run x --resume", "to resume: telex replay --run x --resume"),
        (None, "it has checkpoints, and can be resumed"),
    ],
)
def test_stopped_runs_say_how_to_resume(tmp_path, resume_hint, sentence):
    screen = io.StringIO()
    shown = terminal(None, screen, resume_hint)
    run = Run([source()], {"br": BR()}, sinks=[shown], points=10, checkpoints=Checkpoints(tmp_path))
    next(run)
    run.stop()
    list(run)
    assert screen.getvalue().splitlines()[-1] == sentence


def test_much_memory_is_said_early_and_once(monkeypatch):
    said = []
    monkeypatch.setattr(
        MLPP, "memory_note", lambda self, labels, terms: said.append((labels, terms)) or "much" * (labels > 2)
    )
    screen = io.StringIO()
    run = Run([source()], {"pairs": MLPP(), "br": BR()}, sinks=[PlainLines(screen, None)])
    list(run)
    assert screen.getvalue().count("pairs, so far: much\n") == 1
    assert [labels > 2 for labels, _ in said] == [False] * (len(said) - 1) + [True]
    assert said[-1][1] <= run.summary()["features"]

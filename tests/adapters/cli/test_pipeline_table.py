"""A run is explained to people: a table that fits, and every place to which its results go."""

from telex.adapters.cli.commands.consume import ConsumeOptions
from telex.adapters.cli.pipeline_table import print_explanation
from telex.learners import BR, MMP
from telex.learners.losses import LOSSES
from telex.stream import Run, Sink


def shown(capsys, **options):
    run = Run([], {"mmp": MMP(), "br": BR()}, losses=list(LOSSES.values()), sinks=[Sink()])
    assert print_explanation(run, ConsumeOptions(**options)) == 0
    return capsys.readouterr().out.splitlines()


def test_it_fits_a_terminal_and_loses_no_word(capsys):
    lines = shown(capsys)
    assert lines[0].split() == ["stage", "in", ">", "out", "thread", "what"]
    assert max(map(len, lines)) <= 100
    words = " ".join(lines).split()
    assert all(f"{name}," in words or f"{name};" in words for name in LOSSES)


def test_it_says_where_the_results_go(capsys):
    said = " ".join(" ".join(shown(capsys)).split())
    assert "terminal" in said
    assert "Prometheus" not in said
    where = {
        "run": "first", "predictions": "said.jsonl", "metrics": ":9100", "serve": ":8000", "out_topic": "labelled",
        "dead_letter_topic": "broken",
    }  # fmt: skip
    said = " ".join(" ".join(shown(capsys, **where)).split())
    for sentence in (
        "write curves, events, losses and checkpoints into first",
        "write predictions to said.jsonl",
        "serve figures to Prometheus at :9100",
        "serve a live page at :8000",
        "send predictions to the topic labelled",
        "send broken records to the topic broken",
    ):
        assert sentence in said

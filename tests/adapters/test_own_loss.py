"""A loss of another package: a class of three lines works wherever Telex's own losses do, with its own unit.

No module of its own: losses are shown in many rooms.
"""

import io
import json
from importlib.metadata import EntryPoint

import pytest
from deploy.exported import scraped
from oracles.streams import zipf

from telex.adapters.cli.main import main
from telex.adapters.prometheus import MetricsSink
from telex.adapters.report.report import page_data
from telex.adapters.terminal import terminal
from telex.learners import BR, NB, BatchBuilder, registry, usual_losses
from telex.learners.losses import LOSSES, Loss
from telex.stream import Run, RunFolder


class Missed(Loss):
    """True labels that are not predicted."""

    name, unit = "missed", "misses"

    def of(self, judged):
        return judged.fn.astype(float)


@pytest.fixture
def installed(monkeypatch):
    """The loss as an installed package has it: under an entry point."""
    point = EntryPoint("missed", f"{__name__}:Missed", "telex.losses")

    def entry_points(group):
        return [point] if group == "telex.losses" else []

    monkeypatch.setattr(EntryPoint, "load", lambda _: Missed)
    monkeypatch.setattr("telex.learners.registry.losses.entry_points", entry_points)


def source():
    builder = BatchBuilder()
    for x, y in zipf(3, documents=60):
        builder.add(x, y)
    return builder.take()


def shown(losses, *sinks):
    screen = io.StringIO()
    run = Run([source()], {"br": BR(), "nb": NB()}, losses=losses, sinks=[terminal(None, screen), *sinks])
    list(run)
    lines = screen.getvalue().splitlines()
    return run, lines[0].split(), next(line.split() for line in lines if line.startswith("learner "))


@pytest.mark.parametrize("losses", [[*LOSSES.values(), Missed()], [Missed()], [LOSSES["margin"], Missed()]])
def test_it_is_in_the_tables_of_a_terminal(losses):
    _, live, final = shown(losses)
    assert "missed" in live
    assert "missed" in final
    assert final.index("missed") < final.index("micro_f1")


def test_beside_telex_own_it_is_the_second_that_is_read():
    _, live, final = shown([*usual_losses().values(), Missed()])
    assert live[2:6] == ["iserr", "since", "missed", "avgp"]
    assert final[1:] == [
        "iserr", "errsetsize", "margin", "avgp", "oneerr", "coverage", "hamming", "missed", "micro_f1", "macro_f1",
    ]  # fmt: skip


def test_it_is_exported_under_its_unit():
    metrics = MetricsSink()
    run, *_ = shown([*LOSSES.values(), Missed()], metrics)
    series = scraped(metrics.registry)
    found = {dict(labels)["learner"]: value for (name, labels), value in series.items()
             if name == "telex_metric_misses" and dict(labels)["window"] == "all"}  # fmt: skip
    assert found == {name: figures["missed"] for name, figures in run.summary()["learners"].items()}


def test_a_page_has_its_facts():
    data = page_data([], [Missed()])
    assert data["losses"]["missed"] == {
        "summary": "True labels that are not predicted.", "best": 0.0, "bounded": False, "binary": False,
        "unit": "misses", "optional": False, "priority": 15, "same_as": None,
        "tree": False,
    }  # fmt: skip
    assert all("missed" in columns for columns in data["columns"].values())


@pytest.mark.usefixtures("installed")
def test_one_that_is_installed_is_in_every_run(tmp_path, capsys):
    assert main(["losses", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["missed"]["unit"] == "misses"
    assert list(facts).index("missed") == len(LOSSES) + sum(one["tree"] for one in facts.values())
    assert main(["losses"]) == 0
    assert "missed" in capsys.readouterr().out
    run, *_ = shown(registry.known_losses(), RunFolder(tmp_path / "run"))
    assert run.summary()["learners"]["br"]["missed"] is not None
    kept = json.loads((tmp_path / "run" / "losses.json").read_text())["losses"]
    assert kept["missed"] == {"best": 0.0, "bounded": False, "binary": False}
    assert main(["compare", str(tmp_path / "run"), "--loss", "missed"]) == 0
    assert capsys.readouterr().out.startswith("missed, ")

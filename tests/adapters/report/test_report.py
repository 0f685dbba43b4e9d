"""A report from a run's folder, as data and as a file.

The makers of that data are tested here too, on the folder of one whole run: run_data, comparison_data and word_data.
"""

import csv
import json
import re
import shutil
from types import SimpleNamespace

import pytest

from telex.adapters.cli.main import main
from telex.adapters.plots import picture
from telex.adapters.report.page import charts
from telex.adapters.report.report import report, report_data
from telex.learners.base import TelexError, UsageError


def test_all_that_a_run_has_written_is_in_it(run):
    [found] = report_data([run])["runs"]
    summary = json.loads((run / "run.json").read_text())["summary"]
    with (run / "curves.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["learner"] == "mmp"]
    curve = found["curves"]["learners"]["mmp"]["iserr"]["v"]
    assert found["curves"]["documents"] == [int(row["documents"]) for row in rows]
    assert curve == pytest.approx([float(row["iserr"]) for row in rows], rel=1e-4)
    assert found["summary"] == summary
    assert [learner["name"] for learner in found["learners"]] == ["arow", "mlpp", "mmp", "br", "nb", "prior", "last"]
    assert [learner["baseline"] for learner in found["learners"]] == [False] * 5 + [True] * 2
    assert found["letters"]["count"] == summary["dead_letters"] == 2
    assert found["events_count"] == len((run / "events.jsonl").read_text().splitlines())
    labels = found["labels"]["mmp"]
    assert sum(labels["tp"]) + sum(labels["fn"]) == sum(labels["support"])
    assert found["command"] == "replay"
    assert sum(found["speed"]["seconds"]) > 0


def test_a_script_of_somebody_else_is_refused_unless_it_is_the_known_one(tmp_path, monkeypatch):
    script = tmp_path / "dygraphs" / "assets" / "dygraph-combined.js"
    script.parent.mkdir(parents=True)
    known = charts()
    monkeypatch.setattr(
        "telex.adapters.report.page.distribution", lambda _: SimpleNamespace(locate_file=tmp_path.joinpath)
    )
    script.write_text(known, encoding="utf-8")
    assert charts() == known
    script.write_text(known + " ", encoding="utf-8")
    with pytest.raises(TelexError, match="install it again: pip install dygraphs=="):
        charts()


def test_which_is_better_is_as_compare_reports(run, capsys):
    [found] = report_data([run])["runs"]
    assert main(["compare", str(run), "--loss", "iserr", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    pairs = [pair for pair in found["verdicts"]["pairs"] if pair["loss"] == "iserr"]
    assert [{name: value for name, value in pair.items() if name != "part"} for pair in pairs] == told["train"]
    drawn = found["verdicts"]["drawn"]
    assert drawn["documents"][-1] == pairs[0]["n"] + 1  # there is nothing to rank in the first document
    assert [line["lower"][-1] for line in drawn["pairs"]] == pytest.approx([pair["lower"] for pair in pairs], rel=1e-4)


def test_words_that_decide_are_those_of_the_newest_checkpoint(tmp_path, capsys):
    boosted = "boost=refit:model=mpboost,model.rounds=5,every=200,window=200"
    replay = ["replay", "synthetic:n=400,seed=1", "--learner", boosted, "--run", str(tmp_path / "run")]
    assert main(replay) == 0
    [found] = report_data([tmp_path / "run"])["runs"]
    capsys.readouterr()
    assert main(["inspect", str(tmp_path / "run"), "--terms", "8", "--labels", "1000", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert found["words"] == {"boost": told["learners"]["boost"]["deciding"]}


def test_a_page_fetches_nothing(run, tmp_path):
    text = report([run], tmp_path / "page.html").read_text()
    whole = re.sub(r"https?://(www\.)?(opensource\.org|w3\.org|www\.w3\.org|dygraphs\.com)[^\s\"')]*", "", text)
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", whole)
    assert re.search(r"default-src 'none'.*connect-src 'none'", text)
    assert "unsafe" not in re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert list(tmp_path.iterdir()) == [tmp_path / "page.html"]


def test_a_run_that_was_killed_is_shown_as_far_as_it_came(run, tmp_path):
    half = tmp_path / "half"
    shutil.copytree(run, half)
    facts = json.loads((half / "run.json").read_text())
    del facts["summary"]
    (half / "run.json").write_text(json.dumps(facts))
    lines = (half / "curves.csv").read_text().splitlines(keepends=True)
    (half / "curves.csv").write_text("".join(lines[:100]) + lines[100][:30])
    (half / "labels.csv").unlink()
    [found] = report_data([half])["runs"]
    assert found["summary"] == {}
    assert found["labels"] == {}
    assert len(found["curves"]["documents"]) == len(found["curves"]["learners"]["last"]["iserr"]["v"]) == 14
    assert report([half], tmp_path / "half.html").stat().st_size > 100_000


def test_runs_of_one_name_are_distinguished(run, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    names = [one["name"] for one in report_data([run, tmp_path / "run"])["runs"]]
    assert names == [f"{run.parent.name}/run", f"{tmp_path.name}/run"]


def test_a_run_without_a_point_is_shown(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps({"command_line": ["telex", "replay", "x"], "learners": {"br": {}}}))
    [found] = report_data([tmp_path])["runs"]
    assert (found["curves"], found["labels"], found["events"]) == (None, {}, [])


@pytest.mark.parametrize(
    ("name", "content"),
    [("run.json", "{"), ("curves.csv", "learner,documents,time,iserr\nmmp,x,,0.5\n"), ("events.jsonl", "x\n"),
     ("labels.csv", "learner,label\nmmp,x\n"), ("dead-letters.jsonl", "{}\n"), ("speed.csv", "part\ntrain\n")],
)  # fmt: skip
def test_a_damaged_file_is_named(run, tmp_path, name, content):
    damaged = tmp_path / "damaged"
    shutil.copytree(run, damaged)
    (damaged / name).write_text(content)
    with pytest.raises(UsageError, match=rf"{name} cannot be read .*; put the file back as the run wrote it"):
        report_data([damaged])


def test_the_command(run, tmp_path, capsys):
    assert main(["report", str(run), "-o", str(tmp_path / "page.html")]) == 0
    assert re.search(r"page\.html \(\d\.\d MB\)", capsys.readouterr().err)
    assert main(["report", str(run), str(run), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [([], "name the folder of a run"), (["nowhere"], "there is no folder nowhere"),
     (["."], "is not the folder of a run"),
     (["RUN", "-o", "no/page.html"], "the folder no is not there; make it"),
     (["RUN", "--loss", "iserr"], "--loss chooses the loss of a picture"),
     (["RUN", "--picture", "x.gif"], "end its name with .svg"),
     (["RUN", "--picture", "x.svg", "--loss", "isser"], "did you mean 'iserr'")],
)  # fmt: skip
def test_impossible_settings_are_one_sentence(run, tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert main(["report", *(str(run) if one == "RUN" else one for one in arguments)]) in {1, 2}
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_picture_begins_where_figures_are_of_many_documents(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: the extra plots has it")
    assert main(["replay", "synthetic:n=400", "--learner", "br", "--run", str(tmp_path / "run")]) == 0
    drawn = []
    monkeypatch.setattr("telex.adapters.plots.curves.write_picture", lambda figure, *_, **__: drawn.append(figure))
    picture([tmp_path / "run"], tmp_path / "iserr.svg")
    assert {line.get_xdata()[0] for line in drawn[0].axes[0].lines} == {20}  # a twentieth of all


def test_a_picture_for_papers(run, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: the extra plots has it")
    drawn = picture([run], tmp_path / "iserr.svg", "iserr_window").read_text()
    for name in ("arow", "mlpp", "mmp", "br", "nb", "prior", "last"):
        assert f"<!-- {name} -->" in drawn
    assert picture([run], tmp_path / "again.svg", "iserr_window").read_text() == drawn
    assert picture([run, run], tmp_path / "two.png").read_bytes().startswith(b"\x89PNG")

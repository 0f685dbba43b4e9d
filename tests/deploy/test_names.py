"""Whatever rules, alerts and the dashboard ask for is exported, under these names and with these labels."""

import json
import re
from pathlib import Path

import pytest
import yaml
from deploy.exported import everything, reader

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
NAME = re.compile(r"(?<![\w:])((?:telex|process|instance|learner|label)[:_][\w:]+)(?:\{([^}]*)\})?")
GIVEN = {"instance", "job"}  # by Prometheus


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Each sample's name and its labels, of a run and a reader that have everything, and of the records."""
    run, metrics = everything(tmp_path_factory.mktemp("run") / "checkpoints")
    list(run)
    found = {}
    for family in (*metrics.registry.collect(), *reader().registry.collect()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    labels = set().union(*found.values())
    return {**found, **{rule["record"]: labels for rule in rules("rules.yml")}}


def rules(name):
    content = yaml.safe_load((DEPLOY / "prometheus" / name).read_text())
    return [rule for group in content["groups"] for rule in group["rules"]]


def dashboard():
    return json.loads((DEPLOY / "grafana" / "dashboards" / "telex.json").read_text())


def panels():
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def expressions():
    found = [rule["expr"] for name in ("rules.yml", "alerts.yml") for rule in rules(name)]
    found += [target["expr"] for panel in panels() for target in panel["targets"]]
    found += [note["expr"] for note in dashboard()["annotations"]["list"]]
    return found


def asked(expression):
    """Names and labels that an expression asks for; text in quotes is neither."""
    return [
        (name, set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector or "")))
        for name, selector in NAME.findall(re.sub(r'"[^"]*"', "''", expression))
    ]


def test_an_expression_is_taken_apart():
    found = asked('sum by (le) (rate(telex_a_bucket{instance=~"telex_x", le!="1"}[5m])) > learner:telex_f1:rate1h')
    assert found == [("telex_a_bucket", {"instance", "le"}), ("learner:telex_f1:rate1h", set())]


def test_all_that_is_asked_for_is_exported(exported):
    found = [one for expression in expressions() for one in asked(expression)]
    assert len(found) > 80
    missing = {name for name, _ in found if name not in exported and not name.startswith("process_")}
    assert not missing
    for name, labels in found:
        assert labels <= exported.get(name, set()) | GIVEN, name


def test_all_that_is_exported_is_shown_or_watched(exported):
    """An unused metric need not be made, unless others are computed from it."""
    used = {re.sub("_(bucket|sum|count)$", "", name) for expression in expressions() for name, _ in asked(expression)}
    beside = {
        "telex_run_documents",
        "telex_last_document_timestamp_seconds",
        "telex_build_info",
        "telex_learner_info",
        "telex_document_errors_total",
        "telex_progress_duration_seconds",
        "telex_records_ahead_of_clock_total",
        "telex_archived_records_total",
        "telex_already_answered_total",
        "telex_corrections_total",
        "telex_timeless_total",
        "telex_replaced_total",
        "telex_withdrawn_total",
        "telex_withdrawn_too_late_total",
        "telex_withdrawn_unknown_total",
        "telex_learner_failures_total",
        "telex_reader_model_documents",
        "telex_reader_model_learned",
        "telex_shard_memory_bytes",
        "telex_shard_work_seconds_total",
        "telex_shard_documents_total",
        "telex_shard_restarts_total",
    }
    ours = {re.sub("_(bucket|sum|count)$", "", name) for name in exported if name.startswith("telex_")}
    ours -= {f"telex_metric_{unit}" for unit in ("ratio", "ranks", "labels", "pairs", "value")}
    assert ours - used == beside


def test_variables_are_filled_from_what_is_exported(exported):
    for variable in dashboard()["templating"]["list"]:
        if found := re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["definition"]):
            name, label = found.groups()
            assert name in exported
            assert label in exported[name] | GIVEN


def test_panels_are_in_a_grid_without_overlap():
    cells = set()
    for panel in dashboard()["panels"]:
        at = panel["gridPos"]
        own = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not own & cells, panel["title"]
        cells |= own
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(dashboard()["panels"])
    assert len({panel["title"] for panel in panels()}) == len(panels())


def test_every_alert_is_tested():
    tests = yaml.safe_load((DEPLOY / "prometheus" / "tests.yml").read_text())["tests"]
    fired = {case["alertname"] for test in tests for case in test.get("alert_rule_test", ()) if case.get("exp_alerts")}
    recorded = {case["expr"] for test in tests for case in test.get("promql_expr_test", ())}
    assert fired == {rule["alert"] for rule in rules("alerts.yml")}
    assert recorded == {rule["record"] for rule in rules("rules.yml")}


def test_the_readme_lists_what_is_exported(tmp_path):
    run, metrics = everything(tmp_path / "checkpoints")
    list(run)
    expected = set()
    for family in (*metrics.registry.collect(), *reader().registry.collect()):
        if family.name.startswith("telex_"):
            name = family.name + {"counter": "_total", "info": "_info"}.get(family.type, "")
            labels = sorted(set().union(*(sample.labels for sample in family.samples)) - {"le"})
            expected.add(f"| `{name}` | {family.type} | {', '.join(labels)} | {family.documentation} |")
    lines = (DEPLOY / "README.md").read_text().splitlines()
    assert {line for line in lines if line.startswith("| `telex_")} == expected

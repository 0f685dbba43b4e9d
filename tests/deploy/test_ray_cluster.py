"""The manifests for KubeRay: the cluster that follows the wire, and the job on a cluster of its own."""

import re
import shlex

import pytest
import yaml
from deploy.kuberay import DEPLOY, Manifest

from telex.adapters.cli.command_table import parser_for


@pytest.mark.parametrize("name", ["ray.yaml", "ray-job.yaml"])
def test_kuberay_and_kubernetes_take_a_manifest_whose_parts_belong_together(name, tmp_path):
    manifest = Manifest(name)
    manifest.belongs_together()
    manifest.validate(tmp_path)


def test_the_head_starts_telex_on_its_cluster_and_there_are_places_for_the_shards():
    manifest = Manifest("ray.yaml")
    [head] = manifest.pods[0]["spec"]["containers"]
    [line] = re.findall(r"exec telex (.*)", head["args"][0].replace("\\\n", " "))
    options, unknown = parser_for(["consume"])[0].parse_known_args(shlex.split(line))
    assert (unknown, options.resume, options.engine) == ([], True, "ray")
    assert options.shards <= manifest.processors()
    [port] = re.findall(r"--head --port (\d+)", head["args"][0])
    assert {"name": "RAY_ADDRESS", "value": f"127.0.0.1:{port}"} in head["env"]
    telex = yaml.safe_load_all((DEPLOY / "kubernetes" / "telex.yaml").read_text())
    assert "telex" in {one["metadata"]["name"] for one in telex if one["kind"] == "ConfigMap"}


def test_the_job_is_a_sweep_whose_result_stays_and_whose_archive_every_machine_has():
    manifest = Manifest("ray-job.yaml")
    line, result = manifest.own["spec"]["entrypoint"].split(" > ")
    program, command, *rest = shlex.split(line)
    options, unknown = parser_for([command])[0].parse_known_args([command, *rest])
    assert (program, command, unknown, options.engine) == ("telex", "sweep", [], "ray")
    mounts = [{mount["name"]: mount["mountPath"] for mount in pod["spec"]["containers"][0]["volumeMounts"]}
              for pod in manifest.pods]  # fmt: skip
    assert all(options.paths[0].startswith(mount["archive"] + "/") for mount in mounts)
    assert options.json
    assert result.startswith(mounts[0]["run"] + "/")
    assert "$(date " in result, "a second try would overwrite the result"
    assert "run" not in vars(options), "a sweep on a cluster stores no run"
    assert manifest.processors() >= 2


def test_kuberay_reaches_the_dashboard_to_which_it_gives_the_job():
    """The dashboard is in Ray's extra ``default``, of which aiohttp is a part."""
    manifest = Manifest("ray-job.yaml")
    [head] = manifest.pods[0]["spec"]["containers"]
    assert "--dashboard-host 0.0.0.0" in head["args"][0]
    [rule] = [one for one in manifest.by_kind["NetworkPolicy"]["spec"]["ingress"] if "ports" in one]
    assert {"name": "dashboard", "containerPort": rule["ports"][0]["port"]} in head["ports"]
    assert all(set(source) == {"namespaceSelector", "podSelector"} for source in rule["from"])
    assert "\naiohttp==" in (DEPLOY / "ray.lock").read_text(), "run deploy/lock"

"""The manifest for KubeRay, whose kind no tool here knows: pods are checked as pods, the rest by what KubeRay takes."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml

from telex.adapters.cli.command_table import parser_for

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
MANIFEST = DEPLOY / "kubernetes" / "ray.yaml"
NAME = {"app.kubernetes.io/name": "telex-ray"}


def fields(required, **optional):
    return {
        "type": "object",
        "required": list(required),
        "properties": required | optional,
        "additionalProperties": False,
    }


TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
NUMBER = {"type": "integer", "minimum": 0}
GROUP = {"rayStartParams": TEXTS, "template": fields({"metadata": {"type": "object"}, "spec": {"type": "object"}})}
SIZES = {"replicas": NUMBER, "minReplicas": NUMBER, "maxReplicas": NUMBER}
RAY_CLUSTER = fields(  # the part of ray.io/v1 that the manifest uses
    {
        "apiVersion": {"const": "ray.io/v1"},
        "kind": {"const": "RayCluster"},
        "metadata": fields({"name": {"type": "string"}}, labels=TEXTS, annotations=TEXTS),
        "spec": fields(
            {
                "rayVersion": {"type": "string"},
                "headGroupSpec": fields(GROUP),
                "workerGroupSpecs": {
                    "type": "array",
                    "minItems": 1,
                    "items": fields({"groupName": {"type": "string"}, **SIZES, **GROUP}),
                },
            }
        ),
    }
)


@pytest.fixture(scope="module")
def manifests():
    return {one["kind"]: one for one in yaml.safe_load_all(MANIFEST.read_text())}


@pytest.fixture(scope="module")
def pods(manifests):
    """The templates of the head's pod and of the workers'."""
    spec = manifests["RayCluster"]["spec"]
    return [spec["headGroupSpec"]["template"], *(group["template"] for group in spec["workerGroupSpecs"])]


def test_kuberay_takes_the_cluster(manifests):
    jsonschema.validate(manifests["RayCluster"], RAY_CLUSTER)


def test_kubernetes_takes_all_others_and_the_pods(manifests, pods, tmp_path):
    beside = Path(sys.executable).with_name("kubernetes-validate")
    tool = str(beside) if beside.exists() else shutil.which("kubernetes-validate")
    if tool is None:
        pytest.skip("kubernetes-validate is not installed; `pip install kubernetes-validate`")
    known = [one for kind, one in manifests.items() if kind != "RayCluster"]
    for number, pod in enumerate(pods):
        known.append(
            {"apiVersion": "v1", "kind": "Pod", **pod, "metadata": {"name": f"pod-{number}", **pod["metadata"]}}
        )
    (tmp_path / "known.yaml").write_text(yaml.safe_dump_all(known))
    done = subprocess.run(
        [tool, "--strict", tmp_path / "known.yaml"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (done.stdout + done.stderr).count("passed") == 4


def test_what_belongs_together_has_the_same_names(manifests, pods):
    spec = manifests["RayCluster"]["spec"]
    assert all(pod["metadata"]["labels"] == NAME for pod in pods)
    assert manifests["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == NAME
    for pod in pods:
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        for container in pod["spec"]["containers"]:
            assert {mount["name"] for mount in container["volumeMounts"]} == set(volumes)
            ports = {port["name"] for port in container["ports"]}
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                for how in ("httpGet", "tcpSocket"):
                    assert container.get(probe, {}).get(how, {"port": "metrics"})["port"] in ports | {"metrics"}
            assert container["securityContext"]["readOnlyRootFilesystem"]
        claim = volumes.get("run", {}).get("persistentVolumeClaim", {})
        assert claim.get("claimName", manifests["PersistentVolumeClaim"]["metadata"]["name"]) == "telex-ray"
    telex = yaml.safe_load_all((DEPLOY / "kubernetes" / "telex.yaml").read_text())
    assert "telex" in {one["metadata"]["name"] for one in telex if one["kind"] == "ConfigMap"}
    lock = (DEPLOY / "ray.lock").read_text()
    assert f"ray=={spec['rayVersion']} " in lock, (
        "the workers must have the Ray of the head; run deploy/lock, and name it"
    )


def test_the_head_starts_telex_on_its_cluster_and_there_are_places_for_the_shards(manifests, pods):
    [head] = pods[0]["spec"]["containers"]
    [line] = re.findall(r"exec telex (.*)", head["args"][0].replace("\\\n", " "))
    options, unknown = parser_for(["consume"])[0].parse_known_args(shlex.split(line))
    assert (unknown, options.resume, options.engine) == ([], True, "ray")
    spec = manifests["RayCluster"]["spec"]
    workers = [
        group["replicas"]
        * int(re.search(r"--num-cpus (\d+)", group["template"]["spec"]["containers"][0]["args"][0])[1])
        for group in spec["workerGroupSpecs"]
    ]
    assert options.shards <= sum(workers)
    [port] = re.findall(r"--head --port (\d+)", head["args"][0])
    assert {"name": "RAY_ADDRESS", "value": f"127.0.0.1:{port}"} in head["env"]

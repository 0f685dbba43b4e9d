"""What KubeRay takes, whose kinds no tool here knows: the part of ray.io/v1 that the manifests use."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


def fields(required, **optional):
    return {
        "type": "object",
        "required": list(required),
        "properties": required | optional,
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
TEXTS = {"type": "object", "additionalProperties": TEXT}
NUMBER = {"type": "integer", "minimum": 0}
GROUP = {"rayStartParams": TEXTS, "template": fields({"metadata": {"type": "object"}, "spec": {"type": "object"}})}
SIZES = {"replicas": NUMBER, "minReplicas": NUMBER, "maxReplicas": NUMBER}
CLUSTER = fields(
    {
        "rayVersion": TEXT,
        "headGroupSpec": fields(GROUP),
        "workerGroupSpecs": {
            "type": "array",
            "minItems": 1,
            "items": fields({"groupName": TEXT, **SIZES, **GROUP}),
        },
    }
)
JOB = fields(
    {
        "entrypoint": TEXT,
        "submissionMode": {"enum": ["K8sJobMode", "HTTPMode", "SidecarMode"]},
        "rayClusterSpec": CLUSTER,
        "shutdownAfterJobFinishes": {"const": True},  # else ttlSecondsAfterFinished is refused
    },
    ttlSecondsAfterFinished=NUMBER,
    backoffLimit=NUMBER,
    preRunningDeadlineSeconds={"type": "integer", "minimum": 1},
    activeDeadlineSeconds={"type": "integer", "minimum": 1},
)


def kind(name, spec):
    metadata = fields({"name": {"type": "string", "maxLength": 47}}, labels=TEXTS, annotations=TEXTS)
    return fields({"apiVersion": {"const": "ray.io/v1"}, "kind": {"const": name}, "metadata": metadata, "spec": spec})


KINDS = {"RayCluster": kind("RayCluster", CLUSTER), "RayJob": kind("RayJob", JOB)}


class Manifest:
    """A manifest with one object of KubeRay: that object, its cluster, the templates of its pods, and all others."""

    def __init__(self, name):
        self.by_kind = {one["kind"]: one for one in yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text())}
        [self.own] = [one for one in self.by_kind.values() if one["apiVersion"] == "ray.io/v1"]
        self.cluster = self.own["spec"].get("rayClusterSpec", self.own["spec"])
        self.workers = self.cluster["workerGroupSpecs"]
        self.pods = [self.cluster["headGroupSpec"]["template"], *(group["template"] for group in self.workers)]
        self.name = {"app.kubernetes.io/name": self.own["metadata"]["name"]}

    def validate(self, folder):
        """KubeRay takes its object, and Kubernetes the pods and all others."""
        jsonschema.validate(self.own, KINDS[self.own["kind"]])
        beside = Path(sys.executable).with_name("kubernetes-validate")
        tool = str(beside) if beside.exists() else shutil.which("kubernetes-validate")
        if tool is None:
            pytest.skip("kubernetes-validate is not installed; `pip install kubernetes-validate`")
        known = [one for one in self.by_kind.values() if one is not self.own]
        for number, pod in enumerate(self.pods):
            known.append(
                {"apiVersion": "v1", "kind": "Pod", **pod, "metadata": {"name": f"pod-{number}", **pod["metadata"]}}
            )
        (folder / "known.yaml").write_text(yaml.safe_dump_all(known))
        done = subprocess.run(
            [tool, "--strict", folder / "known.yaml"], capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert (done.stdout + done.stderr).count("passed") == len(known)

    def belongs_together(self):
        """Names, claims and ports are the same wherever they stand, and the Ray is the one of the lock."""
        assert all(pod["metadata"]["labels"] == self.name for pod in self.pods)
        policy = self.by_kind["NetworkPolicy"]["spec"]
        assert policy["podSelector"]["matchLabels"] == self.name
        assert {"from": [{"podSelector": {"matchLabels": self.name}}]} in policy["ingress"]
        for pod in self.pods:
            volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
            [container] = pod["spec"]["containers"]
            assert {mount["name"] for mount in container["volumeMounts"]} == set(volumes)
            ports = {port["name"] for port in container["ports"]}
            probes = {name: probe for name, probe in container.items() if name.endswith("Probe")}
            # Where one is missing KubeRay adds its own, which calls wget; the image has none.
            assert {"readinessProbe", "livenessProbe"} <= set(probes)
            assert all(probe.get(how, {}).get("port") in ports | {None} for probe in probes.values()
                       for how in ("httpGet", "tcpSocket"))  # fmt: skip
            assert container["securityContext"]["readOnlyRootFilesystem"]
            claim = volumes.get("run", {}).get("persistentVolumeClaim", {})
            made = self.by_kind["PersistentVolumeClaim"]["metadata"]["name"]
            assert claim.get("claimName", made) == made
        lock = (DEPLOY / "ray.lock").read_text()
        assert f"ray=={self.cluster['rayVersion']} " in lock, (
            "the workers must have the Ray of the head; run deploy/lock, and name it"
        )

    def processors(self):
        """How many processors the workers offer."""
        starts = [group["template"]["spec"]["containers"][0]["args"][0] for group in self.workers]
        counts = [int(re.search(r"--num-cpus (\d+)", one)[1]) for one in starts]
        return sum(group["replicas"] * count for group, count in zip(self.workers, counts, strict=True))

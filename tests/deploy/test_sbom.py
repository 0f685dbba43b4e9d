"""What the bill of materials lists."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SBOM = Path(__file__).resolve().parents[2] / "deploy" / "sbom.py"


def test_packages_and_what_is_compiled_in_are_listed():
    pytest.importorskip("cyclonedx_py", reason="cyclonedx-bom is not installed; `pip install '.[audit]'` has it")
    done = subprocess.run([sys.executable, str(SBOM), sys.executable], capture_output=True, text=True, check=True)
    bill = json.loads(done.stdout)
    components = {one["name"]: one for one in bill["components"]}
    assert {"numpy", "dygraphs", "h11", "nanobind", "robin-map"} <= set(components)
    assert len({one["bom-ref"] for one in bill["components"]}) == len(bill["components"])
    root = bill["metadata"]["component"]
    assert root["name"] == "telex"
    [needs] = [one["dependsOn"] for one in bill["dependencies"] if one["ref"] == root["bom-ref"]]
    assert components["nanobind"]["bom-ref"] in needs

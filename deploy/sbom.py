"""Prints what an installation of Telex consists of, as CycloneDX: ``python deploy/sbom.py PYTHON > telex.cdx.json``.

PYTHON is the interpreter of the environment in which Telex is installed; this one needs cyclonedx-bom. To the packages
of the environment it adds what is compiled into Telex's modules, which no package of the environment shows.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def main(python: str) -> None:
    """Print the bill of materials."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--pyproject", str(ROOT / "pyproject.toml")]
    command += ["--mc-type", "application", "--output-reproducible", "--output-format", "JSON", python]
    bill = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    listed = {one["bom-ref"] for one in bill["components"]}
    compiled_in = [one for one in compiled() if one["bom-ref"] not in listed]
    bill["components"] += compiled_in
    root = bill["metadata"]["component"]["bom-ref"]
    for one in bill["dependencies"]:
        if one["ref"] == root:
            one["dependsOn"] = sorted({*one.get("dependsOn", ()), *(part["bom-ref"] for part in compiled())})
    bill["dependencies"] += [{"ref": one["bom-ref"]} for one in compiled_in]
    json.dump(bill, sys.stdout, indent=2)
    print()


def compiled() -> list[dict[str, Any]]:
    """Return the components that are linked into the modules: nanobind, and the hash map that it carries."""
    lock = (ROOT / "deploy" / "build.lock").read_text(encoding="utf-8")
    found = re.search(r"^nanobind==(\S+)", lock, re.MULTILINE)
    assert found is not None, "build.lock has no nanobind; write it again with deploy/lock"
    version = found[1]
    binding = {
        "type": "library",
        "bom-ref": f"nanobind=={version}",
        "name": "nanobind",
        "version": version,
        "purl": f"pkg:pypi/nanobind@{version}",
        "licenses": [{"license": {"id": "BSD-3-Clause"}}],
        "description": "linked statically into the native modules",
    }
    hash_map = {
        "type": "library",
        "bom-ref": "robin-map",
        "name": "robin-map",
        "purl": "pkg:github/Tessil/robin-map",
        "licenses": [{"license": {"id": "MIT"}}],
        "description": f"carried by nanobind {version}",
    }
    return [binding, hash_map]


if __name__ == "__main__":
    main(*sys.argv[1:])

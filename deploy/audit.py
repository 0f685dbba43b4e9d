"""Looks up whether packages of a lock have known vulnerabilities: ``python deploy/audit.py deploy/image.lock``.

Fails if there is a version without the vulnerability; one that nobody has mended is only shown. If the database cannot
be reached, it says so and passes: a build without a network is no finding.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

UNREACHED = ("ConnectionError", "ConnectTimeout", "ReadTimeout", "NameResolutionError", "ProxyError", "SSLError")


def main(lock: str) -> int:
    """Audit a lock, and return the exit code."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", lock, "--disable-pip", "--require-hashes"]
    done = subprocess.run(
        [*command, "--format", "json", "--progress-spinner", "off"], capture_output=True, text=True, check=False
    )
    try:
        dependencies = json.loads(done.stdout)["dependencies"]
    except ValueError:
        if any(name in done.stderr for name in UNREACHED):
            print(f"{lock}: the database of vulnerabilities was not reached")
            return 0
        print(done.stderr, file=sys.stderr)
        return 1
    return judged(lock, dependencies)


def judged(lock: str, dependencies: list[dict[str, Any]]) -> int:
    """Print what was found, and return the exit code."""
    audited = [one for one in dependencies if "vulns" in one]
    if not audited:
        print(f"{lock}: the database of vulnerabilities was not reached, or knows none of these packages")
        return 0
    found = [(one, flaw) for one in audited for flaw in one["vulns"]]
    for one, flaw in found:
        mended = ", ".join(flaw["fix_versions"]) or "no version yet"
        print(f"{one['name']} {one['version']}: {flaw['id']}, mended in {mended}")
    missed = [one["name"] for one in dependencies if "vulns" not in one]
    print(f"{lock}: {len(audited)} packages audited, {len(found)} vulnerabilities; not known: {missed or 'none'}")
    return int(any(flaw["fix_versions"] for _, flaw in found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

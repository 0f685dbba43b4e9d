"""The locks fit what pyproject.toml asks for, and name nothing but packages, versions and hashes."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
PIN = re.compile(
    r"([a-z0-9-]+)==(\S+)"
    r"(?: ; (?:python|platform|sys|implementation|os)_[^\\]+)?"
    r"((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)


def wanted(*extras):
    """The requirements of Telex with these extras, which may name others."""
    found = [Requirement(one) for one in PYPROJECT["project"]["dependencies"]]
    for extra in extras:
        for one in map(Requirement, EXTRAS[extra]):
            found += wanted(*one.extras) if one.name == "telex" else [one]
    return found


BUILD = [Requirement(one) for one in PYPROJECT["build-system"]["requires"]]


@pytest.mark.parametrize(
    ("name", "requirements"),
    [
        pytest.param("image", wanted("zstd", "kafka-codecs"), id="image"),
        pytest.param("ray", wanted("zstd", "kafka-codecs", "ray"), id="ray"),
        pytest.param("build", BUILD, id="build"),
        pytest.param("ci", wanted(*EXTRAS), id="ci"),
    ],
)
def test_a_lock_fits(name, requirements):
    text = (ROOT / "deploy" / f"{name}.lock").read_text()
    head, pins = re.fullmatch(r"((?:#.*\n)*)((?:.|\n)*)", text).groups()
    assert "deploy/lock" in head
    assert PIN.sub("", pins) == ""
    assert "//" not in text
    locked = {}
    for package, version, _ in PIN.findall(pins):
        locked.setdefault(package, []).append(version)
    for one in requirements:
        versions = locked.get(canonicalize_name(one.name))
        assert versions, f"{name}.lock has no {one.name}: run deploy/lock"
        assert all(map(one.specifier.contains, versions)), f"{name}.lock has another {one.name}: run deploy/lock"


def test_what_reads_a_lock_reads_a_lock_that_is_there():
    for path in ("deploy/Dockerfile", ".ci/run"):
        locks = re.findall(r"deploy/\w+\.lock", (ROOT / path).read_text())
        assert locks
        assert all((ROOT / lock).exists() for lock in locks)
        assert (ROOT / path).read_text().count(" --require-hashes -r deploy/") >= 1
    assert {"!deploy/image.lock", "!deploy/ray.lock", "!deploy/build.lock"} <= set(
        (ROOT / "deploy/Dockerfile.dockerignore").read_text().split()
    )

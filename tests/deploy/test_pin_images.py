"""The script that writes digests of images, with a registry that is made up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


@pytest.fixture
def pinned(tmp_path):
    """Runs the script on copies; each image's digest is of one letter."""
    for name in ("Dockerfile", "compose.yaml", "pin-images"):
        shutil.copy(DEPLOY / name, tmp_path)
    crane = tmp_path / "bin" / "crane"
    crane.parent.mkdir()

    def run(letter, answer="sha256:"):
        crane.write_text(f"#!/bin/sh\nprintf '{answer}%064d\\n' 0 | tr 0 {letter}\n")
        crane.chmod(0o755)
        path = f"{crane.parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", str(tmp_path / "pin-images")], env={"PATH": path}, capture_output=True, text=True, check=False
        )
        return done, (tmp_path / "Dockerfile").read_text(), (tmp_path / "compose.yaml").read_text()

    return run


def test_every_image_gets_its_digest_and_then_a_newer_one(pinned):
    for letter in "ab":
        done, dockerfile, compose = pinned(letter)
        assert done.returncode == 0, done.stderr
        froms = [line for line in dockerfile.splitlines() if line.startswith("FROM ")]
        images = [line for line in compose.splitlines() if line.lstrip().startswith("image: ") and "telex:" not in line]
        assert len(froms) == 2
        assert len(images) == 4
        assert all(line.count("@sha256:" + letter * 64) == 1 == line.count("@") for line in froms + images)
        assert froms[0].endswith(" AS build")
        assert compose.count("image: telex:local\n") == 1


def test_an_answer_without_a_digest_changes_nothing(pinned):
    done, dockerfile, compose = pinned("a", "no such host ")
    assert done.returncode == 1
    assert done.stderr.startswith("the registry gives no digest of ")
    assert dockerfile == (DEPLOY / "Dockerfile").read_text()
    assert compose == (DEPLOY / "compose.yaml").read_text()

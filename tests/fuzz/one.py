"""Fuzzes one Python target by atheris: ``python one.py MODULE:MEMBER [options of libFuzzer] [FOLDER ...]``."""

from __future__ import annotations

import importlib
import sys

import atheris

if __name__ == "__main__":
    module, member = sys.argv.pop(1).split(":")
    with atheris.instrument_imports(include=["telex"]):
        target = getattr(importlib.import_module(module), member)
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()

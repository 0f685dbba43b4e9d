"""Joins a Ray cluster that is there; Telex starts none, as Ray listens on every address of its machine."""

from __future__ import annotations

import importlib
import os
from typing import Any

from telex.learners.base import UsageError


def import_ray() -> Any:
    """Return Ray, if it is installed."""
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise UsageError("the engine ray needs another library: pip install 'telex[ray]'") from error


def join_cluster() -> Any:
    """Return Ray, joined to the cluster that RAY_ADDRESS names, or else to the one on this machine."""
    ray = import_ray()
    if not ray.is_initialized():
        address = os.environ.get("RAY_ADDRESS", "auto")
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, RuntimeError) as error:
            raise UsageError(
                f"no Ray cluster answers at {address}; start one with `ray start --head`, in a network of your own, or "
                "name one by RAY_ADDRESS"
            ) from error
    return ray

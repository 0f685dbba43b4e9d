"""Columns of results as frames of pandas or polars, which are imported only here, when one is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

Library = Literal["pandas", "polars"]


def frame_of(columns: Mapping[str, Any], library: Library) -> Any:
    """Return columns as a frame of that library.

    >>> frame_of({"learner": ["mmp"], "iserr": np.array([0.5])}, "pandas").to_dict("records")
    [{'learner': 'mmp', 'iserr': 0.5}]
    """
    try:
        module = importlib.import_module(library)
    except ImportError as error:
        raise UsageError(f"{library} is not installed; try pip install {library}") from error
    return module.DataFrame(dict(columns))


def times_of(seconds: Any) -> Any:
    """Return epoch seconds as numpy's moments in UTC, NaT for NaN.

    >>> times_of([840499200.0, float("nan")])
    array(['1996-08-20T00:00:00.000000', 'NaT'], dtype='datetime64[us]')
    """
    known = np.asarray(seconds, np.float64)
    whole = np.where(np.isfinite(known), known * 1e6, 0).round().astype(np.int64).astype("datetime64[us]")
    whole[~np.isfinite(known)] = np.datetime64("NaT")
    return whole

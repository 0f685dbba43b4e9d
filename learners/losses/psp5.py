"""Propensity-scored precision at 5."""

from __future__ import annotations

from telex.learners.losses.psp1 import Psp1


class Psp5(Psp1):
    """Precision of the first five of the ranking, in which rare labels count more (Jain, Prabhu and Varma 2016)."""

    name = "psp5"
    k = 5
    order = 68
    priority = 128

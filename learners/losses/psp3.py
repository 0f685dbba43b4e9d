"""Propensity-scored precision at 3."""

from __future__ import annotations

from telex.learners.losses.psp1 import Psp1


class Psp3(Psp1):
    """Precision of the first three of the ranking, in which rare labels count more (Jain, Prabhu and Varma 2016)."""

    name = "psp3"
    k = 3
    order = 67
    priority = 127

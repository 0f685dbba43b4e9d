"""Precision at 3."""

from __future__ import annotations

from telex.learners.losses.prec1 import Prec1


class Prec3(Prec1):
    """Share of relevant labels among the first three of the ranking."""

    name = "prec3"
    k = 3
    order = 62
    priority = 121
